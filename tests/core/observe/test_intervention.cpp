// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <limits>

#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/observe/intervention.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::observe;
using Kind = Intervention::Kind;

namespace {

/// Two layers in each stack, 2 heads with values of 3, 5 units.
ModelConfig twoLayers() {
  ModelConfig config = presetNamed("rot13").config();
  setUniform(config, 2, 2, {2, 3, 3, 5, 1e-5});
  return config;
}

std::vector<ChangedPart> partsOf(const std::string& target,
                                 const ModelConfig& config = twoLayers()) {
  return changedParts(config, fullShape(config, 1), target);
}

}  // namespace

class TestIntervention : public QObject {
  Q_OBJECT

 private slots:
  void textsAreReadAndWritten() {
    const std::vector<Intervention> all{{"a.head.3", Kind::Set, 0.0, ""},
                                        {"a[1, 2, 0]", Kind::Set, -0.5, ""},
                                        {"a[2, .]", Kind::Scale, 2.25, ""},
                                        {"a.neuron.5", Kind::Mean, 0.0, ""},
                                        {"a", Kind::Patch, 0.0, "b = c * \"d\""}};
    const char* texts[] = {"a.head.3=0", "a[1, 2, 0]=-0.5", "a[2, .]*2.25", "a.neuron.5=mean",
                           "a=from \"b = c * \"d\"\""};
    for (std::size_t i = 0; i < all.size(); ++i) {
      QVERIFY2(interventionFromText(texts[i]) == all[i], texts[i]);
      QCOMPARE(textOf(all[i]), std::string(texts[i]));
    }
    QVERIFY(interventionFromText("  a = from hey you ") ==
            (Intervention{"a", Kind::Patch, 0.0, "hey you"}));
  }

  void nonsenseIsRefused() {
    TFM_VERIFY_ERROR(interventionFromText("a.head.3"), "does not say what to do");
    TFM_VERIFY_ERROR(interventionFromText("=0"), "names no target");
    TFM_VERIFY_ERROR(interventionFromText("a=0x"), "has no number");
    TFM_VERIFY_ERROR(interventionFromText("a*mean"), "has no number");
    TFM_VERIFY_ERROR(interventionFromText("a=inf"), "has no number");
    TFM_VERIFY_ERROR(interventionFromText("a=0,5"), "has no number");
    TFM_VERIFY_ERROR(interventionFromText("a="), "has no number");
    TFM_VERIFY_ERROR(interventionFromText("a=from \"\""), "no other text");
    TFM_VERIFY_ERROR(interventionFromText("a=from"), "no other text");
    TFM_VERIFY_ERROR(interventionFromText("a=fromhey"), "has no number");
  }

  void targetsStandForParts() {
    using Parts = std::vector<ChangedPart>;
    QVERIFY(partsOf("encoder.layers.1.self_attention.head.1") ==
            (Parts{{"encoder.layers.1.self_attention.mixed", false, -1, -1, 3, 3}}));
    QVERIFY(partsOf("decoder.layers.0.feed_forward.neuron.2-4") ==
            (Parts{{"decoder.layers.0.feed_forward.activation", false, -1, -1, 2, 3}}));
    QVERIFY(partsOf("decoder.layers.0.feed_forward.neuron.2[1]") ==
            (Parts{{"decoder.layers.0.feed_forward.activation", false, -1, 1, 2, 1}}));
    QVERIFY(partsOf("decoder.layers.0.feed_forward") ==
            (Parts{{"decoder.layers.0.feed_forward.linear2"}}));
    QVERIFY(partsOf("decoder.layers.1") == (Parts{{"decoder.layers.1.self_attention.output"},
                                                  {"decoder.layers.1.cross_attention.output"},
                                                  {"decoder.layers.1.feed_forward.linear2"}}));
    QVERIFY(partsOf("encoder.embedding[2, .]") == (Parts{{"encoder.embedding", false, -1, 2}}));
    QVERIFY(partsOf("decoder.layers.0.self_attention.probabilities[1, 2, 0]") ==
            (Parts{{"decoder.layers.0.self_attention.probabilities", false, 1, 2, 0, 1, true}}));
    QVERIFY(partsOf("decoder.layers.0.feed_forward.linear1.weight[3, 4]") ==
            (Parts{{"decoder.layers.0.feed_forward.linear1.weight", true, -1, 3, 4, 1}}));
    QVERIFY(partsOf("decoder.layers.0.feed_forward.linear1.bias[4]") ==
            (Parts{{"decoder.layers.0.feed_forward.linear1.bias", true, -1, -1, 4, 1}}));
  }

