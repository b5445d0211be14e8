// SPDX-License-Identifier: GPL-3.0-or-later
// Flow of every kind of model, of a grown and of a nested one, and of two moments of one.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/document/extracted.h"
#include "core/document/untrained.h"
#include "core/expand/grow.h"
#include "tests/core/expand/growth_to.h"
#include "tests/test_program.h"
#include "tests/ui/views/flow_bench.h"
#include "ui/views/flow/flow_diagram.h"
#include "ui/views/flow/flow_inspector.h"
#include "ui/views/flow/flow_trail.h"
#include "ui/views/flow/flow_view.h"
#include "ui/views/flow/flow_words.h"
#include "ui/widgets/segmented.h"

using namespace tfm;
using namespace tfm::ui;
using observe::NumberPlace;

class TestFlowModels : public QObject, private FlowBench {
  Q_OBJECT

 private slots:
  void init() { setUpFlow(); }
  void cleanup() { tearDown(); }

  void everyKindOfModelIsFollowedToItsInput_data() {
    QTest::addColumn<QString>("question");
    QTest::newRow("annotated-encoder-decoder") << "ab";
    QTest::newRow("annotated-decoder") << "ab";
    QTest::newRow("annotated-attention") << "ab";
    QTest::newRow("expansions-notebook") << "ab";
    QTest::newRow("encoder-layer-notebook") << "abc";
    QTest::newRow("small-classifier") << "()";
    QTest::newRow("facts-classifier") << "kim gave noah";
    QTest::newRow("character-model") << "ab";
    QTest::newRow("funnel-tagger") << "there";
    QTest::newRow("delight-sequence") << "there";
  }
  void everyKindOfModelIsFollowedToItsInput() {
    QFETCH(const QString, question);
    const train::Document made = train::untrained(presetNamed(QTest::currentDataTag()));
    document_->openInBackground([made] { return made; }, [](const std::optional<Error>&) {});
    QTRY_COMPARE(document_->moments().model(), made.state.config);
    document_->observing().setQuestion(question);
    QTRY_VERIFY(view_->isReady() && run().explained().input().question == question.toStdString());
    const TensorId output = tensor(names::kOutput);
    QVERIFY(output != kNoTensor);
    view_->go({output, 0, 0, false});
    view_->traceToInput();
    const TensorInfo& end = run().info(view_->parts().trail->present()->tensor);
    QVERIFY2(end.role == Role::Ids || end.role == Role::Input || end.role == Role::Parameter,
             end.name.c_str());
    QVERIFY(view_->parts().trail->places().size() > 2);
    QVERIFY(!view_->parts().diagram->grab().isNull());
  }

  void growthKeepsTheAnswerAndShowsTheNewNumbers() {
    const TensorId output = tensor(names::kOutput);
    const float before = run().number(output, 1, 3, FlowSide::Values);
    const std::int64_t parameters = document_->moments().layout().total;
    const expand::Plan plan{test::growthTo(expand::Kind::FeedForward, 9)};
    document_->changes().apply(
        "Grown", [plan](const ModelState& state) { return expand::grow(state, plan).state; });
    QTRY_VERIFY(document_->moments().layout().total > parameters);
    const std::string inner = "encoder.layers.0.feed_forward.linear1";
    QTRY_VERIFY(view_->isReady() && run().info(tensor(inner)).cols == 9);
    QVERIFY(std::abs(run().number(tensor(names::kOutput), 1, 3, FlowSide::Values) - before) <
            1e-5F);
    view_->go({tensor(inner), 0, 8, false});  // a new neuron
    QVERIFY(!view_->parts().numbers->terms().empty());
  }

