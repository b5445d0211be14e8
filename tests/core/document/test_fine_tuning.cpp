// SPDX-License-Identifier: GPL-3.0-or-later
// Pretraining with hidden tokens, and other tasks afterwards.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/ask/answering.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/data/batches.h"
#include "core/data/task_table.h"
#include "core/document/fine_tuning.h"
#include "core/document/imported.h"
#include "core/live/training_loop.h"
#include "core/train/counted_answers.h"
#include "core/train/fit_task.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

/// Lines in which the second word follows from the first and the last one is one of two.
std::string sentences(bool labelled) {
  const char* const things[] = {"cat", "dog", "bird", "fish"};
  const char* const sounds[] = {"meows", "barks", "sings", "swims"};
  std::string text;
  for (int i = 0; i < 400; ++i) {
    const bool good = i * 7 % 5 < 2;
    if (labelled) text += good ? "1\t" : "0\t";
    text += std::string("the ") + things[i % 4] + ' ' + sounds[i % 4] + " and is " +
            (good ? "good" : "bad") + ' ' + things[i / 7 % 4] + '\n';
  }
  return text;
}

data::TaskConfig maskedConfig() {
  data::TaskConfig config = data::defaultTaskConfig("masked");
  config.text = sentences(false);
  config.by_line = true;
  config.max_length = 8;
  config.mask_rate = 0.3;  // two of seven
  return config;
}

TrainConfig training() {
  TrainConfig config;
  config.batch_size = 16;
  return config;
}

Document pretraining() {
  const data::TaskConfig task = maskedConfig();
  ModelConfig model = modelFor("masked-encoder", *data::makeTask(task));
  model.hidden = 16;
  setUniform(model, 2, 0, {2, 8, 8, 32, 1e-5});
  return newDocument(model, task, training());
}

Document pretrained(int steps) {
  Document document = pretraining();
  Trainer trainer = trainerOf(document);
  losses(trainer, steps);
  document.state = trainer.state();
  return document;
}

data::TaskConfig labelledConfig(const Document& document, const char* kind = "sentiment") {
  data::TaskConfig task = taskToFineTune(*makeCodec(document), data::defaultTaskConfig(kind));
  task.text = sentences(true);
  task.label_first = task.kind == "classes";
  return task;
}

std::vector<float> values(const ModelState& state, const ParameterInfo& p) {
  const auto first = state.parameters.begin() + p.offset;
  return {first, first + p.size()};
}

bool isOutput(const ParameterInfo& p) { return p.name.starts_with("output."); }

}  // namespace

class TestFineTuning : public QObject {
  Q_OBJECT

 private slots:
  void theLossIsThatOfHiddenTokensAlone() {
    const Document document = pretrained(3);
    const auto task = makeTask(document);
    Batch batch = data::trainingBatch(*task, data::Framing::TokenLabels, 1, 0, 12);
    const auto backend = makeCpuBackend<float>();
    WorkerPool workers(1);
    GradientEngine<float> engine(document.state.config, endLabel(*task, data::Framing::TokenLabels),
                                 *backend, workers);
    double sum = 0.0;
    std::int64_t hidden = 0, right = 0;
    const auto plain = [&](std::int64_t first, MatrixView<const float> p) {
      for (std::int64_t r = 0; r < p.rows; ++r) {
        const auto row = std::size_t(first * batch.source_length + r);
        if (batch.labels[row] == task->targetVocabulary().pad()) continue;
        sum -= std::log(double(p.at(r, batch.labels[row])));
        std::int64_t best = 0;
        for (std::int64_t c = 1; c < p.cols; ++c) best = p.at(r, c) > p.at(r, best) ? c : best;
        right += best == batch.labels[row];
        ++hidden;
      }
    };
    const auto& parameters = document.state.parameters;
    const BatchResult result = engine.loss(parameters, batch, 0, {}, plain);
    QVERIFY(std::abs(result.loss - sum / double(hidden)) < 1e-5);
    QCOMPARE(result.counts.positions, hidden);
    QCOMPARE(result.counts.right_positions, right);
    QCOMPARE(countedAnswers(task->form(), result.counts).all, hidden);

    // Other labels carry no loss and no gradient; with weights everywhere, they would.
    const auto gradient = [&](const Batch& of) {
      std::vector<float> g(parameters.size());
      engine.gradient(parameters, of, 0, 0, g);
      return g;
    };
    Batch others = batch;
    for (std::size_t i = 0; i < others.labels.size(); ++i)
      if (others.label_weights[i] == 0) others.labels[i] = std::int32_t(i % 7);
    QVERIFY(gradient(others) == gradient(batch));
    const float each = 1.0F / float(batch.labels.size());
    batch.label_weights.assign(batch.labels.size(), each);
    others.label_weights = batch.label_weights;
    QVERIFY(gradient(others) != gradient(batch));
    QVERIFY(std::abs(engine.loss(parameters, batch).loss - result.loss) > 1e-3);
  }

