// SPDX-License-Identifier: GPL-3.0-or-later
// Plans as values: written, read, refused, and shown as a whole.
#include <QtTest>

#include "core/expand/growth_fields.h"
#include "core/model/presets.h"
#include "tests/core/expand/double_run.h"
#include "tests/core/expand/small_models.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

namespace {

Growth everything() {
  Growth g = growthTo(Kind::KeySize, 9);
  g.stacks = Stacks::Decoder;
  g.layers = {0, 2};
  g.attentions = Attentions::Cross;
  g.heads = {1};
  g.position = 3;
  g.hidden_method = HiddenMethod::Average;
  g.mask_steps = 77;
  g.layer_method = LayerMethod::HandOver;
  g.unshare = g.allow_inexact = true;
  g.constant = -42.5;
  g.seed = 18446744073709551615U;
  g.broken = Break::EmbeddingScaleRecomputed;
  return g;
}

/// The entries as their values show them, which labels must agree with.
void verifyLabels(const ModelState& before, const Plan& plan) {
  const auto grown = std::make_shared<const Grown>(grow(before, plan));
  for (const GrownMatrix& m : grownMatrices(std::make_shared<const ModelState>(before), grown)) {
    const ParameterGrowth& p = m.growth;
    QCOMPARE(std::int64_t(m.after.size()), p.after.size());
    for (std::int64_t r = 0; r < p.after.rows(); ++r)
      for (std::int64_t c = 0; c < p.after.cols(); ++c) {
        const float now = m.after[std::size_t(r * p.after.cols() + c)];
        const Entry entry = p.entry(r, c);
        if (entry == Entry::Zero || entry == Entry::Padding)
          QVERIFY2(now == 0.0F, p.after.name.c_str());
        if (entry != Entry::Copied && entry != Entry::Scaled) continue;
        const std::int64_t from =
            p.rows[std::size_t(r)].source * p.before->cols() + p.cols[std::size_t(c)].source;
        const double then = m.before[std::size_t(from)];
        const double expected = then * p.scale(r, c);
        const double off = std::abs(now - expected);
        QVERIFY2(entry == Entry::Copied ? now == float(then) : off <= 1e-6 * std::abs(expected),
                 p.after.name.c_str());
      }
  }
}

}  // namespace

class TestPlans : public QObject {
  Q_OBJECT

 private slots:
  void jsonKeepsEverything() {
    const Plan plan{growthTo(Kind::FeedForward, 16), everything(), growthTo(Kind::Layers, 4)};
    QCOMPARE(planFromJson(toJson(plan), "plan"), plan);
    QCOMPARE(toJson({growthTo(Kind::FeedForward, 16)}),
             std::string(R"([{"kind":"feed_forward","size":16}])"));
    QCOMPARE(planFromJson(R"({"kind": "heads", "size": 3})", "plan"),
             Plan{growthTo(Kind::Heads, 3)});
    QCOMPARE(planFromJson("[]", "plan"), Plan{});
  }

