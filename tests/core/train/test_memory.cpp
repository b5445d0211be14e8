// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <fstream>

#include "core/data/task_table.h"

#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // which takes memory of its own
#else
constexpr bool kSanitized = false;
#endif

/// Bytes of memory that this process uses.
double residentBytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0.0, resident = 0.0;
  file >> total >> resident;
  return resident * 4096.0;
}

}  // namespace

class TestMemory : public QObject {
  Q_OBJECT

 private slots:
  void estimateIsAboutWhatIsTaken() {
    if (kSanitized) QSKIP("a sanitizer takes memory too");
    constexpr int kThreads = 2;
    constexpr double kMegabyte = 1e6;
    TrainConfig config;
    config.batch_size = 16;
    const double before = residentBytes();
    Trainer trainer = trainerOf(documentOf("benchmark-decoder", "text", config), kThreads);
    trainer.step();
    trainer.evaluate(16);
    const double taken = residentBytes() - before;
    const auto estimate = double(
        Trainer::memoryBytes(trainer.state().config, trainer.task(), config.batch_size, kThreads));
    qInfo("estimated %.0f MB, taken %.0f MB", estimate / kMegabyte, taken / kMegabyte);
    QVERIFY(taken > 50 * kMegabyte);
    QVERIFY(estimate < 2.0 * taken && taken < 2.0 * estimate);
  }

  void hugeModelsAreRefusedWithTheEstimate() {
    const auto task = taskOf("text");
    ModelConfig model = decoderFor(*task);
    model.hidden = 65'536;
    setUniform(model, 0, 1024, {64, 1024, 1024, 1'048'576, 1e-5});
    const double before = residentBytes();
    TFM_VERIFY_ERROR(newDocument(model, task->config(), {}), "training this model needs about");
    TFM_VERIFY_ERROR(newDocument(model, task->config(), {}), "are free");
    QVERIFY(kSanitized || residentBytes() - before < 1e8);
  }

  void hugeBatchesAndLengthsAreRefused() {
    data::TaskConfig long_words = taskOf("copy")->config();
    long_words.max_length = 65'536;
    const auto task = data::makeTask(long_words);
    const ModelConfig model = modelFor("sequence", *task);
    TrainConfig config;
    config.batch_size = 1'000'000;
    const double before = residentBytes();
    QVERIFY(Trainer::memoryBytes(model, *task, config.batch_size, 64) > std::int64_t{1} << 50);
    TFM_VERIFY_ERROR(newDocument(model, long_words, config), "training this model needs about");

    const auto text = taskOf("text");
    Trainer trainer = trainerOf(documentOf("benchmark-decoder", "text"));
    TFM_VERIFY_ERROR(trainer.setConfig(config), "Choose a smaller model");
    QCOMPARE(trainer.config().batch_size, TrainConfig{}.batch_size);
    QVERIFY(kSanitized || residentBytes() - before < 2e8);
  }

  void estimateGrowsWithWhatIsAskedFor() {
    const auto task = taskOf("copy");
    const ModelConfig model = modelFor("sequence", *task);
    const auto bytes = [&](std::int64_t batch, int threads) {
      return Trainer::memoryBytes(model, *task, batch, threads);
    };
    QVERIFY(bytes(32, 1) < bytes(64, 1));
    QVERIFY(bytes(32, 1) < bytes(32, 2));
  }

  /// What only training keeps counts: a dropout keeps what it let through.
  void estimateIsOfTraining() {
    const auto task = taskOf("copy");
    ModelConfig model = modelFor("sequence", *task);
    const std::int64_t without = Trainer::memoryBytes(model, *task, 64, 1);
    model.attention_dropout = model.residual_dropout = model.feed_forward_dropout = 0.1;
    QVERIFY(Trainer::memoryBytes(model, *task, 64, 1) > without);
  }

  void everyGranularityTakesMemory() {
    const auto task = taskOf("copy");
    const ModelConfig model = modelFor("sequence", *task);
    const auto bytes = [&](std::size_t granularities, std::int64_t batch) {
      matformer::Nesting nesting = matformer::defaultNesting(model);
      nesting.widths.erase(nesting.widths.begin(),
                           nesting.widths.end() - std::ptrdiff_t(granularities));
      return Trainer::memoryBytes(model, *task, batch, 1, nesting);
    };
    const auto others = [&](std::size_t granularities, std::int64_t batch) {
      return bytes(granularities, batch) - Trainer::memoryBytes(model, *task, batch, 1);
    };
    QCOMPARE(others(1, 64), 0);  // the whole model alone
    QVERIFY(others(2, 64) > 0);
    QCOMPARE(others(4, 64), 3 * others(2, 64));
    // Executors that are too large to be kept are made again.
    QVERIFY(others(4, 1 << 20) > 0 && others(4, 1 << 20) < 3 * others(2, 1 << 20));
  }
};

TFM_TEST(TestMemory)
#include "test_memory.moc"
