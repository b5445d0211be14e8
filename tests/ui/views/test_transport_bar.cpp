// SPDX-License-Identifier: GPL-3.0-or-later
// What the transport bar says beside its numbers.
#include <QScopeGuard>
#include <QToolButton>

#include "tests/core/backend/fake_device.h"
#include "tests/ui/views/view_bench.h"
#include "ui/views/transport/transport_bar.h"
#include "ui/widgets/labels.h"

using namespace tfm;
using namespace tfm::ui;

class TestTransportBar : public QObject, private ViewBench<TransportBar> {
  Q_OBJECT

 private slots:
  void cleanup() { tearDown(); }

  /// Whoever computes with rounded products sees that; the CPU, which is usual, has no name.
  void theSpeedNamesTheDeviceAndItsPrecision_data() {
    QTest::addColumn<QString>("device");
    QTest::newRow("float") << "cuda";
    QTest::newRow("TF32") << "cuda-tf32";
    QTest::newRow("bf16") << "cuda-bf16";
  }
  void theSpeedNamesTheDeviceAndItsPrecision() {
    QFETCH(QString, device);
    const auto restore = qScopeGuard([] { chooseDevice("cpu"); });
    test::chooseFakeDevice(device.toStdString(), std::size_t(1) << 30);
    setUp(startRot13, {1280, 60});
    QVERIFY(trainTo(*document_, 2));
    QTRY_VERIFY(speed().endsWith(" on " + device));
    chooseDevice("cpu");
    document_->training().moveToDevice();
    QVERIFY(trainTo(*document_, 4));
    QTRY_VERIFY(!speed().contains(" on "));
  }

  /// Other screens measure on more examples.
  void theAccuracySaysOnHowManyExamples() {
    setUp(startRot13, {1280, 60});
    QTRY_COMPARE(named("held-out accuracy").text(), QString("–"));
    train::Evaluation measured;
    QVERIFY(QTest::qWaitFor(
        [&] {
          if (!document_->training().history().evaluations.empty()) return true;
          return trainTo(*document_, int(document_->training().step()) + 50) && false;
        },
        20000));
    measured = document_->training().history().evaluations.back();
    const QString name = QString("accuracy, %1 held out").arg(measured.examples);
    QTRY_VERIFY(named(name).text() != QString("–"));
    QVERIFY(named(name).toolTip().contains(QString("on %1 examples").arg(measured.examples)));
  }

 private:
  const NamedNumber& named(const QString& name) {
    QStringList names;
    for (const auto* number : view_->findChildren<NamedNumber*>()) {
      if (number->name() == name) return *number;
      names << number->name();
    }
    qFatal("there is no %s, but %s", qPrintable(name), qPrintable(names.join("; ")));
  }
  QString speed() {
    for (const auto* button : view_->findChildren<QToolButton*>())
      if (button->accessibleName() == "Speed") return button->text();
    return {};
  }
};

TFM_TEST(TestTransportBar)
#include "test_transport_bar.moc"