  void wrongJson_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* json, const char* part) {
      QTest::newRow(json) << QByteArray(json) << QByteArray(part);
    };
    row("", "");
    row("7", "not a list of expansions");
    row("[7]", "expansion 0");
    row(R"([{"kind": "heads", "size": 3}, {"kind": "head"}])", "expansion 1");
    row(R"({"kind": "width", "size": 3})", "feed_forward, heads");
    row(R"({"size": 3})", "'kind' is missing");
    row(R"({"kind": "heads"})", "'size' is missing");
    row(R"({"kind": "heads", "size": 0})", "size is 0");
    row(R"({"kind": "heads", "size": -3})", "size is -3");
    row(R"({"kind": "heads", "size": 2.5})", "size");
    row(R"({"kind": "heads", "size": 1e30})", "size");
    row(R"({"kind": "heads", "size": 3, "layer": [1]})", "'layer'");
    row(R"({"kind": "heads", "size": 3, "layers": 1})", "layers");
    row(R"({"kind": "heads", "size": 3, "layers": [-1]})", "from 0 to 1023");
    row(R"({"kind": "heads", "size": 3, "layers": [1.5]})", "from 0 to 1023");
    row(R"({"kind": "heads", "size": 3, "layers": [99999999999]})", "from 0 to 1023");
    row(R"({"kind": "heads", "size": 3, "heads_chosen": ["a"]})", "heads_chosen");
    row(R"({"kind": "heads", "size": 3, "constant": "x"})", "constant");
    row(R"({"kind": "heads", "size": 3, "constant": 1e300})", "constant");
    row(R"({"kind": "heads", "size": 3, "seed": -1})", "seed");
    row(R"({"kind": "layers", "size": 3, "position": -2})", "position");
    row(R"({"kind": "hidden", "size": 3, "mask_steps": 0})", "mask_steps");
    row(R"({"kind": "hidden", "size": 3, "break": "all"})", "random_instead_of_zero");
  }
  void wrongJson() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, part);
    const QByteArray message = errorOf([&] { planFromJson(json.toStdString(), "my plan"); });
    QVERIFY2(message != "no error" && message.contains("my plan") && message.contains(part),
             message.constData());
  }

  void wrongPlans_data() {
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* model, const char* json, const char* part) {
      QTest::newRow(QByteArray(json).simplified())
          << QByteArray(model) << QByteArray(json) << QByteArray(part);
    };
    const char* both = "both pre layer";
    const char* decoder = "decoder pre rms";
    row(both, R"({"kind": "feed_forward", "size": 6})", "is already 7");
    row(both, R"({"kind": "feed_forward", "size": 7})", "already has size 7");
    row(both, R"({"kind": "feed_forward", "size": 2})", "at least 8");
    row(both,
        R"([{"kind": "heads", "size": 5, "stacks": "decoder"}, {"kind": "heads", "size": 3}])",
        "at least 5");
    row(both, R"([{"kind": "heads", "size": 5, "stacks": "decoder"},
        {"kind": "heads", "size": 2, "stacks": "encoder"}])",
        "at least 3");
    row(both, R"({"kind": "key_size", "size": 9, "position": 0})", "'position' has no effect");
    row(both, R"({"kind": "key_size", "size": 9, "hidden_method": "centre"})", "'hidden_method' has no effect");
    row(both, R"({"kind": "hidden", "size": 9, "layer_method": "gate"})", "'layer_method' has no effect");
    row(both, R"({"kind": "hidden", "size": 9, "unshare": true})", "unshare");
    row(both, R"({"kind": "heads", "size": 9, "mask_steps": 9})", "'mask_steps' has no effect");
    row(both, R"({"kind": "feed_forward", "size": 9, "layers": [2]})", "no layer 3");
    row(decoder, R"({"kind": "feed_forward", "size": 9, "stacks": "encoder"})", "no such stack");
    row(decoder, R"({"kind": "heads", "size": 9, "attentions": "cross"})", "no cross-attention");
    row(both, R"({"kind": "heads", "size": 9, "attentions": "cross", "stacks": "encoder"})",
        "the encoder has no cross-attention");
    row(both, R"({"kind": "heads", "size": 9, "heads_chosen": [0]})", "per head");
    row(both, R"({"kind": "key_size", "size": 9, "heads_chosen": [2]})", "no head 3");
    row(both, R"({"kind": "feed_forward", "size": 9, "attentions": "self"})",
        "belong to attentions");
    row(both, R"({"kind": "heads", "size": 2000})", "from 1 to 1024");
    row(both, R"({"kind": "key_size", "size": 9000})", "from 1 to 8192");
    row(both, R"({"kind": "hidden", "size": 6})", "is already 6");
    row(both, R"({"kind": "hidden", "size": 9, "layers": [0]})", "'layers' has no effect");
    row(both, R"({"kind": "hidden", "size": 9, "stacks": "decoder"})", "'stacks' has no effect");
    row(both, R"({"kind": "hidden", "size": 100000})", "65536");
    row(both, R"({"kind": "layers", "size": 3})", "encoder or decoder");
    row(both, R"({"kind": "layers", "size": 2, "stacks": "encoder"})", "at least 3");
    row(both, R"({"kind": "layers", "size": 3, "stacks": "encoder", "position": 3})", "0 to 2");
    row(both, R"({"kind": "layers", "size": 1000000, "stacks": "encoder"})", "at most 1024");
    row(both, R"({"kind": "layers", "size": 3, "stacks": "encoder", "layers": [0]})", "'layers' has no effect");
    row(both, R"({"kind": "layers", "size": 3, "stacks": "encoder", "layer_method": "hand_over"})",
        "zero_branches or gate");
    row(both, R"({"kind": "feed_forward", "size": 9, "break": "no_key_rescale"})", "no such rule");
    row(decoder, R"({"kind": "hidden", "size": 9, "break": "zero_pad_under_layer_norm"})",
        "zeros are appended although");
    row("both post layer", R"({"kind": "layers", "size": 3, "stacks": "encoder", "position": 0,
        "layer_method": "hand_over"})",
        "no norm before the first layer");
    row("shared", R"({"kind": "layers", "size": 3})", "unshare");
    row("shared", R"({"kind": "feed_forward", "size": 9, "layers": [0]})", "unshare");
    row(both, R"([{"kind": "heads", "size": 5}, {"kind": "heads", "size": 4}])", "is already 5");
  }
  void wrongPlans() {
    QFETCH(QByteArray, model);
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, part);
    const ModelConfig config = smallModel(model.toStdString()).config;
    const Plan plan = planFromJson(json.toStdString(), "plan");
    const QByteArray message = errorOf([&] { planGrowths(config, plan); });
    QVERIFY2(message.contains(part), message.constData());
    QCOMPARE(QByteArray::fromStdString(refusal(config, plan)), message);
  }

  void onlyDelightIsToldAboutDelight() {
    ModelConfig config = smallModel("both pre layer").config;
    config.encoder_layers[0].blocks.pop_back();  // its feed-forward
    Growth growth = growthTo(Kind::FeedForward, 9);
    growth.stacks = Stacks::Encoder;
    growth.layers = {0};
    const QByteArray message = errorOf([&] { planGrowth(config, growth); });
    QVERIFY2(message.contains("nothing chosen") && !message.contains("DeLighT"),
             message.constData());
  }

  void fieldsApplyToSomeExpansions() {
    const auto applies = [](std::string_view name, Growth growth) {
      for (const io::Field& field : growthFields(growth))
        if (field.name == name) return field.hasEffect();
      return false;
    };
    const auto without = [](const Growth& growth) {
      return errorOf([&] { refuseWithoutEffect(growth, "a plan"); });
    };
    Growth hidden = growthTo(Kind::Hidden, 9);
    QVERIFY(!applies("mask_steps", hidden));
    hidden.mask_steps = 5;
    QCOMPARE(without(hidden),
             QByteArray("a plan: 'mask_steps' has no effect. Only method mask of the hidden size "
                        "takes mask steps"));
    hidden.hidden_method = HiddenMethod::Mask;
    QVERIFY(applies("mask_steps", hidden));
    QCOMPARE(without(hidden), QByteArray("no error"));
    hidden.hidden_method = HiddenMethod::Centre;
    QVERIFY(!applies("mask_steps", hidden));
    dropWithoutEffect(hidden);
    QCOMPARE(hidden.mask_steps, Growth().mask_steps);
    QVERIFY(hidden.hidden_method == HiddenMethod::Centre && hidden.size == 9);
    for (const char* field : {"stacks", "layers", "unshare", "position", "heads_chosen"})
      QVERIFY2(!applies(field, hidden), field);
    for (const char* field : {"kind", "size", "allow_inexact"})
      QVERIFY2(applies(field, hidden), field);
    QVERIFY(!applies("allow_inexact", growthTo(Kind::FeedForward, 9)));
    QVERIFY(applies("heads_chosen", growthTo(Kind::KeySize, 9)));
    Growth heads = growthTo(Kind::Heads, 9);
    heads.heads = {1};
    QVERIFY(!applies("heads_chosen", heads));
    dropWithoutEffect(heads);
    QVERIFY(heads.heads.empty());
  }

  void modelsThatCannotGrow() {
    const auto refused = [](const char* preset, const Growth& growth) {
      return errorOf([&] { planGrowth(presetNamed(preset).config(), growth); });
    };
    for (const char* preset : {"annotated-encoder", "annotated-decoder", "annotated-attention"}) {
      const bool answers_states = std::string(preset) != "annotated-decoder";
      QCOMPARE(refused(preset, growthTo(Kind::Hidden, 60)).contains("hidden states"),
               answers_states);
      for (const Kind kind : {Kind::Heads, Kind::KeySize, Kind::ValueSize})
        QCOMPARE(refused(preset, growthTo(kind, 20)), QByteArray("no error"));
    }
    QVERIFY(refused("annotated-attention", growthTo(Kind::Layers, 2)).contains("no layers"));
  }

  void hugePlansAreRefusedBeforeMemoryIsTaken() {
    ModelConfig config = smallModel("decoder pre rms").config;
    Growth layers = growthTo(Kind::Layers, 1024);
    const Plan plan{growthTo(Kind::Hidden, 65'536), growthTo(Kind::FeedForward, 1'048'576), layers};
    const QByteArray message = errorOf([&] { planGrowths(config, plan); });
    QVERIFY2(message.contains("needs about") && message.contains("are free"), message.constData());
  }

  void labelsOfAChain_data() {
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char* model, const char* json) {
      QTest::newRow(QByteArray(json).simplified()) << QByteArray(model) << QByteArray(json);
    };
    row("both pre rms", R"([{"kind": "key_size", "size": 5}, {"kind": "heads", "size": 3},
        {"kind": "hidden", "size": 9}, {"kind": "value_size", "size": 6},
        {"kind": "key_size", "size": 8}, {"kind": "feed_forward", "size": 9}])");
    row("both pre rms", R"([{"kind": "hidden", "size": 8}, {"kind": "feed_forward", "size": 9},
        {"kind": "layers", "size": 3, "stacks": "encoder", "position": 1},
        {"kind": "hidden", "size": 11}, {"kind": "feed_forward", "size": 12}])");
    row("both post layer", R"([{"kind": "layers", "size": 3, "stacks": "decoder", "position": 1,
        "layer_method": "hand_over", "allow_inexact": true}, {"kind": "heads", "size": 4}])");
    row("shared", R"([{"kind": "feed_forward", "size": 9, "layers": [0], "unshare": true},
        {"kind": "hidden", "size": 9}])");
    row("both pre layer", R"([{"kind": "hidden", "size": 9}, {"kind": "feed_forward", "size": 9},
        {"kind": "heads", "size": 3}, {"kind": "hidden", "size": 12}])");
    row("both pre layer", R"([{"kind": "hidden", "size": 8, "hidden_method": "zero_pad",
        "allow_inexact": true}, {"kind": "hidden", "size": 11, "hidden_method": "centre"}])");
    row("decoder pre rms", R"([{"kind": "value_size", "size": 9, "heads_chosen": [0]},
        {"kind": "key_size", "size": 9, "heads_chosen": [1]}, {"kind": "heads", "size": 3}])");
  }
  void labelsOfAChain() {
    QFETCH(QByteArray, model);
    QFETCH(QByteArray, json);
    verifyLabels(trainedState(smallModel(model.toStdString()).config),
                 planFromJson(json.toStdString(), "plan"));
  }

  /// A preview of a million numbers copies none of them; pictures of it may outlive it.
  void matricesShareTheNumbersOfTheStates() {
    auto before =
        std::make_shared<const ModelState>(trainedState(smallModel("decoder pre rms").config));
    auto grown = std::make_shared<const Grown>(grow(*before, {growthTo(Kind::FeedForward, 9)}));
    const std::vector<GrownMatrix> matrices = grownMatrices(before, grown);
    const std::vector<GrownMatrix> unchanged = unchangedMatrices(before);
    for (const GrownMatrix& m : matrices) {
      QCOMPARE(m.after.data(), grown->state.parameters.data() + m.growth.after.offset);
      QCOMPARE(m.before.data(), before->parameters.data() + m.growth.before->offset);
    }
    QCOMPARE(unchanged.back().after.data(), unchanged.back().before.data());
    const std::weak_ptr<const void> states[] = {before, grown};
    before.reset();
    grown.reset();
    QVERIFY(!states[0].expired() && !states[1].expired());
  }

  /// With all layers chosen or some: whoever asks for parameters of their own gets them.
  void sharedLayersArePartedWhenAsked() {
    const ModelConfig shared = smallModel("shared").config;
    Growth growth = growthTo(Kind::FeedForward, 9);
    QVERIFY(planGrowth(shared, growth).after.share_layers);
    growth.unshare = true;
    const Change parted = planGrowth(shared, growth);
    QVERIFY(!parted.after.share_layers && parted.exact && parted.notes.size() == 1);
    QVERIFY(grownVerdict(shared, {growth}).exact);
  }

  void bornSaysWhichExpansionAddedIt() {
    const ModelState before = trainedState(smallModel("decoder pre rms").config);
    const Grown grown = grow(before, {growthTo(Kind::FeedForward, 9), growthTo(Kind::Hidden, 8),
                                      growthTo(Kind::FeedForward, 11)});
    for (const ParameterGrowth& p : compose(grown.changes)) {
      if (p.after.name != "decoder.layers.0.feed_forward.linear1.weight") continue;
      QCOMPARE(p.rows[7].born, 0);
      QCOMPARE(p.rows[9].born, 2);
      QCOMPARE(p.cols[6].born, 1);
      QCOMPARE(p.rows[6].source, std::int64_t{6});
      QCOMPARE(p.before->rows(), std::int64_t{7});
    }
  }

  /// A new entry on two new axes is zero where either says so.
  void zeroWins() {
    const ModelConfig config = smallModel("decoder pre rms").config;
    const Change change = planGrowth(config, growthTo(Kind::ValueSize, 6));
    const ParameterGrowth& p = parameterOf(change, "decoder.layers.0.self_attention.output.weight");
    ParameterGrowth q = p;
    q.rows[0] = {AxisIndex::kNew, 1.0, Added::Zero, false, 0};
    q.cols[4] = {AxisIndex::kNew, 1.0, Added::Free, false, 0};
    QCOMPARE(q.entry(0, 4), Entry::Zero);
    q.cols[4].born = 1;  // the later axis has the say
    QCOMPARE(q.entry(0, 4), Entry::Free);
    q.rows[0].added = Added::Free;
    q.cols[4].born = 0;
    QCOMPARE(q.entry(0, 4), Entry::Free);
  }

  void describedInWords() {
    const ModelConfig config = smallModel("both pre layer").config;
    Growth growth = growthTo(Kind::FeedForward, 16);
    growth.stacks = Stacks::Decoder;
    growth.layers = {0};
    QCOMPARE(describe(growth, config),
             std::string("feed-forward width 7 \u2192 16, decoder, layer 1"));
    const ModelConfig mixed = planGrowth(config, growth).after;
    QCOMPARE(describe(growthTo(Kind::FeedForward, 20), mixed),
             std::string("feed-forward width 7\u201316 \u2192 20"));
    growth.kind = Kind::KeySize;
    growth.layers = {0, 1};
    growth.heads = {2};
    QVERIFY(QByteArray(describe(growth, config).c_str()).endsWith(", layers 1, 2, head 3"));
    growth = growthTo(Kind::Layers, 3);
    growth.position = 0;
    QVERIFY(QByteArray(describe(growth, config).c_str()).endsWith(", before layer 1"));
    growth = growthTo(Kind::Hidden, 9);
    growth.hidden_method = HiddenMethod::Mask;
    QVERIFY(QByteArray(describe(growth, config).c_str()).endsWith(" 9, masked"));
    growth = growthTo(Kind::Layers, 3);
    growth.position = 1;  // of the first new layer, from 0
    QVERIFY(QByteArray(describe(growth, config).c_str()).endsWith(", after layer 1"));
  }
};

TFM_TEST(TestPlans)
#include "test_plans.moc"