  void goesOnBitForBit() {
    QTemporaryDir folder;
    const auto file = folder.filePath("masked.safetensors").toStdString();
    Document document = pretraining();
    Trainer whole = trainerOf(document), first = trainerOf(document);
    const std::vector<double> all = losses(whole, 60);  // more than one epoch
    std::vector<double> parts = losses(first, 27);
    document.state = first.state();
    saveDocument(file, document);
    const Document opened = openDocument(file);
    QVERIFY(opened.task == document.task);
    Trainer second = trainerOf(opened, 2);
    for (const double loss : losses(second, 33)) parts.push_back(loss);
    QVERIFY(parts == all);
    QVERIFY(sameState(second.state(), whole.state()));
  }

  void learnsAndFillsIn() {
    const Document document = pretrained(250);
    Trainer trainer = trainerOf(document);
    const Evaluation score = trainer.evaluate(100);
    QVERIFY2(score.position_accuracy > 0.5, qPrintable(QString::number(score.position_accuracy)));
    const auto task = makeTask(document);
    const std::string questions[] = {"the cat [MASK] and is bad dog",
                                     "the [MASK] barks [MASK] is good cat"};
    const auto backend = makeCpuBackend<float>();
    SamplingOptions options;
    options.keep_logits = true;
    const auto answers =
        answer(document.state, *task, data::Framing::TokenLabels, questions, options, *backend);
    QCOMPARE(answers[0].answer, std::string("meows"));
    QCOMPARE(answers[1].answer, std::string("dog and"));
    QCOMPARE(answers[1].tokens.size(), std::size_t(2));
    QCOMPARE(answers[1].logits.size(), std::size_t(2));
    QVERIFY(answers[0].tokens[0].probability > 0.5F);
    const std::string plain[] = {"the cat meows"};
    QVERIFY(answer(document.state, *task, data::Framing::TokenLabels, plain, {}, *backend)[0]
                .tokens.empty());
  }

  void startsFromThePretrainedWeights() {
    const Document before = pretrained(5);
    const FineTuning tuning = fineTuned(before, labelledConfig(before), training());
    const ModelState& after = tuning.document.state;
    QCOMPARE(after.step, std::int64_t(0));
    QCOMPARE(after.optimizer_step, std::int64_t(0));
    QVERIFY(tuning.document.history.steps.empty());
    QVERIFY(after.config.output == OutputKind::Classes && after.config.output_size == 2);
    QVERIFY(makeTask(tuning.document)->sourceVocabulary() == makeTask(before)->sourceVocabulary());
    const ModelState fresh = initialState(after.config, training().seed);
    std::int64_t kept = 0, anew = 0, differ = 0;
    for (const ParameterInfo& p : after.layout.parameters) {
      if (isOutput(p)) {
        anew += p.size();
        QVERIFY(values(after, p) == values(fresh, p));
        continue;
      }
      kept += p.size();
      QVERIFY2(values(after, p) == values(before.state, *before.state.layout.find(p.name)),
               p.name.c_str());
      differ += values(after, p) != values(fresh, p);  // the control: a new model is another
    }
    QVERIFY(differ > 10);
    QCOMPARE(tuning.kept, kept);
    QCOMPARE(tuning.anew, anew);
    QVERIFY(describe(tuning).find("keeps " + std::to_string(kept)) != std::string::npos);
    QVERIFY(describe(tuning).find("output layer (" + std::to_string(anew)) != std::string::npos);
    Trainer trainer = trainerOf(tuning.document);
    losses(trainer, 120);
    QVERIFY(trainer.evaluate(40).accuracy > 0.95);
  }

  void isSavedAndGoesOn() {
    QTemporaryDir folder;
    const auto file = folder.filePath("tuned.safetensors").toStdString();
    const Document before = pretrained(3);
    const FineTuning tuning = fineTuned(before, labelledConfig(before), training());
    saveDocument(file, tuning.document);
    Trainer now = trainerOf(tuning.document), opened = trainerOf(openDocument(file));
    QVERIFY(losses(now, 5) == losses(opened, 5));
  }

