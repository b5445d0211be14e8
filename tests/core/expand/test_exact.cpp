// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <functional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "tests/core/expand/small_models.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

namespace {

Growth growth(Kind kind, std::int64_t size) {
  Growth g;
  g.kind = kind;
  g.size = size;
  return g;
}

/// One expansion of each kind that a model can do exactly without being told how.
Plan usualGrowths(const ModelConfig& c) {
  Plan plan{growth(Kind::FeedForward, 12), growth(Kind::Heads, 5), growth(Kind::ValueSize, 6),
            growth(Kind::KeySize, 8)};
  std::erase_if(plan, [&](const Growth& g) { return chosenSizes(c, g).empty(); });
  if (c.query_key_norm) std::erase(plan, growth(Kind::KeySize, 8));  // refused
  const bool in_stream = c.norm_placement == NormPlacement::Post || c.embedding_norm;
  const bool copies = (in_stream && c.norm == NormKind::LayerNorm) || c.embedding_size > 0;
  if (!c.output_transform) plan.push_back(growth(Kind::Hidden, copies ? 12 : 10));  // refused
  const Stack stack = c.hasDecoder() ? Stack::Decoder : Stack::Encoder;
  Growth layer = growth(Kind::Layers, std::ssize(c.layers(stack)) + 1);
  layer.stacks = c.hasDecoder() ? Stacks::Decoder : Stacks::Encoder;
  layer.unshare = c.sharesLayers();
  plan.push_back(layer);
  layer.position = 1;
  plan.push_back(layer);
  layer.position = 0;
  plan.push_back(layer);
  return plan;
}

}  // namespace

class TestExact : public QObject {
  Q_OBJECT

 private slots:
  void everyExpansionOfEveryModel_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("growth");
    for (const SmallModel& m : smallModels()) {
      const Plan plan = usualGrowths(m.config);
      for (std::size_t i = 0; i < plan.size(); ++i)
        QTest::newRow((m.name + ": " + describe(plan[i], m.config)).c_str())
            << QString::fromStdString(m.name) << int(i);
    }
  }
  void everyExpansionOfEveryModel() {
    QFETCH(QString, model);
    QFETCH(int, growth);
    const ModelConfig config = smallModel(model.toStdString()).config;
    try {
      const Growth g = usualGrowths(config)[std::size_t(growth)];
      const Verdict v = grownVerdict(config, {g});
      QVERIFY2(v.exact, qPrintable(QString("double %1, tolerance %2, float %3")
                                       .arg(v.max_difference_double)
                                       .arg(v.tolerance)
                                       .arg(v.max_difference)));
      QVERIFY(v.parameters_after > v.parameters_before);
      QVERIFY(v.max_difference <= 2e-5 * std::max(1.0, v.largest_output));
    } catch (const Error& e) {
      QFAIL(e.what());
    }
  }
  void normedKeysDoNotGrow() {
    const ModelConfig config = smallModel("queries and keys normed").config;
    TFM_VERIFY_ERROR(grownVerdict(config, {growth(Kind::KeySize, 8)}),
                     "queries and keys are normed");
  }
  /// What writes into the stream is multiplied, what reads it is divided.
  void withoutGainsTheStreamIsScaled() {
    ModelConfig config = smallModel("rms without gains, parallel").config;
    for (const auto& [change, problem] :
         std::vector<std::pair<std::function<void(ModelConfig&)>, const char*>>{
             {[](ModelConfig& c) { c.norm = NormKind::LayerNorm; },
              "no factors that could make up"},
             {[](ModelConfig& c) { c.tie_output = true; }, "the output shares the embedding"},
             {[](ModelConfig& c) { c.positions = Positions::Sinusoidal; },
              "no factors that could make up"}}) {
      ModelConfig other = config;
      change(other);
      TFM_VERIFY_ERROR(grownVerdict(other, {growth(Kind::Hidden, 10)}), problem);
    }
    config.norm = NormKind::LayerNorm;
    QVERIFY(grownVerdict(config, {growth(Kind::Hidden, 12)}).exact);
  }
};

TFM_TEST(TestExact)
#include "test_exact.moc"
