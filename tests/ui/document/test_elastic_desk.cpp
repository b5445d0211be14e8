// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTemporaryDir>
#include <memory>

#include "core/matformer/cost.h"
#include "core/matformer/mix_n_match.h"
#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"
#include "ui/document/elastic_desk.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

constexpr int kPatience = 30000;

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
  if (nested) train.nesting = matformer::usualNesting(smallModel());
  document.start(smallModel(), data::defaultTaskConfig("rot13"), train);
}

}  // namespace

class TestElasticDesk : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<ElasticDesk> desk_;

  void open(bool nested = true) {
    startNested(*document_, nested);
    desk_->setActive(true);
    QTRY_VERIFY_WITH_TIMEOUT(desk_->state() != nullptr, kPatience);
  }
  bool isMeasured(const Submodel& submodel) const {
    const TimedScore* score = desk_->score(submodel);
    return score != nullptr && score->complete && score->step == document_->step();
  }
  void waitForAll() { QTRY_VERIFY_WITH_TIMEOUT(desk_->left() == 0, kPatience); }
  const Submodel& part(std::size_t place) const { return desk_->granularities()[place].submodel; }

 private slots:
  void init() {
    document_ = std::make_unique<ModelDocument>(1);
    desk_ = std::make_unique<ElasticDesk>(*document_);
  }
  void cleanup() {
    desk_.reset();
    document_.reset();
  }

  void allGranularitiesAreMeasuredAtOnce() {
    open();
    QVERIFY(desk_->isNested());
    QCOMPARE(desk_->granularities().size(), std::size_t{4});
    QCOMPARE(desk_->choiceName(), QString("XL"));
    waitForAll();
    for (std::size_t i = 0; i < 4; ++i) QVERIFY(isMeasured(part(i)));
    QCOMPARE(desk_->wholeScore()->score.agreement, 1.0);
    QVERIFY(desk_->score(part(0))->score.divergence > 0.0);
    QVERIFY(desk_->score(part(0))->score.cost.parameters <
            desk_->wholeScore()->score.cost.parameters);
  }

  void aPlainModelHasTheUsualPartsToTry() {
    open(false);
    QVERIFY(!desk_->isNested());
    QCOMPARE(desk_->granularities().size(), std::size_t{4});
    QCOMPARE(part(0).widths, (std::vector<std::int64_t>{2, 2}));
    QVERIFY(desk_->whyNotNestable().isEmpty());
    desk_->train(matformer::usualNesting(document_->model()));
    QVERIFY(desk_->isNested());
    QTRY_COMPARE_WITH_TIMEOUT(document_->history().events.size(), std::size_t{1}, kPatience);
    matformer::Nesting wrong;
    wrong.widths = {4, 2};
    QVERIFY_EXCEPTION_THROWN(desk_->train(wrong), Error);
    QVERIFY2(document_->training().nesting.widths.size() == 4, "the former one stays");
  }

  void aChoiceIsMeasuredBeforeTheRest() {
    open();
    waitForAll();
    desk_->mixFront();
    QVERIFY(desk_->left() > 5);
    const Submodel chosen{{5, 11}, {2, 2}};
    int left_then = -1;
    connect(desk_.get(), &ElasticDesk::scoresChanged, this, [&] {
      if (left_then < 0 && isMeasured(chosen)) left_then = desk_->left();
    });
    desk_->chooseWidths(chosen.widths);
    QCOMPARE(desk_->choice(), chosen);
    QCOMPARE(desk_->choiceName(), QString("5,11"));
    QTRY_VERIFY_WITH_TIMEOUT(isMeasured(chosen), kPatience);
    QVERIFY2(left_then > 5, "before the front is measured");
    disconnect(desk_.get(), nullptr, this, nullptr);
    waitForAll();
    for (const Submodel& mix : desk_->mixes()) QVERIFY(isMeasured(mix));
  }

  void whatTheModelHasNotCannotBeChosen() {
    open();
    const Submodel before = desk_->choice();
    const QSignalSpy changed(desk_.get(), &ElasticDesk::choiceChanged);
    desk_->choose({{17, 4}, {2, 2}});
    desk_->choose({{4}, {2}});
    desk_->chooseWidths({4});
    desk_->choose({});
    QCOMPARE(desk_->choice(), before);
    QVERIFY(changed.isEmpty());
    desk_->choose({{4, 4}, {2, 2}});  // the control
    QCOMPARE(changed.size(), 1);
  }

  void headsFollowTheSmallestGranularityAsWide() {
    startNested(*document_, false);
    matformer::Nesting nesting;
    nesting.widths = {4, 8, 16};
    nesting.heads = {1, 1, 2};
    desk_->train(nesting);
    desk_->setActive(true);
    QTRY_VERIFY_WITH_TIMEOUT(desk_->state() != nullptr, kPatience);
    desk_->chooseWidths({3, 9});
    QCOMPARE(desk_->choice().heads, (std::vector<std::int64_t>{1, 2}));
  }

  void mixesAreWhatTheyAreCalled() {
    open();
    desk_->mixUniform();
    QCOMPARE(desk_->mixes().size(), std::size_t{3});
    QCOMPARE(desk_->mixes().front().widths, (std::vector<std::int64_t>{3, 3}));
    desk_->forgetMixes();
    QVERIFY(desk_->mixes().empty());
    desk_->mixRandom(5);
    QCOMPARE(
        desk_->mixes().size(), std::size_t{5} - [&] {
          std::size_t trained = 0;  // drawn mixes that are granularities are no mixes
          for (const Submodel& one :
               matformer::randomMixes(desk_->state()->config, desk_->granularities(), 5, 0))
            for (const auto& g : desk_->granularities()) trained += g.submodel == one ? 1 : 0;
          return trained;
        }());
    desk_->forgetMixes();
    QVERIFY(desk_->frontIsWhole());
    desk_->mixFront();
    QCOMPARE(desk_->mixes().size(), std::size_t{16 - 4});
    const std::int64_t budget =
        matformer::costOf(desk_->state()->config, {{4, 8}, {2, 2}}).parameters;
    desk_->mixBudget(budget);
    QCOMPARE(desk_->choice().widths, (std::vector<std::int64_t>{4, 8}));
    desk_->mixBudget(budget - 1);  // the control: one parameter less is too few
    QCOMPARE(desk_->choice().widths, (std::vector<std::int64_t>{4, 4}));
  }

  void mixesCanBeCancelled() {
    open();
    waitForAll();
    desk_->mixFront();
    desk_->cancelMixes();
    QVERIFY(desk_->left() <= 1);
    QVERIFY(desk_->mixes().empty());
    waitForAll();
  }

  void trainingIsFollowedAndTheEndMeasuredWhole() {
    open();
    waitForAll();
    const double before = desk_->wholeScore()->score.loss;
    QVERIFY(trainTo(*document_, 60));
    QTRY_VERIFY_WITH_TIMEOUT(isMeasured(part(3)) && desk_->left() == 0, kPatience);
    QVERIFY(desk_->wholeScore()->score.loss < before);
    QCOMPARE(desk_->wholeScore()->score.examples, desk_->score(part(0))->score.examples);
    QCOMPARE(desk_->wholeScore()->step, std::int64_t(60));
  }

  void anInactiveDeskDoesNothing() {
    open();
    waitForAll();
    desk_->setActive(false);
    QVERIFY(trainTo(*document_, 20));
    QTest::qWait(200);
    QCOMPARE(desk_->wholeScore()->step, std::int64_t(0));
    desk_->setActive(true);  // the control
    QTRY_VERIFY_WITH_TIMEOUT(isMeasured(part(3)), kPatience);
  }

  void onlyAnotherModelOrNestingIsToldAsOne() {
    open();
    const QSignalSpy model(desk_.get(), &ElasticDesk::modelChanged);
    const QSignalSpy state(desk_.get(), &ElasticDesk::stateChanged);
    for (std::int64_t step = 1; step <= 3; ++step) {
      document_->stepOnce();
      QTRY_COMPARE_WITH_TIMEOUT(desk_->state()->step, step, kPatience);
    }
    QVERIFY(trainTo(*document_, 20));  // it has another end, but the same submodels
    QTRY_COMPARE_WITH_TIMEOUT(desk_->state()->step, std::int64_t(20), kPatience);
    QVERIFY(state.size() >= 4);
    QCOMPARE(model.size(), 0);
    document_->changeModel("Wider", [](const ModelState& before) {
      ModelConfig wider = before.config;
      for (LayerConfig& layer : wider.encoder_layers) layer.feed_forward = 24;
      return initialState(wider, before.seed);
    });
    QTRY_COMPARE_WITH_TIMEOUT(fullWidths(desk_->state()->config).front(), std::int64_t(24),
                              kPatience);
    QCOMPARE(model.size(), 1);
    desk_->train({});
    QCOMPARE(model.size(), 2);
  }

  void otherNumbersAtTheSameStepAreMeasuredAgain() {
    open();
    waitForAll();
    const double before = desk_->wholeScore()->score.loss;
    document_->newSeed();
    QTRY_VERIFY_WITH_TIMEOUT(desk_->wholeScore() && desk_->wholeScore()->score.loss != before,
                             kPatience);
  }

  void allPartsAnswerTheQuestion() {
    open();
    document_->setQuestion("abc");
    QTRY_VERIFY_WITH_TIMEOUT(desk_->answers().question == "abc", kPatience);
    QCOMPARE(desk_->answers().answers.size(), std::size_t{4});
    QCOMPARE(desk_->answers().answers.front().name, QString("S"));
    desk_->chooseWidths({5, 5});
    QTRY_COMPARE_WITH_TIMEOUT(desk_->answers().answers.size(), std::size_t{5}, kPatience);
    QCOMPARE(desk_->answers().answers.back().name, QString("5,5"));
    document_->setQuestion("A");
    QTRY_VERIFY_WITH_TIMEOUT(desk_->answers().problem.has_value(), kPatience);
  }

  void theChoiceBecomesADocumentThatAnswersAsItDid() {
    open();
    QVERIFY(trainTo(*document_, 30));
    document_->setQuestion("hello");
    QTRY_VERIFY_WITH_TIMEOUT(
        desk_->state()->step == 30 && desk_->answers().question == "hello" && desk_->left() == 0,
        kPatience);
    desk_->choose(part(1));
    QTRY_VERIFY_WITH_TIMEOUT(isMeasured(part(1)), kPatience);
    const QTemporaryDir folder;
    const QString path = folder.filePath("m.safetensors");
    std::optional<std::optional<Error>> told;
    desk_->extract(path, [&](const std::optional<Error>& problem) { told = problem; });
    QTRY_VERIFY_WITH_TIMEOUT(told.has_value(), kPatience);
    QVERIFY(!*told);
    ModelDocument other(1);
    other.open(path);
    QCOMPARE(fullWidths(other.model()), part(1).widths);
    QVERIFY(other.training().nesting.widths.empty());
    QCOMPARE(other.layout().total, desk_->choiceScore()->score.cost.parameters);
    desk_->extract("/nowhere/m.safetensors",
                   [&](const std::optional<Error>& problem) { told = problem; });
    QTRY_VERIFY_WITH_TIMEOUT(told && *told, kPatience);
  }

  void twinsAreTrainedInTheBackground() {
    open();
    desk_->startStudy(12, 1);
    QVERIFY(desk_->study().isRunning());
    QTRY_VERIFY_WITH_TIMEOUT(!desk_->study().isRunning(), kPatience);
    QVERIFY(!desk_->study().problem());
    QCOMPARE(desk_->study().result()->points.size(), std::size_t{8});
    desk_->startStudy(1'000'000, 1);
    desk_->study().cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!desk_->study().isRunning(), kPatience);
    QVERIFY(desk_->study().result()->cancelled);
    startNested(*document_, false);
    desk_->startStudy(12, 1);  // the control: nothing is nested
    QVERIFY(!desk_->study().isRunning());
  }
};

TFM_TEST(TestElasticDesk)
#include "test_elastic_desk.moc"
