// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/ask/column_means.h"
#include "core/ask/explained_run.h"
#include "core/ask/importance.h"
#include "core/ask/observer.h"
#include "core/ask/patch_map.h"
#include "core/ask/snapshot_difference.h"
#include "core/ask/what_if.h"
#include "core/data/batches.h"
#include "core/io/safetensors.h"
#include "core/model/build_program.h"
#include "core/observe/stack_stages.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;
using observe::interventionFromText;

namespace {

/// A rot13 model that has learned a little.
struct ChangedModel {
  Trainer trainer = trainerOf(documentOf("rot13", "rot13"));
  std::shared_ptr<const data::Task> task = taskOf("rot13");
  ModelState state;

  ChangedModel() {
    losses(trainer, 30);
    state = trainer.state();
  }
  ModelState with(const std::string& text) const {
    const std::vector<observe::Intervention> list{interventionFromText(text)};
    return withInterventions(state, *task, list, trainer.backend());
  }
  std::vector<AnswerToken> answerOf(const ModelState& model, const std::string& question) const {
    const std::string questions[] = {question};
    return answer(model, *task, trainer.framing(), questions, {}, trainer.backend()).front().tokens;
  }
  SubmodelScore scoreOf(const ModelState& model) const {
    SubmodelScorer scorer(task, std::make_shared<const ModelState>(model), 40, 1);
    return *scorer.score({});
  }
};

/// The same tokens, with the same probabilities up to rounding.
bool areAlike(const std::vector<AnswerToken>& a, const std::vector<AnswerToken>& b) {
  return std::ranges::equal(a, b, [](const AnswerToken& one, const AnswerToken& other) {
    return one.id == other.id && std::abs(one.probability - other.probability) < 2e-6F;
  });
}

/// The states that the encoder of a question of three letters ends with.
std::string lastStates(const ModelState& state) {
  const Program program = buildProgram(state.config, {1, 3, 3}, {});
  return observe::stackStages(program, Stack::Encoder).back().states;
}

}  // namespace

class TestInterventionsInForce : public QObject {
  Q_OBJECT

 private slots:
  void withoutInterventionsNothingChanges() {
    const ChangedModel s;
    const ModelState same = withInterventions(s.state, *s.task, {}, s.trainer.backend());
    QVERIFY(same.config == s.state.config);
    QVERIFY(same.parameters == s.state.parameters);
    QVERIFY(!(s.with("encoder.layers.0=0").config == s.state.config));
  }

  void anEditedWeightIsOneOfTheCopy() {
    const ChangedModel s;
    const ModelState edited = s.with("encoder.layers.0.feed_forward.linear1.weight[1, 2]=0.125");
    ModelState expected = s.state;
    const ParameterInfo& info =
        *expected.layout.find("encoder.layers.0.feed_forward.linear1.weight");
    parameterView(expected.parameters.data(), info).at(1, 2) = 0.125F;
    QVERIFY(edited.parameters == expected.parameters);
    QVERIFY(!(edited.parameters == s.state.parameters));
    // It is made of the parameters, and of nothing else, once.
    ModelState plain = edited;
    plain.config = s.state.config;
    QVERIFY(areAlike(s.answerOf(edited, "hey"), s.answerOf(plain, "hey")));
    const ModelState scaled = s.with("encoder.layers.0.feed_forward.linear1.weight[1, .]*2");
    const auto before = parameterView(s.state.parameters.data(), info);
    const auto after = parameterView(scaled.parameters.data(), info);
    QCOMPARE(after.at(1, 3), 2.0F * before.at(1, 3));
    QCOMPARE(after.at(0, 3), before.at(0, 3));
    for (const char* what : {"=mean", "=from \"you\""})
      TFM_VERIFY_ERROR(s.with("encoder.layers.0.feed_forward.linear1.weight" + std::string(what)),
                       "same for all texts");
  }