  void whatIsNotThereIsRefused() {
    TFM_VERIFY_ERROR(partsOf("decoder.layers.0.self_atention"), "names nothing");
    TFM_VERIFY_ERROR(partsOf("decoder.layers.0.self_attention.head.2"), "there are 2 heads");
    TFM_VERIFY_ERROR(partsOf("decoder.layers.0.feed_forward.neuron.5"), "there are 5 neurons");
    TFM_VERIFY_ERROR(partsOf("decoder.layers.0.feed_forward.neuron.x"), "no whole number");
    const std::string largest = std::to_string(std::numeric_limits<std::int64_t>::max());
    TFM_VERIFY_ERROR(partsOf("decoder.layers.0.self_attention.head." + largest), "2 heads");
    TFM_VERIFY_ERROR(partsOf("encoder.embedding[999, .]"), "is outside");
    TFM_VERIFY_ERROR(partsOf("encoder.embedding[1]"), "2 indices");
    TFM_VERIFY_ERROR(partsOf("encoder.embedding[a, .]"), "not a whole number");
    TFM_VERIFY_ERROR(partsOf("encoder.embedding[0 1, .]"), "not a whole number");
    TFM_VERIFY_ERROR(partsOf("encoder.embedding[1, 'u']"), "token");
    TFM_VERIFY_ERROR(partsOf("decoder.layers.0.self_attention.probabilities[0, 1, 2]"), "causal");
    TFM_VERIFY_ERROR(partsOf("decoder.layers.0.self_attention.scores[0, 1, 0]"), "inside");
    TFM_VERIFY_ERROR(partsOf("source.ids[0, 0]"), "not computed");
    try {
      partsOf("decoder.layers.0.self_atention");
    } catch (const Error& problem) {
      QVERIFY(problem.hint().find("decoder.layers.0.self_attention") != std::string::npos);
    }
  }

  void sharedWeightsNameTheirHolder() {
    ModelConfig config = twoLayers();
    const std::string weight = "decoder.layers.1.feed_forward.linear1.weight[0, 0]";
    QCOMPARE(partsOf(weight, config).size(), std::size_t(1));  // the control
    config.share_layers = true;
    TFM_VERIFY_ERROR(partsOf(weight, config), "uses those of another");
    QCOMPARE(partsOf("decoder.layers.1.feed_forward", config).size(), std::size_t(1));
  }

  void unitsAreListedInOrder() {
    const ModelConfig config = twoLayers();
    const auto heads = unitsOf(config, UnitKind::Heads);
    QCOMPARE(heads.size(), std::size_t(2 * 2 + 2 * 2 * 2));
    QCOMPARE(heads.front().target, std::string("encoder.layers.0.self_attention.head.0"));
    QCOMPARE(heads.back().target, std::string("decoder.layers.1.cross_attention.head.1"));
    const auto neurons = unitsOf(config, UnitKind::Neurons, 2);
    QCOMPARE(neurons.size(), std::size_t(4 * 3));
    QCOMPARE(neurons[2].target, std::string("encoder.layers.0.feed_forward.neuron.4"));
    QCOMPARE(unitsOf(config, UnitKind::Layers).size(), std::size_t(4));
    for (const UnitKind kind : {UnitKind::Heads, UnitKind::Neurons, UnitKind::Layers})
      for (const Unit& unit : unitsOf(config, kind)) QVERIFY(!partsOf(unit.target).empty());
  }
};

TFM_TEST(TestIntervention)
#include "test_intervention.moc"
