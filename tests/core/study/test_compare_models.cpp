// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/compare_models.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/matformer/cost.h"
#include "tests/core/expand/growth_to.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

constexpr std::int64_t kSteps = 12;

/// rot13 in two sizes; the large one takes more than twice as many operations.
StudyConfig twoSizes(Equal equal) {
  StudyConfig study = studyOf("rot13", "rot13");
  study.train.evaluate_every = 4;
  study.train.evaluation_size = 16;
  study.steps = kSteps;
  study.seeds = {3, 7};
  study.equal = equal;
  StudyArm small{"small", study.model, study.train};
  StudyArm large{"large", study.model, study.train};
  large.model.encoder_layers.resize(3, large.model.encoder_layers.back());
  large.model.decoder_layers.resize(3, large.model.decoder_layers.back());
  study.arms = {small, large};
  return study;
}

std::vector<StudyPoint> runOf(const StudyCurves& curves, const std::string& arm,
                              std::uint64_t seed) {
  std::vector<StudyPoint> points;
  for (const StudyPoint& point : curves.points)
    if (point.arm == arm && point.seed == seed) points.push_back(point);
  return points;
}

/// The same points of an arm called otherwise, without times.
std::vector<StudyPoint> alike(std::vector<StudyPoint> points) {
  for (StudyPoint& point : points) {
    point.arm.clear();
    point.seconds = 0.0;
  }
  return points;
}

}  // namespace

class TestCompareModels : public QObject {
  Q_OBJECT

 private slots:
  void identicalArmsHaveIdenticalCurves() {
    for (const Equal equal : {Equal::Steps, Equal::Operations}) {
      StudyConfig study = twoSizes(equal);
      study.arms[1].model = study.arms[0].model;
      const StudyCurves curves = compareModels(study);
      for (const std::uint64_t seed : study.seeds)
        QVERIFY(alike(runOf(curves, "small", seed)) == alike(runOf(curves, "large", seed)));
      // Negative control: another rate has another curve.
      study.arms[1].train.schedule.learning_rate *= 0.5;
      QVERIFY(alike(runOf(compareModels(study), "large", 3)) != alike(runOf(curves, "small", 3)));
    }
  }

  void equalStepsAreEqualSteps() {
    const StudyCurves curves = compareModels(twoSizes(Equal::Steps));
    const StudyPoint small = runOf(curves, "small", 3).back();
    const StudyPoint large = runOf(curves, "large", 3).back();
    QCOMPARE(small.step, kSteps);
    QCOMPARE(large.step, kSteps);
    QVERIFY(large.flops > 2.0 * small.flops);
  }

  void equalOperationsAreNotExceeded() {
    const StudyCurves curves = compareModels(twoSizes(Equal::Operations));
    for (const std::uint64_t seed : {3u, 7u}) {
      const auto small = runOf(curves, "small", seed), large = runOf(curves, "large", seed);
      QCOMPARE(small.back().step, kSteps);
      QVERIFY(large.back().step < kSteps);
      const double step = large.back().flops / double(large.back().step);
      QVERIFY(large.back().flops <= small.back().flops);
      QVERIFY(large.back().flops + step > small.back().flops);
      QCOMPARE(large.size(), small.size());  // measured at the same shares of the run
      for (std::size_t i = 0; i < large.size(); ++i)
        QVERIFY(std::abs(large[i].flops - small[i].flops) <= step);
    }
  }

  void equalSecondsAreHardlyExceeded() {
    StudyConfig study = twoSizes(Equal::Seconds);
    study.steps = 200;
    study.seeds = {3};
    study.train.evaluate_every = 0;
    for (StudyArm& arm : study.arms) arm.train.evaluate_every = 0;
    const StudyCurves curves = compareModels(study);
    const StudyPoint small = runOf(curves, "small", 3).back();
    const StudyPoint large = runOf(curves, "large", 3).back();
    QVERIFY(large.step < small.step);  // with equal steps, they are equal
    QVERIFY(large.seconds < 2.0 * small.seconds);
    QVERIFY(large.seconds * double(large.step + 1) / double(large.step) > small.seconds);
  }

  void onlySeedsMakeASpread() {
    StudyConfig study = twoSizes(Equal::Steps);
    for (const StudySpread& spread : spreadOf(compareModels(study))) {
      QCOMPARE(spread.runs, std::int64_t{2});
      QVERIFY(spread.loss_deviation > 0.0);
    }
    study.seeds = {3};
    for (const StudySpread& spread : spreadOf(compareModels(study)))
      QCOMPARE(spread.loss_deviation, 0.0);
  }

