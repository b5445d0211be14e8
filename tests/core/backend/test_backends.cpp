// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/backend/registry.h"
#include "core/base/error.h"

class TestBackends : public QObject {
  Q_OBJECT

 private slots:
  void aBackendIsMadeByItsName() {
    QVERIFY(!tfm::backends().empty());
    for (const tfm::BackendEntry& entry : tfm::backends()) {
      if (entry.score() == 0) continue;
      QCOMPARE(tfm::makeBackend<float>(entry.name)->name(), entry.name);
      QCOMPARE(tfm::makeBackend<double>(entry.name)->name(), entry.name);
    }
  }

  void withoutANameItIsTheFastest() {
    int best = 0;
    std::string_view fastest;
    for (const tfm::BackendEntry& entry : tfm::backends())
      if (entry.score() > best) best = entry.score(), fastest = entry.name;
    QCOMPARE(tfm::makeBackend<float>()->name(), fastest);
  }

  void anUnknownDeviceIsNamedWithThoseThereAre() {
    try {
      tfm::makeBackend<float>("abacus");
      QFAIL("it was found");
    } catch (const tfm::Error& error) {
      QVERIFY(std::string(error.what()).find("abacus") != std::string::npos);
      QVERIFY(error.hint().find("cpu") != std::string::npos);
    }
  }
};

QTEST_GUILESS_MAIN(TestBackends)
#include "test_backends.moc"
