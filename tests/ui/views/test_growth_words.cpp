// SPDX-License-Identifier: GPL-3.0-or-later
// Formulas with a model's numbers in them.
#include <QTest>

#include "core/model/presets.h"
#include "tests/core/expand/growth_to.h"
#include "tests/test_program.h"
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
  /// If layers differ, no single size stands for all.
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

  void theHeadsThatGrowAreNamed() {
    for (const Kind kind : {Kind::ValueSize, Kind::KeySize}) {
      expand::Growth growth = growthTo(kind, 8);
      const auto formula = [&growth] {
        return GrowthWords::formula(expand::planGrowth(presetNamed("rot13").config(), growth));
      };
      QVERIFY2(formula().contains("each head: 5 + 3 numbers"), qPrintable(formula()));
      growth.heads = {2};
      QVERIFY2(formula().contains("head 3: 5 + 3 numbers") && !formula().contains("each"),
               qPrintable(formula()));
      growth.heads = {0, 2};
      QVERIFY2(formula().contains("heads 1, 3, each: 5 + 3 numbers"), qPrintable(formula()));
    }
  }

  /// Weights stand left of what they multiply, as they are stored and drawn: rows are outputs.
  void newUnitsAreRowsAndThenColumns() {
    const QString formula = formulas(Kind::FeedForward, 9, 12).front();
    QVERIFY2(formula.contains("[W₁ ; <i>W₁′</i>] x") && formula.contains("[W₂ <u>0</u>] u"),
             qPrintable(formula));
    QVERIFY(formula.contains("a row of W₁, a column of W₂"));
    QVERIFY(formulas(Kind::Heads, 8, 9).front().contains("<u>0</u> · <i>head<sub>8</sub></i>"));
    QVERIFY(formulas(Kind::ValueSize, 6, 9).front().contains("[W<sub>O</sub> <u>0</u>] · [v ;"));
  }
};

TFM_TEST(TestGrowthWords)
#include "test_growth_words.moc"