  void runsOfDifferentLengthsHaveASpread() {
    // As with equal seconds: the second run has fewer steps.
    const StudyCurves curves{{{"a", 1, 10, 2.0, 0.5, 1e6, 1.0, 9},
                              {"a", 1, 20, 1.0, 0.5, 2e6, 2.0, 9},
                              {"a", 2, 8, 4.0, 0.5, 1e6, 1.0, 9},
                              {"a", 2, 16, 3.0, 0.5, 2e6, 2.0, 9}}};
    const std::vector<StudySpread> spreads = spreadOf(curves);
    QCOMPARE(spreads.size(), std::size_t(2));
    QCOMPARE(spreads[1].runs, std::int64_t{2});
    QCOMPARE(spreads[1].step, std::int64_t{18});
    QCOMPARE(spreads[1].loss_mean, 2.0);
    QCOMPARE(spreads[1].parameters, std::int64_t{9});
  }

  void aSavedModelStartsFromItsWeights() {
    StudyConfig study = twoSizes(Equal::Steps);
    Document document = documentOf("rot13", "rot13", study.train);
    Trainer trainer = trainerOf(document);
    losses(trainer, 40);
    document.state = trainer.state();
    const double reached = trainer.evaluate(16).loss;
    study.train.schedule.learning_rate = 0.0;  // nothing more is learned
    study.arms = {newArm("new", study.model, study.train, trainer.task()),
                  trainedArm("trained", document, study.train, trainer.task())};
    const StudyCurves curves = compareModels(study);
    for (const std::uint64_t seed : study.seeds) {
      QCOMPARE(runOf(curves, "trained", seed).back().loss, reached);
      QCOMPARE(runOf(curves, "trained", seed).back().step, kSteps);  // counted from 0
      QVERIFY(runOf(curves, "new", seed).back().loss > reached);
    }
  }

  void aSubmodelIsMeasured() {
    StudyConfig study = twoSizes(Equal::Steps);
    StudyArm& nested = study.arms[0];
    nested.train.nesting = matformer::defaultNesting(nested.model);
    study.arms[1] = nested;
    study.arms[1].name = "S";
    study.arms[1].granularity = "S";
    const StudyCurves curves = compareModels(study);
    TrainConfig train = nested.train;
    train.seed = 7;
    Document document = documentOf("rot13", "rot13", train);
    Trainer trainer = trainerOf(document);
    losses(trainer, kSteps);
    const Evaluation e = trainer.evaluate(16);
    const auto sizes = matformer::granularities(nested.model, nested.train.nesting);
    const StudyPoint whole = runOf(curves, "small", 7).back();
    const StudyPoint part = runOf(curves, "S", 7).back();
    QCOMPARE(whole.loss, e.loss);
    QCOMPARE(part.loss, e.granularities.front().loss);
    QVERIFY(part.loss != whole.loss);
    QCOMPARE(part.parameters, matformer::costOf(nested.model, sizes.front().submodel).parameters);
    QVERIFY(part.parameters < whole.parameters);
    QCOMPARE(part.flops, whole.flops);  // of the same training
  }

  void operationsOfNestedStepsAreThoseOfTheSubmodels() {
    StudyConfig study = twoSizes(Equal::Steps);
    study.arms[1].model = study.arms[0].model;
    const auto flops = [&](matformer::Training training) {
      study.arms[1].train.nesting = matformer::defaultNesting(study.model);
      study.arms[1].train.nesting.training = training;
      return runOf(compareModels(study), "large", 3).back().flops;
    };
    const double whole = runOf(compareModels(study), "small", 3).back().flops;
    QVERIFY(flops(matformer::Training::Sampled) < whole);
    QVERIFY(flops(matformer::Training::Joint) > whole);
  }

  void aModelGrowsAmongOthers() {
    StudyConfig study = twoSizes(Equal::Operations);
    study.arms[0].train.growths = {{4, growthTo(expand::Kind::Hidden, 16)}};
    const StudyCurves curves = compareModels(study);
    const auto grown = runOf(curves, "small", 3);
    QCOMPARE(grown.front().parameters, std::int64_t{4665});
    QVERIFY(grown.back().parameters > grown.front().parameters);
    QCOMPARE(growthSteps(curves), std::vector<std::int64_t>{4});
    QVERIFY(runOf(curves, "large", 3).back().flops <= grown.back().flops);
  }

