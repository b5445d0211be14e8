// SPDX-License-Identifier: GPL-3.0-or-later
// What of DeLighT can grow without changing an answer, and what is said of the rest.
#include <QtTest>

#include "core/model/delight_layers.h"
#include "tests/core/expand/double_run.h"
#include "tests/core/expand/growth_to.h"
#include "tests/core/expand/small_models.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

namespace {}  // namespace

class TestDelightGrowth : public QObject {
  Q_OBJECT

 private slots:
  /// Its units keep their sizes when the hidden size grows, more than once.
  void unitsKeepTheirSizes() {
    const ModelState before = trainedState(smallModel("delight both pre").config);
    const Plan plan{hiddenTo(8, HiddenMethod::Centre), hiddenTo(11, HiddenMethod::Average)};
    const Grown grown = grow(before, plan);
    QVERIFY(verify(before, grown, probeBatch(before.config)).exact);
    const auto& unit = *grown.state.config.encoder_layers.front().first<DelightAttention>();
    QCOMPARE(unit.base_size, std::int64_t{6});
    QCOMPARE(unit.half(11), std::int64_t{3});
    for (const ParameterInfo& p : grown.state.layout.parameters) {
      const ParameterInfo* old = before.layout.find(p.name);
      if (p.name.find("dextra_map") != std::string::npos) QCOMPARE(p.size(), old->size());
    }
  }

  void embeddingUnitsAreCopiedWhole_data() {
    QTest::addColumn<QString>("model");
    QTest::newRow("post-norm") << "delight shared table";
    QTest::newRow("pre-norm") << "delight embedding unit";
  }
  void embeddingUnitsAreCopiedWhole() {
    QFETCH(QString, model);
    const ModelConfig config = smallModel(model.toStdString()).config;
    for (const std::int64_t size : {12, 18})
      QVERIFY(grownVerdict(config, {hiddenTo(size, HiddenMethod::Duplicate)}).exact);
    QVERIFY(grownVerdict(config, {hiddenTo(12, HiddenMethod::Duplicate),
                                  hiddenTo(24, HiddenMethod::Duplicate)})
                .exact);
    for (const HiddenMethod method :
         {HiddenMethod::ZeroPad, HiddenMethod::Centre, HiddenMethod::Average, HiddenMethod::Mask}) {
      Growth growth = hiddenTo(9, method);
      const QString refused = QString::fromStdString(refusal(config, {growth}));
      QVERIFY2(refused.contains("end with a norm"), qPrintable(refused));
      QVERIFY2(refused.contains("hidden size 12 by copies"), qPrintable(refused));
      growth.allow_inexact = true;
      QVERIFY(grownVerdict(config, {growth}).max_difference_double > 1e-3);
    }
  }

  void whatCannotGrowSaysWhy() {
    const ModelConfig encoder = smallModel("delight encoder post").config;
    for (const Kind kind : {Kind::Heads, Kind::KeySize, Kind::ValueSize}) {
      const QString refused = QString::fromStdString(refusal(encoder, {growthTo(kind, 9)}));
      QVERIFY2(refused.contains("one head of half the hidden size"), qPrintable(refused));
    }
    // A decoder's cross-attention is an ordinary one.
    const ModelConfig both = smallModel("delight both pre").config;
    QVERIFY(grownVerdict(both, {growthTo(Kind::KeySize, 9)}).exact);
    ModelConfig tied = smallModel("delight shared table").config;
    tied.embedding_size = tied.hidden;
    const QString refused =
        QString::fromStdString(refusal(tied, {hiddenTo(12, HiddenMethod::Duplicate)}));
    QVERIFY2(refused.contains("whose width stays"), qPrintable(refused));
  }
};

TFM_TEST(TestDelightGrowth)
#include "test_delight_growth.moc"