  void patchedStatesGiveTheOtherAnswer() {
    const ChangedModel s;
    const std::string last = lastStates(s.state);
    const auto here = s.answerOf(s.state, "hey"), there = s.answerOf(s.state, "you");
    QVERIFY(!areAlike(here, there));
    QVERIFY(areAlike(s.answerOf(s.with(last + "=from \"you\""), "hey"), there));
    QVERIFY(areAlike(s.answerOf(s.with(last + "=from \"hey\""), "hey"), here));
    const auto one = s.answerOf(s.with(last + "[1, .]=from \"you\""), "hey");
    QVERIFY(!areAlike(one, there) && !areAlike(one, here));
    TFM_VERIFY_ERROR(s.with(last + "[4, .]=from \"you\""), "not in the other text");
  }

  /// In a run in double precision, what comes from elsewhere has that precision, too.
  void whatIsTakenFromOtherTextsHasThePrecisionOfTheRun() {
    const ChangedModel s;
    const std::string last = lastStates(s.state);
    const Backend<float>& backend = s.trainer.backend();
    const auto read = [&](const char* text) {
      return probeInput(s.state, *s.task, s.trainer.framing(), text, backend, ReadAnswer::Given,
                        nullptr, "abc");
    };
    const auto outputOf = [](const ModelState& state, const ProbeInput& input) {
      ExplainedRun<double> run(state, input);
      const MatrixView<const double> output = run.values(run.program().find(names::kOutput));
      return std::vector<double>(output.data, output.data + output.size());
    };
    const auto largest = [](const std::vector<double>& a, const std::vector<double>& b) {
      double most = 0.0;
      for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
      return most;
    };
    const std::vector<double> there = outputOf(s.state, read("you"));
    const std::vector<observe::Intervention> patch{interventionFromText(last + "=from \"you\"")};
    const auto patched = [&](const ModelState& state) { return outputOf(state, read("hey")); };
    QVERIFY(largest(there, outputOf(s.state, read("hey"))) > 0.1);
    const auto in_double = withInterventions<double>(s.state, *s.task, patch, backend);
    const auto in_float = withInterventions<float>(s.state, *s.task, patch, backend);
    QVERIFY(largest(there, patched(in_double)) < 1e-13);
    QVERIFY(largest(there, patched(in_float)) > 1e-10);  // the control
    const std::vector<observe::Intervention> mean{
        interventionFromText("encoder.layers.0.feed_forward=mean")};
    const auto added = [&](const ModelState& state) { return state.config.changes.front().added; };
    const auto exact = added(withInterventions<double>(s.state, *s.task, mean, backend));
    const double off =
        largest(exact, added(withInterventions<float>(s.state, *s.task, mean, backend)));
    QVERIFY(off > 0.0 && off < 1e-5);
    QVERIFY(std::ranges::any_of(exact, [](double x) { return double(float(x)) != x; }));
  }

  void meansLeaveOutPadding() {
    const ChangedModel s;
    const std::string name = "encoder.layers.0.feed_forward.activation";
    constexpr std::int64_t kExamples = 30;
    const auto means = columnMeans(s.state, *s.task, {name}, kExamples, s.trainer.backend());
    std::vector<double> sums(means.at(name).size()), all(sums);
    double rows = 0.0, all_rows = 0.0;
    for (std::int64_t e = 0; e < kExamples; ++e) {
      const Batch batch = data::evaluationBatch(*s.task, s.trainer.framing(), std::uint64_t(e), 1);
      observe::Probe probe(s.state.config, batch, s.trainer.backend());
      const observe::Observed seen = probe.run(s.state.parameters, batch, name).at(name);
      for (std::int64_t r = 0; r < seen.rows; ++r) {
        const bool counts = batch.source_pad[std::size_t(r)] == 0;
        rows += counts ? 1.0 : 0.0;
        all_rows += 1.0;
        for (std::int64_t c = 0; c < seen.cols; ++c) {
          sums[std::size_t(c)] += counts ? double(seen.at(r, c)) : 0.0;
          all[std::size_t(c)] += double(seen.at(r, c));
        }
      }
    }
    QVERIFY(all_rows > rows);
    double off = 0.0, off_with_pads = 0.0;
    for (std::size_t c = 0; c < sums.size(); ++c) {
      off = std::max(off, std::abs(means.at(name)[c] - sums[c] / rows));
      off_with_pads = std::max(off_with_pads, std::abs(means.at(name)[c] - all[c] / all_rows));
    }
    QVERIFY(off < 1e-5);
    QVERIFY(off_with_pads > 1e-4);

    const ModelState ablated = s.with("encoder.layers.0.feed_forward.neuron.1=mean");
    const TensorChange& change = ablated.config.changes.front();
    const auto over = columnMeans(s.state, *s.task, {name}, kMeanExamples, s.trainer.backend());
    QCOMPARE(change.added, std::vector<double>{over.at(name)[1]});
    const auto codec = s.task->codec();
    const std::vector<observe::Intervention> list{
        interventionFromText("encoder.layers.0.feed_forward=mean")};
    if (dynamic_cast<const data::Task*>(codec.get()) == nullptr)
      TFM_VERIFY_ERROR(withInterventions(s.state, *codec, list, s.trainer.backend()), "held-out");
    TFM_VERIFY_ERROR(s.with("encoder.layers.0.self_attention.probabilities=mean"), "no mean");
  }

