// SPDX-License-Identifier: GPL-3.0-or-later
// A submodel on its own: which numbers it takes along, and what it becomes as a document.
#include <QTest>
#include <algorithm>

#include "core/document/extracted.h"
#include "core/io/safetensors.h"
#include "core/matformer/extract.h"
#include "core/train/fit_task.h"
#include "tests/core/io/error_of.h"
#include "tests/core/matformer/nested_models.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::matformer;
using namespace tfm::test;

namespace {

/// A state whose numbers say where they are from: parameter, row and column.
ModelState numbered(const ModelConfig& config) {
  ModelState state = trainedState(config);
  std::vector<std::int64_t> missed(state.parameters.size());
  for (std::size_t p = 0; p < state.layout.parameters.size(); ++p) {
    const ParameterInfo& info = state.layout.parameters[p];
    for (std::int64_t i = 0; i < info.size(); ++i) {
      const auto at = std::size_t(info.offset + i);
      state.parameters[at] =
          float(10'000 * std::int64_t(p) + 100 * (i / info.cols()) + i % info.cols());
      state.first_moment[at] = -state.parameters[at];
      state.second_moment[at] = 0.5F * state.parameters[at];
      missed[at] = i % 7;
    }
  }
  state.missed_steps = missedRuns(missed);
  return state;
}

}  // namespace

class TestExtract : public QObject {
  Q_OBJECT

 private slots:
  /// Also where layers that were shared are no longer.
  void asksWhatParametersAreAndNotTheirNames() {
    for (const SmallModel& model : nestedModels()) {
      const ModelState whole = numbered(model.config);
      ModelState renamed = whole;
      for (std::size_t i = 0; i < renamed.layout.parameters.size(); ++i)
        renamed.layout.parameters[i].name = "p" + std::to_string(i);
      for (const Submodel& submodel : triedSubmodels(whole.config))
        QVERIFY(sameState(extract(renamed, submodel), extract(whole, submodel)));
    }
  }

  void takesFirstRowsAndColumns_data() {
    QTest::addColumn<QString>("name");
    for (const SmallModel& model : nestedModels())
      QTest::newRow(model.name.c_str()) << QString::fromStdString(model.name);
  }
  void takesFirstRowsAndColumns() {
    QFETCH(QString, name);
    const ModelState whole = numbered(nestedModel(name.toStdString()).config);
    const std::vector<std::int64_t> missed = missedByEntry(whole);
    for (const Submodel& submodel : triedSubmodels(whole.config)) {
      const ModelState part = extract(whole, submodel);
      QCOMPARE(part.step, whole.step);
      QCOMPARE(part.optimizer_step, whole.optimizer_step);
      QCOMPARE(part.seed, whole.seed);
      const std::vector<std::int64_t> part_missed = missedByEntry(part);
      for (const ParameterInfo& p : part.layout.parameters) {
        std::string source = p.name;
        const Site& site = p.tag.site;
        if (const std::size_t at = source.find(".layers."); at != source.npos)
          source[at + 8] = char('0' + whole.config.holderOf(site.stack, site.layer));
        const ParameterInfo& from = *whole.layout.find(source);
        for (std::int64_t r = 0; r < p.rows(); ++r)
          for (std::int64_t c = 0; c < p.cols(); ++c) {
            const auto to_at = std::size_t(p.offset + r * p.cols() + c);
            const auto from_at = std::size_t(from.offset + r * from.cols() + c);
            QCOMPARE(part.parameters[to_at], whole.parameters[from_at]);
            QCOMPARE(part.first_moment[to_at], whole.first_moment[from_at]);
            QCOMPARE(part.second_moment[to_at], whole.second_moment[from_at]);
            QCOMPARE(part_missed[to_at], missed[from_at]);
          }
      }
    }
    QVERIFY(sameState(extract(whole, {}), whole));
  }

  void sharedLayersPartWhereTheyTakeDifferentParts() {
    const ModelState whole = numbered(nestedModel("shared").config);
    QVERIFY(extract(whole, {{3, 3}, {}}).config.share_layers);
    const ModelState part = extract(whole, {{3, 5}, {}});
    QVERIFY(!part.config.share_layers);
    const ParameterInfo* second = part.layout.find("decoder.layers.1.feed_forward.linear1.weight");
    QVERIFY(second != nullptr && second->rows() == 5);
    QVERIFY(whole.layout.find(second->name) == nullptr);
  }

  void repeatsPartWhereTheyTakeDifferentParts() {
    const ModelState whole = numbered(nestedModel("repeats").config);
    QVERIFY(extract(whole, {{3, 5, 3, 3}, {}}).config.decoder_layers[1].repeats);
    const ModelState part = extract(whole, {{3, 3, 3, 5}, {}});
    QVERIFY(!part.config.decoder_layers[1].repeats);
    const ParameterInfo* second = part.layout.find("decoder.layers.1.feed_forward.linear1.weight");
    QVERIFY(second != nullptr && second->rows() == 5);
    QVERIFY(whole.layout.find(second->name) == nullptr);
  }

  void whatTheModelHasNotIsRefused() {
    const ModelState whole = numbered(nestedModel("both pre layer").config);
    TFM_VERIFY_ERROR(extract(whole, {{3, 3}, {}}), "2 widths for 4 layers");
    TFM_VERIFY_ERROR(extract(whole, {{3, 3, 8, 3}, {}}), "width 8 in layer 3");
    TFM_VERIFY_ERROR(extract(whole, {{}, {1, 1, 0, 1}}), "heads 0 in layer 3");
  }

  void becomesADocumentThatTrainsOn() {
    train::TrainConfig config;
    config.batch_size = 4;
    config.nesting.widths = {8, 16};
    train::Document whole = documentOf("small-sequence", "copy", config);
    train::Trainer trainer = trainerOf(whole);
    whole.history.steps.push_back(trainer.step());
    whole.history.evaluations.push_back(trainer.evaluate(10));
    whole.state = trainer.state();
    whole.train.growths = {{5, growthTo(expand::Kind::FeedForward, 99)}};
    const Submodel small = trainer.granularities().front().submodel;
    const train::Document part = train::extracted(whole, small);
    QVERIFY(part.train.nesting == Nesting{} && part.train.growths.empty());
    QCOMPARE(part.history.steps, whole.history.steps);
    QVERIFY(part.history.evaluations[0].granularities.empty());
    QCOMPARE(part.history.events.size(), std::size_t{1});
    const std::string note = part.history.events[0].text;
    QVERIFY2(note.starts_with("Extracted S from a model with "), note.c_str());
    QVERIFY(sameState(train::fromTensorFile(train::toTensorFile(part), "part").state, part.state));
    train::Trainer alone = trainerOf(part);
    QCOMPARE(alone.evaluate(10).loss, whole.history.evaluations[0].granularities[0].loss);
    alone.step();
    QCOMPARE(alone.state().step, std::int64_t{2});
  }
};

TFM_TEST(TestExtract)
#include "test_extract.moc"
