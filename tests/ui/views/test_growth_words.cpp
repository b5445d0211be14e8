// SPDX-License-Identifier: GPL-3.0-or-later
// Formulas with a model's numbers in them.
#include <QTest>

#include "core/model/presets.h"
#include "tests/core/expand/growth_to.h"
#include "ui/views/grow/growth_words.h"

using namespace tfm;
using namespace tfm::ui;
using expand::Kind;
using tfm::test::growthTo;

namespace {

/// The formulas of growing in the decoder alone, and then everywhere.
QStringList formulas(Kind kind, std::int64_t decoder, std::int64_t all) {
  expand::Growth first = growthTo(kind, decoder);
  first.stacks = expand::Stacks::Decoder;
  QStringList texts;
  for (const expand::Change& change :
       expand::planGrowths(presetNamed("rot13").config(), {first, growthTo(kind, all)}))
    texts += GrowthWords::formula(change);
  return texts;
}

}  // namespace

class TestGrowthWords : public QObject {
  Q_OBJECT

 private slots:
  /// Where layers differ, no one size stands for all.
  void everyOldSizeIsNamed_data() {
    QTest::addColumn<QStringList>("formulas");
    QTest::addColumn<QStringList>("parts");
    const auto row = [](const char* name, Kind kind, std::int64_t decoder, std::int64_t all,
                        const QStringList& parts) {
      QTest::newRow(name) << formulas(kind, decoder, all) << parts;
    };
    row("feed-forward", Kind::FeedForward, 9, 12,
        {"5 old units + 4 new ones", "5–9 old units + 3–7 new ones"});
    row("heads", Kind::Heads, 8, 9, {"<sub>e ≤ 7</sub>", "E = 7–8"});
    row("key size", Kind::KeySize, 8, 20, {"√(8∕5) = 1.2649", "= 1.5811–2<br>k = 5–8"});
    row("value size", Kind::ValueSize, 6, 9, {"5 + 1 numbers", "5–6 + 3–4 numbers"});
  }
  void everyOldSizeIsNamed() {
    QFETCH(QStringList, formulas);
    QFETCH(QStringList, parts);
    QCOMPARE(formulas.size(), parts.size());
    for (int i = 0; i < int(parts.size()); ++i)
      QVERIFY2(formulas[i].contains(parts[i]), qPrintable(formulas[i]));
  }
};

QTEST_GUILESS_MAIN(TestGrowthWords)
#include "test_growth_words.moc"