  void aCancelledComparisonGoesOn() {
    const QTemporaryDir folder;
    const std::string place = (folder.path() + "/runs").toStdString();
    StudyConfig study = twoSizes(Equal::Operations);
    study.kept = std::make_shared<KeptRuns>(place, StudyParts{});
    const StudyCurves stopped = compareModels(
        study, [](double, const StudyCurves& so_far) { return so_far.points.size() < 5; });
    QVERIFY(stopped.cancelled);
    QCOMPARE(study.kept->count(), std::int64_t{1});
    double last = 0.0;
    const StudyCurves whole = compareModels(study, [&](double share, const StudyCurves&) {
      last = share > last ? share : 2.0;
      return true;
    });
    QCOMPARE(last, 1.0);
    QCOMPARE(study.kept->count(), std::int64_t{4});
    study.kept = nullptr;
    const StudyCurves at_once = compareModels(study);
    for (const char* arm : {"small", "large"})
      for (const std::uint64_t seed : study.seeds)
        QVERIFY(alike(runOf(whole, arm, seed)) == alike(runOf(at_once, arm, seed)));
    // The kept run is the one that was done, to the last bit of its time.
    QVERIFY(runOf(whole, "small", 3) == runOf(stopped, "small", 3));
  }

  /// Post-norm with a final norm has other tensors before the same matrices, so that a seed gives
  /// them other numbers.
  void sameTensorsStartAlikeIfWanted() {
    StudyConfig study = twoSizes(Equal::Steps);
    study.arms[1].model = study.arms[0].model;
    study.arms[1].model.norm_placement = NormPlacement::Pre;
    study.arms[1].model.hidden = study.arms[0].model.hidden;
    study.arms.push_back(study.arms[0]);
    study.arms[2].name = "wide";
    for (const Stack stack : {Stack::Encoder, Stack::Decoder})
      for (LayerConfig& layer : study.arms[2].model.layers(stack))
        for (BlockConfig& block : layer.blocks)
          if (auto* map = std::get_if<FeedForward>(&block.f)) map->width += 3;
    const auto equal = [&](const StudyArm& arm, const char* name) {
      const ModelState one = firstState(study, study.arms[0], 7), other = firstState(study, arm, 7);
      const ParameterInfo *a = one.layout.find(name), *b = other.layout.find(name);
      return std::equal(one.parameters.begin() + a->offset,
                        one.parameters.begin() + a->offset + a->size(),
                        other.parameters.begin() + b->offset);
    };
    constexpr const char* kQuery = "decoder.layers.0.self_attention.query.weight";
    QVERIFY(!equal(study.arms[1], kQuery));
    study.same_start = true;
    for (const StudyArm& arm : study.arms) {
      const ModelState own = initialState(arm.model, 7), begun = firstState(study, arm, 7);
      const ParameterLayout first = parameterLayout(study.arms[0].model);
      for (const ParameterInfo& p : begun.layout.parameters) {
        const ParameterInfo* same = first.find(p.name);
        if (same != nullptr && sizes(same->shape) == sizes(p.shape)) {
          QVERIFY2(equal(arm, p.name.c_str()), p.name.c_str());
          continue;
        }
        QVERIFY2(std::equal(own.parameters.begin() + p.offset,
                            own.parameters.begin() + p.offset + p.size(),
                            begun.parameters.begin() + p.offset),
                 p.name.c_str());
      }
    }
    const std::vector<SharedStart> shared = sharedStarts(study);
    QCOMPARE(shared.size(), std::size_t(2));
    QCOMPARE(shared[1].arm, std::string("wide"));
    QVERIFY(shared[1].tensors > 0 && shared[1].tensors < shared[1].all_tensors);
    QVERIFY(shared[1].parameters < shared[1].all_parameters);
    // And it is what is trained: with no rate, the same model under another name measures alike.
    study.arms[2].model = study.arms[0].model;
    study.arms[2].model.norm_placement = NormPlacement::Post;
    study.seeds = {7};
    const StudyCurves curves = compareModels(study);
    QVERIFY(alike(runOf(curves, "small", 7)) == alike(runOf(curves, "wide", 7)));

    study.arms[1].weights = std::make_shared<const AlignedVector<float>>(
        initialState(study.arms[1].model, 1).parameters);
    TFM_VERIFY_ERROR(compareModels(study), "would lose its weights");
  }