  void aChangedModelIsNeitherTrainedNorSaved() {
    const ChangedModel s;
    Document document = documentOf("rot13", "rot13");
    toTensorFile(document);  // the control
    for (const char* change : {"encoder.layers.0.self_attention.head.0=0",
                               "encoder.layers.0.feed_forward.linear1.weight[1, 2]=0.125"}) {
      const ModelState changed = s.with(change);
      Trainer trainer(s.task, changed, TrainConfig{}, 1);
      QVERIFY2(std::isfinite(trainer.evaluate(10).loss), change);
      TFM_VERIFY_ERROR(trainer.step(), "interventions are in force");
      document.state = changed;
      TFM_VERIFY_ERROR(toTensorFile(document), "interventions are in force");
    }
  }

  void theObserverSeesTheChangedModel() {
    const ChangedModel s;
    Observer observer(s.task);
    Looking looking;
    looking.question = "hey";
    looking.pattern = "encoder.layers.0.self_attention.mixed";
    looking.samples = {"hey"};
    looking.parameters = true;
    const StatePtr state = shared(s.state);
    const Snapshot plain = *observer.look(looking, state);
    QVERIFY(plain.interventions.empty() && plain.problem.empty());
    looking.interventions = {interventionFromText("encoder.layers.0.self_attention.head.0=0"),
                             interventionFromText("decoder.embedding.weight[0, 0]=0.5")};
    const Snapshot changed = *observer.look(looking, state);
    QVERIFY2(changed.problem.empty(), changed.problem.c_str());
    QVERIFY(changed.interventions == looking.interventions);
    QVERIFY(plain.state == state && changed.state == state);  // as it is
    QVERIFY(changed.changed && changed.changed->parameters != s.state.parameters);
    QVERIFY(!plain.changed && !difference(changed, changed).changed);
    looking.parameters = false;
    QVERIFY(!observer.look(looking, state)->changed);
    const auto& before = plain.observed.at(looking.pattern);
    const auto& after = changed.observed.at(looking.pattern);
    QVERIFY(before.at(0, 0) != 0.0F);
    QCOMPARE(after.at(0, 0), 0.0F);
    QVERIFY(plain.samples.front().tokens != changed.samples.front().tokens);
    looking.interventions = {};
    QVERIFY(observer.look(looking, state)->observed.at(looking.pattern).values == before.values);

    // What was taken from one model is not that of the next.
    looking.interventions = {interventionFromText("encoder.layers.0.feed_forward=mean")};
    const auto states = [&](const ModelState& of) {
      return observer.look(looking, shared(of))->observed.at(looking.pattern).values;
    };
    looking.pattern = "encoder.layers.0.feed_forward.linear2";
    ModelState other = s.state;
    for (float& weight : other.parameters) weight *= 1.5F;
    const auto first = states(s.state), next = states(other);
    QVERIFY(first != next);
    QVERIFY(first == states(s.state) && first == states(s.state));
    QVERIFY(next == states(other));

    looking.interventions = {interventionFromText("encoder.embedding[4, .]=0")};
    QVERIFY(observer.look(looking, state)->problem.find("outside") != std::string::npos);
    looking.interventions = {interventionFromText("encoder.embeding=0")};
    QVERIFY(observer.look(looking, state)->problem.find("nothing") != std::string::npos);
  }

