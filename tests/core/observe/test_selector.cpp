// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <string>

#include "core/observe/selector.h"
#include "tests/test_program.h"

using tfm::observe::selects;

class TestSelector : public QObject {
  Q_OBJECT

 private slots:
  void selects_data() {
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("expected");
    const auto row = [](const char* pattern, const char* name, bool expected) {
      const QByteArray title = QByteArray(pattern) + (expected ? " fits " : " misses ") + name;
      QTest::newRow(title.constData()) << QByteArray(pattern) << QByteArray(name) << expected;
    };
    row("", "", true);
    row("", "a", false);
    row("*", "", true);
    row("*", "encoder.layers.0", true);
    row("output", "output", true);
    row("output", "outputs", false);
    row("output", "utput", false);
    row("*.probabilities", "encoder.layers.0.self_attention.probabilities", true);
    row("*.probabilities", "loss.probabilities.x", false);
    row("encoder.*", "encoder.embedding", true);
    row("encoder.*", "decoder.embedding", false);
    row("*.layers.?.*", "encoder.layers.3.norm", true);
    row("*.layers.?.*", "encoder.layers.13.norm", false);
    row("a*b*c", "axbxbxc", true);
    row("a*b*c", "axcxb", false);
    row("a**", "a", true);
    row("?", "", false);
    row("*a", "aaab", false);
    row("*ab", "aaab", true);
    row("x,output,y", "output", true);
    row("x,*put", "output", true);
    row("x,y", "x,y", false);
    row(",x", "", true);
    row("[a-z]", "a", false);
    row("[a-z]", "[a-z]", true);
    row("a.b", "axb", false);
  }

  void selects() {
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, name);
    QFETCH(bool, expected);
    QCOMPARE(tfm::observe::selects(pattern.toStdString(), name.toStdString()), expected);
  }

  /// With a way back for each star this would take longer than the universe exists.
  void manyStarsStayQuick() {
    std::string pattern;
    for (int i = 0; i < 100; ++i) pattern += "a*";
    pattern += "b";
    std::string name(2000, 'a');
    QVERIFY(!tfm::observe::selects(pattern, name));
    name.back() = 'b';
    QVERIFY(tfm::observe::selects(pattern, name));
  }
};

TFM_TEST(TestSelector)
#include "test_selector.moc"