  /// A submodel reads the first neurons of the whole model's feed-forward, so its numbers are
  /// those.
  void aSubmodelHasTheFirstNumbersOfTheWhole() {
    const auto open = [&](const train::Document& made) {
      document_->openInBackground([made] { return made; }, [](const std::optional<Error>&) {});
      QTRY_COMPARE(document_->moments().model(), made.state.config);
      document_->observing().setQuestion("kim gave noah");
      QTRY_VERIFY(view_->isReady() && run().explained().input().question == "kim gave noah");
    };
    constexpr std::int64_t kWidth = 24, kWhole = 64;
    const train::Document whole = train::untrained(presetNamed("facts-classifier"));
    open(whole);
    const std::string inner = "encoder.layers.0.feed_forward.linear1",
                      output = "encoder.layers.0.feed_forward.linear2";
    const auto numbersOf = [&](const std::string& name, std::int64_t cols) {
      std::vector<float> numbers;
      const TensorId id = tensor(name);
      for (std::int64_t i = 0; i < run().info(id).rows * cols; ++i)
        numbers.push_back(run().number(id, i / cols, i % cols, FlowSide::Values));
      return numbers;
    };
    QVERIFY(tensor(inner) != kNoTensor && tensor(output) != kNoTensor);
    QCOMPARE(run().info(tensor(inner)).cols, kWhole);
    const auto first = numbersOf(inner, kWidth);
    const auto made = numbersOf(output, 1);
    open(train::extracted(whole, Submodel{{kWidth, kWidth}, {}}));
    QCOMPARE(run().info(tensor(inner)).cols, kWidth);
    QCOMPARE(numbersOf(inner, kWidth), first);
    QVERIFY2(numbersOf(output, 1) != made, "but fewer of them are added up");
    view_->go({tensor(output), 0, 0, false});
    const auto& terms = view_->parts().numbers->terms();  // products, and the bias
    QCOMPARE(std::ranges::count(terms, 2U, [](const auto& term) { return term.sources.size(); }),
             kWidth);
  }

  void twoMomentsAreSubtractedNumberByNumber() {
    const std::string states = "decoder.layers.0.cross_attention.output";
    const auto number = [&] { return run().number(tensor(states), 1, 2, FlowSide::Values); };
    document_->moments().pin(Pin::A);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::A));
    const float before = number();
    QVERIFY(trainTo(*document_, 30));
    document_->moments().pin(Pin::B);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::B) == 30);
    QTRY_VERIFY(view_->isReady() && run().step() == 30);
    const float now = number();
    document_->moments().compare(Comparison::Difference);
    QTRY_VERIFY(view_->isReady() && run().isDifference());
    // Both read the right answer, so only the encoder's states are those of before.
    const std::string encoded = "encoder.layers.0.self_attention.output";
    const float difference = run().number(tensor(encoded), 1, 2, FlowSide::Values);
    document_->moments().compare(Comparison::Now);
    QTRY_VERIFY(view_->isReady() && !run().isDifference());
    const float later = run().number(tensor(encoded), 1, 2, FlowSide::Values);
    document_->moments().show(0);
    QTRY_VERIFY(view_->isReady() && run().step() == 0);
    const float earlier = run().number(tensor(encoded), 1, 2, FlowSide::Values);
    QVERIFY(std::abs(difference - (later - earlier)) < 1e-6F);
    QVERIFY(std::abs(difference) > 1e-6F);
    QVERIFY(std::abs(number() - before) < 1e-6F && before != now);
  }

  /// Joint training adds up the losses of all sizes: each is a part of the picture that can be
  /// opened, and the gradient of a weight has terms of each that reads it.
  void allSizesOfJointTrainingAreShown() {
    const Preset& preset = presetNamed("rot13");
    train::TrainConfig config;
    config.nesting = matformer::defaultNesting(preset.config());
    config.nesting.training = matformer::Training::Joint;
    document_->start(preset.config(), data::defaultTaskConfig(std::string(preset.task)), config);
    QTRY_VERIFY(view_->isReady());
    showSide(FlowSide::Gradients);
    QTRY_VERIFY(view_->isReady() && run().hasGradients());
    QVERIFY(QString::fromStdString(run().lossSentence()).contains("sum of those of S, M"));
    QVERIFY(run().map().find("S") != observe::kNoNode);
    view_->go({tensor("output.weight"), 3, 2, true});
    QVERIFY(view_->parts().numbers->terms().size() >
            std::size_t(run().explained().input().batch.target_length));
    FlowOpen open;
    for (const auto& node : run().map().nodes) open.paths.insert(node.path);
    showOpen(open);
    QVERIFY(!view_->grab().isNull());
    for (std::size_t i = 0; i < run().program().steps.size(); ++i)
      QVERIFY(FlowWords::step(run(), i, true).size() > 10);
  }
};

TFM_TEST(TestFlowModels)
#include "test_flow_models.moc"