  /// What a mask hides has hardly changed the model: the curve would not be that of a grown one.
  void aMaskMustOpenWithinTheRun() {
    StudyConfig study = twoSizes(Equal::Steps);
    expand::Growth growth = growthTo(expand::Kind::Hidden, 16);
    growth.hidden_method = expand::HiddenMethod::Mask;
    growth.mask_steps = kSteps - 4;
    study.arms[1].train.growths = {{4, growth}};
    QVERIFY(!compareModels(study).points.empty());
    study.arms[1].train.growths.front().growth.mask_steps += 1;
    TFM_VERIFY_ERROR(compareModels(study), "method=mask at step 4");
    // How many steps a run of equal operations has is known at its end.
    study.equal = Equal::Operations;
    TFM_VERIFY_ERROR(compareModels(study), "is scheduled for step 4 of");
    study.arms[1].train.growths.front().step = 2;
    TFM_VERIFY_ERROR(compareModels(study), "method=mask at step 2");
  }

  void aMaskedModelIsComparedOnceItIsOpen() {
    StudyConfig study = twoSizes(Equal::Steps);
    TrainConfig train = study.train;
    expand::Growth growth = growthTo(expand::Kind::Hidden, 16);
    growth.hidden_method = expand::HiddenMethod::Mask;
    growth.mask_steps = 5;
    train.growths = {{2, growth}};
    Document document = documentOf("rot13", "rot13", train);
    Trainer trainer = trainerOf(document);
    losses(trainer, 4);
    document.state = trainer.state();
    TFM_VERIFY_ERROR(trainedArm("grown", document, study.train, trainer.task()), "not count fully");
    losses(trainer, 10);
    document.state = trainer.state();
    const double reached = trainer.evaluate(16).loss;
    study.train.schedule.learning_rate = 0.0;
    study.arms = {trainedArm("grown", document, study.train, trainer.task()),
                  trainedArm("again", document, study.train, trainer.task())};
    QCOMPARE(runOf(compareModels(study), "grown", 3).front().loss, reached);
  }

  void wrongComparisons() {
    const StudyConfig study = twoSizes(Equal::Steps);
    StudyConfig wrong = study;
    wrong.arms.pop_back();
    TFM_VERIFY_ERROR(compareModels(wrong), "there is only one model");
    wrong.arms.clear();
    TFM_VERIFY_ERROR(compareModels(wrong), "there are no models");
    wrong = study;
    wrong.seeds.clear();
    TFM_VERIFY_ERROR(compareModels(wrong), "no seed");
    wrong = study;
    wrong.steps = 0;
    TFM_VERIFY_ERROR(compareModels(wrong), "nothing to train");
    wrong = study;
    wrong.arms[1].name = "a/b";
    TFM_VERIFY_ERROR(compareModels(wrong), "a model is called 'a/b'");
    wrong = study;
    wrong.arms[1].granularity = "S";
    TFM_VERIFY_ERROR(compareModels(wrong), "large has no granularity S");
    wrong = study;
    wrong.arms[1].train.growths = {{kSteps, growthTo(expand::Kind::Hidden, 16)}};
    TFM_VERIFY_ERROR(compareModels(wrong), "step 12 of 12");
    wrong = twoSizes(Equal::Operations);
    wrong.steps = 1;
    TFM_VERIFY_ERROR(compareModels(wrong), "one step of large takes more operations");
    std::swap(wrong.arms[0], wrong.arms[1]);
    QVERIFY(!compareModels(wrong).cancelled);
  }

  void modelsOfOtherTasksAreRefused() {
    const StudyConfig study = twoSizes(Equal::Steps);
    const auto task = taskOf("rot13"), letters = taskOf("addition");
    const Document other = documentOf("rot13", "addition", study.train);
    TFM_VERIFY_ERROR(trainedArm("other", other, study.train, *task), "source_vocabulary is");
    QCOMPARE(trainedArm("other", other, study.train, *letters).model, other.state.config);
    const ModelConfig classifier = modelFor("classifier", *taskOf("parentheses"));
    TFM_VERIFY_ERROR(newArm("classes", classifier, study.train, *task), "cannot learn the task");
  }
};

TFM_TEST(TestCompareModels)
#include "test_compare_models.moc"