  void importanceIsThatOfChangedModels() {
    const ChangedModel s;
    ImportanceOptions options;
    options.examples = 40;
    const auto state = std::make_shared<const ModelState>(s.state);
    int calls = 0;
    double share = 0.0;
    const ImportanceMap map =
        *importance(s.task, state, options, [&](const ImportanceMap& so_far, double done) {
          ++calls;
          const bool grows = done >= share && done <= 1.0 + 1e-9 && !so_far.units.empty();
          share = grows ? done : 2.0;
          return true;
        });
    QVERIFY(calls >= int(map.units.size()) + 1);
    QVERIFY(std::abs(share - 1.0) < 1e-9);
    const SubmodelScore whole = s.scoreOf(s.state);
    QCOMPARE(map.whole.loss, whole.loss);
    std::set<double> losses_seen;
    for (const UnitImportance& one : map.units) {
      QVERIFY(one.done);
      losses_seen.insert(one.score.loss);
    }
    QVERIFY(losses_seen.size() > map.units.size() / 2);
    const UnitImportance& last = map.units.back();
    const SubmodelScore alone = s.scoreOf(s.with(last.unit.target + "=0"));
    QCOMPARE(last.score.loss, alone.loss);
    QCOMPARE(last.score.answers.right, alone.answers.right);
    QVERIFY(last.score.divergence > 0.0);
    QVERIFY(importanceTsv(map).find(last.unit.target) != std::string::npos);

    options.mean = true;
    options.of = observe::UnitKind::Layers;
    const ImportanceMap layers = *importance(s.task, state, options);
    QCOMPARE(layers.units.back().score.loss,
             s.scoreOf(s.with(layers.units.back().unit.target + "=mean")).loss);
    options.threads = 1;
    QCOMPARE(importance(s.task, state, options)->units.front().score.loss,
             layers.units.front().score.loss);
    int left = 3;
    QVERIFY(!importance(s.task, state, options,
                        [&](const ImportanceMap&, double) { return --left > 0; }));
  }

  void aPatchMapIsThatOfSinglePatches() {
    const ChangedModel s;
    const PatchMap map =
        *patchMap(s.state, *s.task, {.from = "you", .into = "hey"}, s.trainer.backend());
    QVERIFY(!map.rows.empty());
    QCOMPARE(map.rows.front().stack, Stack::Encoder);
    const std::string last = lastStates(s.state);
    const auto row = std::ranges::find(map.rows, last, &PatchedRow::tensor);
    QVERIFY(row != map.rows.end());
    QCOMPARE(row->from_probability.size(), std::size_t(3));
    QCOMPARE(row->labels.size(), std::size_t(3));
    // One cell with an intervention, on the same input.
    const ModelState changed = s.with(last + "[1, .]=from \"you\"");
    observe::Probe probe(changed.config, map.into.batch, s.trainer.backend());
    const std::string output(names::kOutput);
    const observe::Observed logits =
        probe.run(changed.parameters, map.into.batch, output, std::uint64_t(changed.step))
            .at(output);
    QVERIFY(std::abs(row->from_logit[1] - logits.at(map.output, map.from_token)) < 1e-4);
    QVERIFY(std::abs(row->into_logit[1] - logits.at(map.output, map.into_token)) < 1e-4);
    QVERIFY(std::abs(map.into_logit_before - logits.at(map.output, map.into_token)) > 1e-6);
    // A text patched into itself changes nothing.
    const PatchMap same =
        *patchMap(s.state, *s.task, {.from = "hey", .into = "hey"}, s.trainer.backend());
    for (const PatchedRow& each : same.rows)
      for (const double logit : each.into_logit)
        QVERIFY(std::abs(logit - same.into_logit_before) < 1e-4);
    QVERIFY(patchTsv(map).find("encoder") != std::string::npos);
    TFM_VERIFY_ERROR(patchMap(s.state, *s.task, {.from = "you", .into = "hey", .output = 99},
                              s.trainer.backend()),
                     "no output 99");
    QVERIFY(!patchMap(s.state, *s.task, {.from = "you", .into = "hey"}, s.trainer.backend(),
                      [](const PatchMap&, double) { return false; }));
  }
};

TFM_TEST(TestInterventionsInForce)
#include "test_interventions_in_force.moc"
