// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/data/self_contained.h"
#include "core/data/task_table.h"
#include "core/io/safetensors.h"
#include "core/train/fit_task.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/listener.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

/// A config of whose fields none has its usual value that matters to going on.
TrainConfig midSchedule() {
  TrainConfig config;
  config.optimizer.kind = OptimizerKind::AdamW;
  config.optimizer.weight_decay = 0.01;
  config.schedule.kind = ScheduleKind::WarmupCosine;
  config.schedule.warmup_steps = 10;
  config.schedule.total_steps = 60;
  config.batch_size = 13;
  config.seed = 0xFFFF'FFFF'FFFF'FFFF;
  config.evaluate_every = 5;
  config.evaluation_size = 17;
  return config;
}

/// The document after its loop has done all steps up to `step`.
Document trained(Document document, std::int64_t step, int threads = 1) {
  const StopRules usual = document.train.stop;
  document.train.stop.steps = step;
  TrainingLoop loop(std::move(document), threads);
  Listener listener(loop);
  loop.play();
  if (!listener.until([&] { return !listener.events.empty(); })) return {};
  Document result = loop.document().get();
  result.train.stop = usual;
  return result;
}

/// Whether both are the same but for the time that steps took.
bool same(const Document& a, const Document& b) {
  const bool tasks = a.task && b.task ? data::isSameTask(*a.task, *b.task) : a.task == b.task;
  return tasks && a.train == b.train && sameState(a.state, b.state) &&
         withoutTime(a.history.steps) == withoutTime(b.history.steps) &&
         a.history.evaluations == b.history.evaluations;
}

}  // namespace

class TestDocument : public QObject {
  Q_OBJECT

 private slots:
  void init() { QVERIFY(directory_.isValid()); }

  void theSizeOfTheFileIsKnownBefore() {
    const Document document = trained(documentOf("small-sequence", "copy"), 20);
    const std::string path = directory_.filePath("size.safetensors").toStdString();
    saveDocument(path, document);
    const double ratio = double(fileBytes(document)) / double(std::filesystem::file_size(path));
    QVERIFY2(ratio > 0.8 && ratio < 1.1, qPrintable(QString::number(ratio)));
  }

  /// Quotes are escaped twice on their way into a file: in the task's JSON and in the header's.
  void textsThatNoFileCanKeepAreRefusedBeforeTraining() {
    const auto task = taskOf("text", "ab" + std::string(26'000'000, '"'));
    const ModelConfig model = modelFor("characters", *task);
    TFM_VERIFY_ERROR(newDocument(model, task->config(), {}), "the format allows 100000000");
    const auto shorter = taskOf("text", "ab" + std::string(2'000'000, '"'));
    QCOMPARE(newDocument(model, shorter->config(), {}).state.step, std::int64_t(0));
  }

  void survivesSavingAndOpening_data() {
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<QByteArray>("task");
    QTest::newRow("encoder-decoder") << QByteArray("rot13") << QByteArray("rot13");
    QTest::newRow("decoder") << QByteArray("characters") << QByteArray("text");
    QTest::newRow("labels") << QByteArray("tagger") << QByteArray("sort");
    QTest::newRow("classes") << QByteArray("classifier") << QByteArray("parentheses");
  }

