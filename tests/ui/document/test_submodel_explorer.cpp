// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTemporaryDir>
#include <memory>

#include "core/matformer/cost.h"
#include "core/matformer/mix_n_match.h"
#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"
#include "ui/document/submodel_explorer.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

ModelConfig smallModel() {
  ModelConfig model = presetNamed("rot13").config();
  setUniform(model, 1, 1, {2, 4, 4, 16, 1e-6});
  return model;
}

void startNested(ModelDocument& document, bool nested) {
  train::TrainConfig train;
  train.evaluate_every = 10;
  train.evaluation_size = 20;
  train.batch_size = 16;
  if (nested) train.nesting = matformer::defaultNesting(smallModel());
  document.start(smallModel(), data::defaultTaskConfig("rot13"), train);
}

}  // namespace

class TestSubmodelExplorer : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<SubmodelExplorer> explorer_;

  /// As a view does that comes and goes.
  void setActive(bool active) {
    document_->observing().setNeed(explorer_.get(), {.parameters = active, .moments = active});
    explorer_->setActive(active);
  }
  void open(bool nested = true) {
    startNested(*document_, nested);
    setActive(true);
    QTRY_VERIFY_WITH_TIMEOUT(explorer_->state() != nullptr, kPatience);
  }
  bool isMeasured(const Submodel& submodel) const {
    const TimedScore* score = explorer_->score(submodel);
    return score != nullptr && score->complete && score->step == document_->training().step();
  }
  void waitForAll() { QTRY_VERIFY_WITH_TIMEOUT(explorer_->left() == 0, kPatience); }
  const Submodel& part(std::size_t place) const {
    return explorer_->granularities()[place].submodel;
  }

 private slots:
  void init() {
    document_ = std::make_unique<ModelDocument>(1);
    explorer_ = std::make_unique<SubmodelExplorer>(*document_);
  }
  void cleanup() {
    explorer_.reset();
    document_.reset();
  }

  void allGranularitiesAreMeasuredAtOnce() {
    open();
    QVERIFY(explorer_->isNested());
    QCOMPARE(explorer_->granularities().size(), std::size_t{4});
    QCOMPARE(explorer_->choiceName(), QString("XL"));
    waitForAll();
    for (std::size_t i = 0; i < 4; ++i) QVERIFY(isMeasured(part(i)));
    QCOMPARE(explorer_->wholeScore()->score.agreement, 1.0);
    QVERIFY(explorer_->score(part(0))->score.divergence > 0.0);
    QVERIFY(explorer_->score(part(0))->score.cost.parameters <
            explorer_->wholeScore()->score.cost.parameters);
  }

  void aPlainModelHasTheUsualPartsToTry() {
    open(false);
    QVERIFY(!explorer_->isNested());
    QCOMPARE(explorer_->granularities().size(), std::size_t{4});
    QCOMPARE(part(0).widths, (std::vector<std::int64_t>{2, 2}));
    QVERIFY(explorer_->whyNotNestable().isEmpty());
    explorer_->train(matformer::defaultNesting(document_->moments().model()));
    QVERIFY(explorer_->isNested());
    QTRY_COMPARE_WITH_TIMEOUT(document_->training().history().events.size(), std::size_t{1},
                              kPatience);
    matformer::Nesting wrong;
    wrong.widths = {4, 2};
    QVERIFY_EXCEPTION_THROWN(explorer_->train(wrong), Error);
    QVERIFY2(document_->training().config().nesting.widths.size() == 4, "the former one stays");
  }

  void aChoiceIsMeasuredBeforeTheRest() {
    open();
    waitForAll();
    explorer_->mixFront();
    QVERIFY(explorer_->left() > 5);
    const Submodel chosen{{5, 11}, {2, 2}};
    int left_then = -1;
    connect(explorer_.get(), &SubmodelExplorer::scoresChanged, this, [&] {
      if (left_then < 0 && isMeasured(chosen)) left_then = explorer_->left();
    });
    explorer_->chooseWidths(chosen.widths);
    QCOMPARE(explorer_->choice(), chosen);
    QCOMPARE(explorer_->choiceName(), QString("5,11"));
    QTRY_VERIFY_WITH_TIMEOUT(isMeasured(chosen), kPatience);
    QVERIFY2(left_then > 5, "before the front is measured");
    disconnect(explorer_.get(), nullptr, this, nullptr);
    waitForAll();
    for (const Submodel& mix : explorer_->mixes()) QVERIFY(isMeasured(mix));
  }

  void aSubmodelTheModelDoesNotHaveCannotBeChosen() {
    open();
    const Submodel before = explorer_->choice();
    const QSignalSpy changed(explorer_.get(), &SubmodelExplorer::choiceChanged);
    explorer_->choose({{17, 4}, {2, 2}});
    explorer_->choose({{4}, {2}});
    explorer_->chooseWidths({4});
    explorer_->choose({});
    QCOMPARE(explorer_->choice(), before);
    QVERIFY(changed.isEmpty());
    explorer_->choose({{4, 4}, {2, 2}});  // the control
    QCOMPARE(changed.size(), 1);
  }

  void headsFollowTheSmallestGranularityAsWide() {
    startNested(*document_, false);
    matformer::Nesting nesting;
    nesting.widths = {4, 8, 16};
    nesting.heads = {1, 1, 2};
    explorer_->train(nesting);
    setActive(true);
    QTRY_VERIFY_WITH_TIMEOUT(explorer_->state() != nullptr, kPatience);
    explorer_->chooseWidths({3, 9});
    QCOMPARE(explorer_->choice().heads, (std::vector<std::int64_t>{1, 2}));
  }

  void mixesAreWhatTheyAreCalled() {
    open();
    explorer_->mixUniform();
    QCOMPARE(explorer_->mixes().size(), std::size_t{3});
    QCOMPARE(explorer_->mixes().front().widths, (std::vector<std::int64_t>{3, 3}));
    explorer_->forgetMixes();
    QVERIFY(explorer_->mixes().empty());
    explorer_->mixRandom(5);
    QCOMPARE(
        explorer_->mixes().size(), std::size_t{5} - [&] {
          std::size_t trained = 0;  // random mixes that are granularities do not count
          for (const Submodel& one :
               matformer::randomMixes(explorer_->state()->config, explorer_->granularities(), 5, 0))
            for (const auto& g : explorer_->granularities()) trained += g.submodel == one ? 1 : 0;
          return trained;
        }());
    explorer_->forgetMixes();
    QVERIFY(explorer_->frontIsWhole());
    explorer_->mixFront();
    QCOMPARE(explorer_->mixes().size(), std::size_t{16 - 4});
    const std::int64_t budget =
        matformer::costOf(explorer_->state()->config, {{4, 8}, {2, 2}}).parameters;
    explorer_->mixBudget(budget);
    QCOMPARE(explorer_->choice().widths, (std::vector<std::int64_t>{4, 8}));
    explorer_->mixBudget(budget - 1);  // the control: one parameter less is too few
    QCOMPARE(explorer_->choice().widths, (std::vector<std::int64_t>{4, 4}));
  }

  void mixesCanBeCancelled() {
    open();
    waitForAll();
    explorer_->mixFront();
    explorer_->cancelMixes();
    QVERIFY(explorer_->left() <= 1);
    QVERIFY(explorer_->mixes().empty());
    waitForAll();
  }

  void trainingIsFollowedAndItsEndMeasuredFully() {
    open();
    waitForAll();
    const double before = explorer_->wholeScore()->score.loss;
    QVERIFY(trainTo(*document_, 60));
    QTRY_VERIFY_WITH_TIMEOUT(isMeasured(part(3)) && explorer_->left() == 0, kPatience);
    QVERIFY(explorer_->wholeScore()->score.loss < before);
    QCOMPARE(explorer_->wholeScore()->score.examples, explorer_->score(part(0))->score.examples);
    QCOMPARE(explorer_->wholeScore()->step, std::int64_t(60));
  }

  void anInactiveExplorerDoesNothing() {
    open();
    waitForAll();
    setActive(false);
    QVERIFY(trainTo(*document_, 20));
    QTest::qWait(200);
    QCOMPARE(explorer_->wholeScore()->step, std::int64_t(0));
    setActive(true);  // the control
    QTRY_VERIFY_WITH_TIMEOUT(isMeasured(part(3)), kPatience);
  }

  void onlyAnotherModelOrNestingEmitsModelChanged() {
    open();
    const QSignalSpy model(explorer_.get(), &SubmodelExplorer::modelChanged);
    const QSignalSpy state(explorer_.get(), &SubmodelExplorer::stateChanged);
    for (std::int64_t step = 1; step <= 3; ++step) {
      document_->training().stepOnce();
      QTRY_COMPARE_WITH_TIMEOUT(explorer_->state()->step, step, kPatience);
    }
    QVERIFY(trainTo(*document_, 20));  // it stops elsewhere, but has the same submodels
    QTRY_COMPARE_WITH_TIMEOUT(explorer_->state()->step, std::int64_t(20), kPatience);
    QVERIFY(state.size() >= 4);
    QCOMPARE(model.size(), 0);
    document_->changes().apply("Wider", [](const ModelState& before) {
      ModelConfig wider = before.config;
      for (LayerConfig& layer : wider.encoder_layers) layer.first<FeedForward>()->width = 24;
      return initialState(wider, before.seed);
    });
    QTRY_COMPARE_WITH_TIMEOUT(fullWidths(explorer_->state()->config).front(), std::int64_t(24),
                              kPatience);
    QCOMPARE(model.size(), 1);
    explorer_->train({});
    QCOMPARE(model.size(), 2);
  }

  void otherWeightsAtTheSameStepAreMeasuredAgain() {
    open();
    waitForAll();
    const double before = explorer_->wholeScore()->score.loss;
    document_->changes().newSeed();
    QTRY_VERIFY_WITH_TIMEOUT(
        explorer_->wholeScore() && explorer_->wholeScore()->score.loss != before, kPatience);
  }

  void aStateWithoutMomentsIsNotTaken() {
    startNested(*document_, true);
    QObject view;
    document_->observing().setNeed(&view, {.parameters = true});
    const auto looked = [this] {
      const auto& snapshot = document_->observing().snapshot();
      return snapshot && snapshot->state && snapshot->state->first_moment.empty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(looked(), kPatience);
    explorer_->setActive(true);
    QVERIFY(!explorer_->state());
    setActive(true);  // the control: once asked for, they come
    QTRY_VERIFY_WITH_TIMEOUT(explorer_->state() != nullptr, kPatience);
    QVERIFY(!explorer_->state()->first_moment.empty());
    document_->observing().setNeed(&view, {});
  }

  void allPartsAnswerTheQuestion() {
    open();
    document_->observing().setQuestion("abc");
    QTRY_VERIFY_WITH_TIMEOUT(explorer_->answers().question == "abc", kPatience);
    QCOMPARE(explorer_->answers().answers.size(), std::size_t{4});
    QCOMPARE(explorer_->answers().answers.front().name, QString("S"));
    explorer_->chooseWidths({5, 5});
    QTRY_COMPARE_WITH_TIMEOUT(explorer_->answers().answers.size(), std::size_t{5}, kPatience);
    QCOMPARE(explorer_->answers().answers.back().name, QString("5,5"));
    document_->observing().setQuestion("A");
    QTRY_VERIFY_WITH_TIMEOUT(explorer_->answers().problem.has_value(), kPatience);
  }

  void theExtractedChoiceAnswersTheSame() {
    open();
    QVERIFY(trainTo(*document_, 30));
    document_->observing().setQuestion("hello");
    QTRY_VERIFY_WITH_TIMEOUT(explorer_->state()->step == 30 &&
                                 explorer_->answers().question == "hello" && explorer_->left() == 0,
                             kPatience);
    explorer_->choose(part(1));
    QTRY_VERIFY_WITH_TIMEOUT(isMeasured(part(1)), kPatience);
    const QTemporaryDir folder;
    const QString path = folder.filePath("m.safetensors");
    std::optional<std::optional<Error>> told;
    explorer_->extract(path, [&](const std::optional<Error>& problem) { told = problem; });
    QTRY_VERIFY_WITH_TIMEOUT(told.has_value(), kPatience);
    QVERIFY(!*told);
    ModelDocument other(1);
    other.open(path);
    QCOMPARE(fullWidths(other.moments().model()), part(1).widths);
    QVERIFY(other.training().config().nesting.widths.empty());
    QCOMPARE(other.moments().layout().total, explorer_->choiceScore()->score.cost.parameters);
    explorer_->extract("/nowhere/m.safetensors",
                       [&](const std::optional<Error>& problem) { told = problem; });
    QTRY_VERIFY_WITH_TIMEOUT(told && *told, kPatience);
  }

  void twinsAreTrainedInTheBackground() {
    open();
    explorer_->startStudy(12, 1);
    QVERIFY(explorer_->study().isRunning());
    QTRY_VERIFY_WITH_TIMEOUT(!explorer_->study().isRunning(), kPatience);
    QVERIFY(!explorer_->study().problem());
    QCOMPARE(explorer_->study().result()->points.size(), std::size_t{8});
    explorer_->startStudy(1'000'000, 1);
    explorer_->study().cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!explorer_->study().isRunning(), kPatience);
    QVERIFY(explorer_->study().result()->cancelled);
    startNested(*document_, false);
    explorer_->startStudy(12, 1);  // the control: nothing is nested
    QVERIFY(!explorer_->study().isRunning());
  }
};

TFM_TEST(TestSubmodelExplorer)
#include "test_submodel_explorer.moc"