  void startingOverGoesBackToThePretrainedWeights() {
    const Document before = pretrained(3);
    const Document tuned = fineTuned(before, labelledConfig(before), training()).document;
    TrainingLoop loop(tuned, 1);
    loop.stepOnce();
    QTRY_VERIFY(loop.document().get().state.step > 0);
    QVERIFY(loop.document().get().state.parameters != tuned.state.parameters);
    loop.reset(tuned.state.seed);
    QVERIFY(sameState(loop.document().get().state, tuned.state));
    loop.reset(tuned.state.seed + 1);
    QVERIFY(loop.document().get().state.parameters != tuned.state.parameters);
  }

  void otherTextsKeepTheOutputToo() {
    const Document before = pretrained(3);
    data::TaskConfig more = taskToFineTune(*makeCodec(before), data::defaultTaskConfig("masked"));
    more.text = sentences(true);
    const FineTuning tuning = fineTuned(before, more, training());
    QCOMPARE(tuning.anew, std::int64_t(0));
    QVERIFY(tuning.document.state.parameters == before.state.parameters);
    QVERIFY(describe(tuning).find("output layer") == std::string::npos);
  }

  void charactersBecomeClasses() {
    data::TaskConfig task = maskedConfig();
    task.tokenizer = "character";
    task.max_length = 40;
    const Document before =
        newDocument(modelFor("masked-encoder", *data::makeTask(task)), task, training());
    const FineTuning tuning = fineTuned(before, labelledConfig(before, "classes"), training());
    QCOMPARE(tuning.document.state.config.output_size, std::int64_t(2));
    QVERIFY(tuning.anew > 0 && tuning.kept > tuning.anew);
  }

  void anImportedBertGoesOn() {
    const Document bert = importedModel(TFM_TEST_DATA "/goldens/bert");
    data::TaskConfig task = taskToFineTune(*bert.codec, data::defaultTaskConfig("sentiment"));
    task.text = "1\tgreat film\n0\tdull film\n1\tthe film was great\n0\tthe film was dull\n";
    const FineTuning tuning = fineTuned(bert, task, training());
    QVERIFY(describe(tuning).find("without [CLS] and [SEP]") != std::string::npos);
    const ParameterInfo& table = tuning.document.state.layout.parameters.front();
    QVERIFY(!isOutput(table));
    QVERIFY(values(tuning.document.state, table) ==
            values(bert.state, *bert.state.layout.find(table.name)));
    Trainer trainer = trainerOf(tuning.document);
    QVERIFY(std::isfinite(losses(trainer, 2).back()));
  }

  void refuses() {
    const Document before = pretrained(1);
    TFM_VERIFY_ERROR(fineTuned(before, data::defaultTaskConfig("sentiment"), training()),
                     "other tokens than the model");
    TFM_VERIFY_ERROR(fineTuned(before, data::defaultTaskConfig("parentheses"), training()),
                     "sentiment, classes or masked");
    data::TaskConfig longer = labelledConfig(before);
    longer.max_length = 9;
    TFM_VERIFY_ERROR(fineTuned(before, longer, training()), "source_length is 8");
    data::TaskConfig another = labelledConfig(before);
    another.vocabulary.clear();
    TFM_VERIFY_ERROR(fineTuned(before, another, training()), "other tokens");
    const Document letters = documentOf("rot13", "rot13");
    QVERIFY(!canBeFineTuned(letters.state.config));
    TFM_VERIFY_ERROR(fineTuned(letters, data::defaultTaskConfig("copy"), training()),
                     "Only encoders");
    const auto masked = makeTask(before);
    for (const char* preset : {"rot13", "characters", "classifier"})
      TFM_VERIFY_ERROR(modelFor(preset, *masked), "such as the preset masked-encoder");
  }

  void pooledStatesHaveNoLabelOfEveryPosition() {
    const Document before = pretraining();
    const auto masked = makeTask(before);
    const auto classes = data::makeTask(labelledConfig(before));
    ModelConfig config = before.state.config;
    config.output = OutputKind::Classes;
    config.encoder_layers[1].before = LengthChange::Pool;
    TFM_VERIFY_ERROR(modelToFineTune(config, 0, *masked, *masked), "none for every position");
    QVERIFY(modelToFineTune(config, 0, *masked, *classes).output == OutputKind::Classes);
    config.encoder_layers.push_back(config.encoder_layers.front());
    config.encoder_layers.back().before = LengthChange::Upsample;
    QVERIFY(modelToFineTune(config, 0, *masked, *masked).output == OutputKind::Labels);
  }
};

TFM_TEST(TestFineTuning)
#include "test_fine_tuning.moc"
