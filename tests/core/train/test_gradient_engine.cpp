// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/backend/cpu/cpu_backend.h"
#include "core/data/batches.h"
#include "core/data/task_table.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/tensor/random.h"
#include "core/train/fit_task.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

constexpr std::uint64_t kSeed = 7;
constexpr std::uint64_t kStep = 3;

struct Result {
  double loss = 0.0;
  std::vector<double> gradient;
};

AlignedVector<double> parametersOf(const ModelConfig& config) {
  AlignedVector<double> parameters;
  initialize(parameterLayout(config), kSeed, parameters);
  return parameters;
}

/// The whole batch in one program.
Result inOnePiece(const ModelConfig& config, const Batch& batch) {
  const auto backend = makeCpuBackend<double>();
  ProgramOptions options;
  options.training = options.loss = true;
  const AlignedVector<double> parameters = parametersOf(config);
  Executor<double> executor(
      std::make_shared<const Program>(
          buildProgram(config, {batch.size, batch.source_length, batch.target_length}, options)),
      *backend, true);
  setInputs(executor, batch, 0);
  executor.forward(parameters.data(), {kSeed, kStep, 0});
  const TensorId loss = executor.program().find(names::kLoss);
  Result result{executor.values(loss).at(0, 0), std::vector<double>(parameters.size())};
  executor.backward(parameters.data(), result.gradient.data(), {loss}, {kSeed, kStep, 0});
  return result;
}

Result inChunks(const ModelConfig& config, const Batch& batch, int threads) {
  const auto backend = makeCpuBackend<double>();
  WorkerPool workers(threads);
  GradientEngine<double> engine(config, -1, *backend, workers);
  const AlignedVector<double> parameters = parametersOf(config);
  Result result;
  result.gradient.assign(parameters.size(), 1.0);  // to be overwritten
  result.loss = engine.gradient(parameters, batch, kSeed, kStep, result.gradient).loss;
  return result;
}

/// The largest difference, relative to the largest value.
double difference(const Result& a, const Result& b) {
  double worst = std::abs(a.loss - b.loss), scale = std::max(1.0, std::abs(a.loss));
  for (std::size_t i = 0; i < a.gradient.size(); ++i) {
    worst = std::max(worst, std::abs(a.gradient[i] - b.gradient[i]));
    scale = std::max(scale, std::abs(a.gradient[i]));
  }
  return worst / scale;
}

Batch featureBatch(const ModelConfig& config, std::int64_t size) {
  const Random random(kSeed, 1);
  Batch batch;
  batch.size = size;
  batch.source_length = config.source_length;
  const std::int64_t numbers = size * config.source_length * config.hidden;
  for (std::int64_t i = 0; i < numbers; ++i) {
    batch.source_features.push_back(random.normal(std::uint64_t(i)));
    batch.label_features.push_back(random.normal(std::uint64_t(numbers + i)));
  }
  return batch;
}

}  // namespace

class TestGradientEngine : public QObject {
  Q_OBJECT

 private slots:
  void chunksAddUpToOnePiece_data() {
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<QByteArray>("task");
    QTest::addColumn<bool>("first_pad");
    const auto row = [](const char* name, const char* preset, const char* task, bool first_pad) {
      QTest::newRow(name) << QByteArray(preset) << QByteArray(task) << first_pad;
    };
    row("sequence to sequence", "rot13", "rot13", false);
    row("sequence to sequence, first pad", "rot13", "rot13", true);
    row("labels", "tagger", "sort", false);
    row("labels, first pad", "tagger", "sort", true);
    row("next token", "characters", "copy", false);
    row("next token, first pad", "characters", "addition", true);
    row("next character", "characters", "text", false);
    row("classes", "classifier", "parentheses", false);
  }

  void chunksAddUpToOnePiece() {
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, task);
    QFETCH(bool, first_pad);
    data::TaskConfig task_config = taskOf(task.toStdString())->config();
    if (first_pad) task_config.loss_positions = data::LossPositions::FirstPad;
    const auto made = data::makeTask(task_config);
    const ModelConfig config = withDropout(modelFor(preset.toStdString(), *made));
    const data::Framing framing = framingFor(config, *made);
    for (const std::int64_t size : {1, 11}) {
      const Batch batch = data::trainingBatch(*made, framing, kSeed, 0, size);
      const Result whole = inOnePiece(config, batch);
      for (const int threads : {1, 2})
        QVERIFY(difference(whole, inChunks(config, batch, threads)) < 1e-12);
    }
    const Batch batch = data::trainingBatch(*made, framing, kSeed, 0, 11);
    Batch other = batch;
    std::fill(other.label_weights.begin(), other.label_weights.begin() + 1, 0.0F);
    std::fill(other.label_weights.end() - 8, other.label_weights.end(), 0.0F);
    QVERIFY(difference(inOnePiece(config, batch), inChunks(config, other, 1)) > 1e-6);
  }

  void squaredErrorsAddUpToo() {
    const ModelConfig config = presetNamed("encoder-layer").config();
    const Batch batch = featureBatch(config, 11);
    QVERIFY(difference(inOnePiece(config, batch), inChunks(config, batch, 2)) < 1e-12);
  }

  void lossWithoutDropoutIsThatOfThePlainModel() {
    const auto task = taskOf("rot13");
    const ModelConfig config = modelFor("rot13", *task);
    const Batch batch = data::trainingBatch(*task, data::Framing::Seq2Seq, kSeed, 0, 11);
    const auto backend = makeCpuBackend<double>();
    WorkerPool workers(2);
    GradientEngine<double> dropping(withDropout(config), -1, *backend, workers);
    const AlignedVector<double> parameters = parametersOf(config);
    const double plain = inOnePiece(config, batch).loss;
    QVERIFY(std::abs(dropping.loss(parameters, batch).loss - plain) < 1e-12);
    QVERIFY(std::abs(inOnePiece(withDropout(config), batch).loss - plain) > 1e-6);
  }

  /// A model whose output is a bias alone gives the same answer everywhere, so counting is easy.
  void countsAnswers() {
    const auto task = taskOf("rot13");
    const ModelConfig config = modelFor("rot13", *task);
    const ParameterLayout layout = parameterLayout(config);
    AlignedVector<double> parameters(std::size_t(layout.total), 0.0);
    const std::int32_t pad = task->targetVocabulary().pad();
    parameters[std::size_t(layout.find("output.bias")->offset + pad)] = 1.0;
    const std::vector<data::Example> examples{{{0, 1}, {13, 14}}, {{2}, {pad}}, {{3}, {}}};
    const Batch batch = data::frame(*task, data::Framing::Seq2Seq, examples);
    const auto backend = makeCpuBackend<double>();
    WorkerPool workers(1);
    const auto counts = [&](std::int32_t end) {
      GradientEngine<double> engine(config, end, *backend, workers);
      return engine.loss(parameters, batch).counts;
    };
    // The first answer is two letters and its pad, of which the pad is right; the second is a pad
    // alone; the third has no answer and does not count.
    const AnswerCounts upToPad = counts(pad);
    QCOMPARE(upToPad.positions, 4);
    QCOMPARE(upToPad.right_positions, 2);
    QCOMPARE(upToPad.sequences, 2);
    QCOMPARE(upToPad.right_sequences, 1);
    QCOMPARE(upToPad.positionAccuracy(), 0.5);
    QCOMPARE(upToPad.sequenceAccuracy(), 0.5);
    QCOMPARE(counts(-1).positions, 2 * task->maxTargetLength());
  }
};

TFM_TEST(TestGradientEngine)
#include "test_gradient_engine.moc"