  void survivesSavingAndOpening() {
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, task);
    const Document fresh =
        documentOf(preset.toStdString(), task.toStdString(), midSchedule(), true);
    Document grown = trained(fresh, 12);
    grown.state.missed_steps = {{3, 5, 2}, {20, 1, 12}};
    grown.history.events = {{2, EventKind::Growth, "wider → 9"}, {12, EventKind::Restored, ""}};
    for (const Document& document : {fresh, trained(fresh, 11), grown}) {
      saveDocument(file(), document);
      const Document opened = openDocument(file());
      QVERIFY(same(opened, document));
      QCOMPARE(opened.history, document.history);  // the time included
      QVERIFY(opened.state.layout.total == document.state.layout.total);
    }
    QVERIFY(!same(openDocument(file()), fresh));
  }

  void goesOnAsIfNeverClosed_data() { survivesSavingAndOpening_data(); }

  void goesOnAsIfNeverClosed() {
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, task);
    const Document fresh =
        documentOf(preset.toStdString(), task.toStdString(), midSchedule(), true);
    const Document expected = trained(fresh, 30);
    QCOMPARE(expected.history.steps.size(), std::size_t{30});
    QCOMPARE(expected.history.evaluations.size(), std::size_t{6});

    saveDocument(file(), trained(fresh, 14));
    QVERIFY(same(trained(openDocument(file()), 30, 2), expected));
    const History again = trained(openDocument(file()), 30).history;
    for (std::size_t i = 1; i < again.steps.size(); ++i)
      QVERIFY(again.steps[i].seconds >= again.steps[i - 1].seconds);
  }

  /// What would go wrong if one part of the state were not kept.
  void everyPartOfTheStateCounts() {
    const Document fresh = documentOf("rot13", "rot13", midSchedule(), true);
    const Document half = trained(fresh, 14);
    const Document expected = trained(half, 20);
    const auto differs = [&](auto&& change) {
      Document changed = half;
      change(changed.state);
      return trained(changed, changed.state.step + 6).state.parameters != expected.state.parameters;
    };
    QVERIFY(!differs([](ModelState&) {}));
    QVERIFY(differs([](ModelState& s) { s.first_moment.assign(s.first_moment.size(), 0.0F); }));
    QVERIFY(differs([](ModelState& s) { s.second_moment.assign(s.second_moment.size(), 1.0F); }));
    QVERIFY(differs([](ModelState& s) { s.optimizer_step = 0; }));
    QVERIFY(differs([](ModelState& s) { s.missed_steps = {{0, 100, 10}}; }));
    QVERIFY(differs([](ModelState& s) { s.step += 1; }));
    QVERIFY(differs([](ModelState& s) { s.seed += 1; }));
  }

  void oneFlippedBitIsNamed() {
    Document document = trained(documentOf("rot13", "rot13", midSchedule(), true), 12);
    document.state.missed_steps = {{3, 5, 2}};
    document.history.events = {{2, EventKind::Growth, "wider"}};
    saveDocument(file(), document);
    const io::TensorFile whole = io::readSafetensors(file());
    QVERIFY(whole.tensors.size() > 20);
    const auto verifyRefused = [&](const io::TensorFile& changed, const std::string& part) {
      io::writeSafetensors(file(), changed);
      TFM_VERIFY_ERROR(openDocument(file()), part + " differs from its checksum");
    };
    for (const auto& [name, tensor] : whole.tensors) {
      io::TensorFile changed = whole;
      io::NamedTensor& bytes = changed.tensors.at(name);
      bytes.bytes[bytes.bytes.size() / 2] ^= std::byte{1};
      verifyRefused(changed, "tensor \"" + name + "\"");
    }
    io::TensorFile changed = whole;
    changed.metadata.at("task").back() = ' ';
    verifyRefused(changed, "metadata \"task\"");
    changed = whole;
    changed.metadata.erase("events");
    io::writeSafetensors(file(), changed);
    TFM_VERIFY_ERROR(openDocument(file()), "metadata \"events\" is missing");
    changed = whole;
    changed.metadata.at("checksums") = "{}";
    io::writeSafetensors(file(), changed);
    TFM_VERIFY_ERROR(openDocument(file()), "checksums");
  }

  /// As files were written before there were checksums, and as other programs write them.
  void filesWithoutChecksumsOpen() {
    const Document document = trained(documentOf("rot13", "rot13", midSchedule(), true), 12);
    io::writeSafetensors(file(), toTensorFile(document));
    const Document opened = openDocument(file());
    QVERIFY(same(opened, document));
    QCOMPARE(opened.history, document.history);
  }

  void aFileThatAnotherProgramReplacedIsKept() {
    const Document mine = documentOf("rot13", "rot13");
    const Document theirs = trained(mine, 2);
    saveDocument(file(), mine);
    io::FileIdentity known = io::fileIdentity(file());
    known = saveDocument(file(), mine, known);  // what one has written oneself is known
    known = saveDocument(file(), mine, known);
    saveDocument(file(), theirs);
    TFM_VERIFY_ERROR(saveDocument(file(), mine, known), "another program has replaced");
    QVERIFY(same(openDocument(file()), theirs));
    saveDocument(file(), mine);
    QVERIFY(same(openDocument(file()), mine));
  }

  void needsNoOtherFile() {
    const std::filesystem::path corpus = path("corpus.txt");
    std::string text;
    for (int i = 0; i < 100; ++i) text += "the quick brown fox, number " + std::to_string(i) + "\n";
    std::ofstream(corpus) << text;
    data::TaskConfig config = data::defaultTaskConfig("text");
    config.path = corpus.string();
    const auto task = data::makeTask(config);
    const Document document = newDocument(decoderFor(*task), config, midSchedule());
    QCOMPARE(document.task->text, text);
    saveDocument(file(), document);
    QVERIFY(std::filesystem::remove(corpus));
    QVERIFY(same(trained(openDocument(file()), 3), trained(document, 3)));
  }

  void needsNoFileForPairs() {
    const std::filesystem::path table = path("pairs.tsv");
    std::ofstream(table) << "one\tun\ntwo\tdeux\nthree\ttrois\nfour\tquatre\n";
    data::TaskConfig config = data::defaultTaskConfig("pairs");
    config.path = table.string();
    const auto task = data::makeTask(config);
    saveDocument(file(), newDocument(modelFor("sequence", *task), config, {}));
    QVERIFY(std::filesystem::remove(table));
    QVERIFY(std::isfinite(trainerOf(openDocument(file())).step().loss));
  }

  /// A field that a task does not use is ignored, also by saving.
  void readsNoFileThatTheTaskDoesNotUse() {
    const auto task = taskOf("copy");
    data::TaskConfig config = task->config();
    config.path = "/nowhere/at/all";
    QCOMPARE(*newDocument(modelFor("sequence", *task), config, {}).task, config);
  }

  /// Weights from elsewhere come without an optimizer's memory and without measurements.
  void weightsAloneSuffice() {
    const Document document = trained(documentOf("rot13", "rot13", midSchedule(), true), 12);
    io::TensorFile weights = toTensorFile(document);
    const auto drop = [](io::NamedTensors& tensors, const std::string& prefix) {
      std::erase_if(tensors, [&](const auto& t) { return t.first.starts_with(prefix); });
    };
    drop(weights.tensors, "optimizer.");
    drop(weights.tensors, "history.");
    weights.metadata.erase("events");
    io::writeSafetensors(file(), weights);
    const Document opened = openDocument(file());
    QVERIFY(opened.state.parameters == document.state.parameters);
    QVERIFY(opened.state.first_moment.empty() && opened.state.second_moment.empty());
    QCOMPARE(opened.state.step, document.state.step);
    QCOMPARE(opened.state.optimizer_step, std::int64_t(0));
    QVERIFY(opened.history.steps.empty() && opened.history.evaluations.empty());
    QCOMPARE(trained(opened, 14).state.optimizer_step, std::int64_t(2));
    // Half of either is no whole document.
    const auto refused = [&](const std::string& prefix, const std::string& without) {
      io::TensorFile part = toTensorFile(document);
      drop(part.tensors, without);
      return errorOf([&] { fromTensorFile(part, prefix); });
    };
    for (const char* without : {"optimizer.first_moment.", "optimizer.second_moment.decoder",
                                "history.loss", "history.evaluation"})
      QVERIFY2(refused("f", without).contains("is missing"), without);
  }

  void isAnOrdinaryTensorFile() {
    const Document document = documentOf("rot13", "rot13");
    saveDocument(file(), document);
    const io::TensorFile tensors = io::readSafetensors(file());
    QCOMPARE(tensors.metadata.at("format"), std::string("transformarium"));
    const io::NamedTensor& embedding = tensors.tensors.at("encoder.embedding.weight");
    QCOMPARE(embedding.shape, (std::vector<std::int64_t>{28, 8}));
    const ParameterInfo& p = *document.state.layout.find("encoder.embedding.weight");
    QCOMPARE(io::floatValues(embedding).front(), document.state.parameters[std::size_t(p.offset)]);
    QVERIFY(tensors.tensors.contains("optimizer.first_moment.encoder.embedding.weight"));
  }

 private:
  std::filesystem::path path(const char* name) const {
    return std::filesystem::path(directory_.path().toStdString()) / name;
  }
  std::filesystem::path file() const { return path("document.safetensors"); }

  QTemporaryDir directory_;
};

TFM_TEST(TestDocument)
#include "test_document.moc"
