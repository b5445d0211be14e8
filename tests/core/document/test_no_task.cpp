// SPDX-License-Identifier: GPL-3.0-or-later
// Documents without a task: they do everything but train.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/ask/growth_proof.h"
#include "core/ask/observer.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/data/features/text_features.h"
#include "core/data/task_table.h"
#include "core/document/extracted.h"
#include "core/document/imported.h"
#include "core/expand/change.h"
#include "core/io/atomic_file.h"
#include "core/io/read_file.h"
#include "core/io/safetensors.h"
#include "core/io/text_file.h"
#include "core/model/build_program.h"
#include "core/train/fit_task.h"
#include "tests/core/expand/growth_to.h"
#include "tests/core/io/error_of.h"
#include "tests/core/model/golden_model.h"
#include "tests/core/numbers.h"
#include "tests/core/train/listener.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

constexpr const char* kBert = TFM_TEST_DATA "/goldens/bert";

/// After a few steps, so that the optimizer has moments.
Document trainedDocument(const char* preset, const char* kind) {
  TrainConfig config;
  config.batch_size = 4;
  Document document = documentOf(preset, kind, config);
  Trainer trainer = trainerOf(document);
  losses(trainer, 3);
  document.state = trainer.state();
  return document;
}

Document withoutTask(Document document) {
  document.codec = makeCodec(document)->codec();
  document.task.reset();
  return document;
}

}  // namespace

class TestNoTask : public QObject {
  Q_OBJECT

 private slots:
  void init() { QVERIFY(directory_.isValid()); }

  void isSavedAndReopenedBitForBit_data() { eachForm(); }
  void isSavedAndReopenedBitForBit() {
    QFETCH(const QByteArray, preset);
    QFETCH(const QByteArray, kind);
    const Document whole = trainedDocument(preset, kind);
    const Document document = withoutTask(whole);
    saveDocument(path("a"), document);
    const Document opened = openDocument(path("a"));
    QVERIFY(!opened.task && !opened.missing);
    QVERIFY(sameState(opened.state, whole.state));
    QVERIFY(opened.train == whole.train);
    saveDocument(path("b"), opened);
    QVERIFY(bytes("a") == bytes("b"));

    // It reads and writes what the task does.
    const auto task = makeTask(whole);
    QCOMPARE(opened.codec->toJson(), task->toJson());
    QCOMPARE(opened.codec->tokenizerName(), task->tokenizerName());
    for (std::uint64_t i = 0; i < 5; ++i) {
      const std::string question = task->questionText(data::Split::Evaluation, 0, i);
      QCOMPARE(opened.codec->encodeInput(question), task->encodeInput(question));
      QCOMPARE(answersOf(opened, *opened.codec, question), answersOf(whole, *task, question));
    }
    TFM_VERIFY_ERROR(opened.codec->encodeInput(""), "nothing to answer");
  }

  void isLookedInto_data() { eachForm(); }
  void isLookedInto() {
    QFETCH(const QByteArray, preset);
    QFETCH(const QByteArray, kind);
    const Document whole = trainedDocument(preset, kind);
    const Document alone = withoutTask(whole);
    const auto task = makeTask(whole);
    Looking looking;
    looking.question = task->questionText(data::Split::Evaluation, 0, 0);
    looking.pattern = "*.probabilities";
    looking.samples = {looking.question};
    const Snapshot with = *Observer(task).look(looking, shared(whole.state));
    const Snapshot without = *Observer(alone.codec).look(looking, shared(alone.state));
    QCOMPARE(without.problem, std::string());
    QVERIFY(!without.observed.empty());
    QCOMPARE(without.observed.size(), with.observed.size());
    for (const auto& [name, tensor] : with.observed)
      QVERIFY(without.observed.at(name).values == tensor.values);
    QCOMPARE(without.samples.front().answer, with.samples.front().answer);
  }

  void growsWithProof_data() { eachForm(); }
  void growsWithProof() {
    QFETCH(const QByteArray, preset);
    QFETCH(const QByteArray, kind);
    const Document document = withoutTask(trainedDocument(preset, kind));
    const ModelConfig& config = document.state.config;
    const auto prove = [&](const expand::Growth& growth) {
      return proveGrowth(document.state, expand::grow(document.state, {growth}), *document.codec,
                         nullptr, framingFor(config, *document.codec), 20);
    };
    expand::Growth wider = growthTo(expand::Kind::FeedForward, 300);
    const GrowthProof proof = prove(wider);
    QVERIFY(proof.verdict.exact);
    QVERIFY(!proof.held_out);
    QVERIFY(proof.positions > 0 && proof.same_positions == proof.positions);
    QVERIFY(!proof.answers_before.empty());
    QCOMPARE(proof.sameAnswers(), std::ssize(proof.answers_before));
    // Random questions show a broken rule, too.
    wider.broken = expand::possibleBreaks(config, wider).front();
    QVERIFY(!prove(wider).verdict.exact);
  }

  void isExtracted() {
    const Document document = withoutTask(trainedDocument("small-sequence", "copy"));
    Submodel half{fullWidths(document.state.config), fullHeads(document.state.config)};
    half.widths[0] /= 2;
    const Document part = extracted(document, half);
    saveDocument(path("part"), part);
    QVERIFY(sameState(openDocument(path("part")).state, part.state));
    QVERIFY(part.state.layout.total < document.state.layout.total);
  }

  void doesNotTrain() {
    const Document whole = trainedDocument("rot13", "rot13");
    const Document document = withoutTask(whole);
    Trainer trainer(nullptr, document.state, document.train, 1);
    TFM_VERIFY_ERROR(trainer.step(), "no task to learn");
    TFM_VERIFY_ERROR(trainer.step(), "--resume");  // what to do
    TFM_VERIFY_ERROR(trainer.evaluate(10), "no task to learn");
    TFM_VERIFY_ERROR(requireTask(document), "no task to learn");
    TFM_VERIFY_ERROR(requireTask(whole), "no error");
    QVERIFY(sameState(trainer.state(), document.state));
    // It holds the state, which nobody changes, and copies nothing.
    const std::shared_ptr<const ModelState> held = trainer.sharedState();
    QVERIFY(held == trainer.sharedState() && held == trainer.lateState(false).take());
    trainer.moveTo(makeBackend<float>());
    QVERIFY(held == trainer.sharedState());
    trainer.setTraced(true);
    TrainConfig other = document.train;
    other.optimizer.kind =
        other.optimizer.kind == OptimizerKind::Sgd ? OptimizerKind::Adam : OptimizerKind::Sgd;
    trainer.setConfig(other);  // the optimizer begins anew
    QVERIFY(trainer.state().parameters == document.state.parameters);
    QVERIFY(trainer.state().first_moment.empty() && trainer.state().optimizer_step == 0);
    trainer.restore(held);
    QVERIFY(held == trainer.sharedState());
    // A control: with a task, it has numbers of its own.
    Trainer training(makeTask(whole), whole.state, whole.train, 1);
    QVERIFY(training.sharedState() != training.sharedState());

    TrainingLoop loop(document, 1);
    Listener listener(loop);
    loop.play();
    QVERIFY(listener.until([&] { return !listener.events.empty(); }));
    QCOMPARE(listener.events.front().kind, LoopEvent::Kind::Failed);
    QVERIFY(QByteArray::fromStdString(listener.events.front().text).contains("no task to learn"));
    // Growing and saving go on.
    const expand::Growth wider = growthTo(expand::Kind::FeedForward, 50);
    replaceModel(loop, expand::grow(document.state, {wider}).state);
    const Document grown = loop.document().get();
    QVERIFY(grown.state.layout.total > document.state.layout.total);
    QVERIFY(!grown.task && grown.codec);
    saveDocument(path("grown"), grown);
    QVERIFY(sameState(openDocument(path("grown")).state, grown.state));
  }

  void goesOnWithATaskThatItIsGiven() {
    const Document whole = trainedDocument("rot13", "rot13");
    saveDocument(path("a"), withoutTask(whole));
    Document document = openDocument(path("a"));
    QCOMPARE(likelyTask(document)->kind, std::string("rot13"));
    giveTask(document, *likelyTask(document));
    Trainer given = trainerOf(document), before = trainerOf(whole);
    QCOMPARE(losses(given, 3), losses(before, 3));

    Document other = openDocument(path("a"));
    TFM_VERIFY_ERROR(giveTask(other, taskOf("addition")->config()), "model config");
    data::TaskConfig few = taskOf("copy")->config();
    few.alphabet_size = 25;
    TFM_VERIFY_ERROR(giveTask(other, few), "source_vocabulary is 28");
    QVERIFY(!other.task && other.codec);
    giveTask(other, taskOf("reverse")->config());  // as many letters, and the same
    QCOMPARE(other.task->kind, std::string("reverse"));
  }

  void aTaskWithOtherTokensIsRefused() {
    const std::string letters = "abcdefgh";
    std::string text, other;
    for (int i = 0; i < 400; ++i) {
      text += letters[std::size_t(i * 7 % 8)];
      other += char(letters[std::size_t(i * 7 % 8)] + 10);
    }
    const auto task = taskOf("text", text);
    Document document = withoutTask(newDocument(decoderFor(*task), task->config(), {}));
    TFM_VERIFY_ERROR(giveTask(document, taskOf("text", other)->config()), "other tokens");
    giveTask(document, taskOf("text", text + text)->config());
    QVERIFY(document.task.has_value());
  }

  /// What is given away: weights, config and tokenizer.
  void aModelAloneIsSmallAndComplete() {
    Document whole = trainedDocument("sentiment", "sentiment");
    whole.history.events = {{1, EventKind::Note, "first"}};
    const Document alone = modelAlone(whole);
    saveDocument(path("alone"), alone);
    const io::TensorFile file = io::readSafetensors(path("alone"));
    QVERIFY(!file.metadata.contains("task") && file.metadata.contains("codec"));
    // No empty tensors for measurements, which other programs stumble over.
    QCOMPARE(file.tensors.size(), whole.state.layout.parameters.size());
    const Document opened = openDocument(path("alone"));
    QVERIFY(opened.state.parameters == whole.state.parameters);
    QCOMPARE(opened.state.optimizer_step, std::int64_t(0));
    QVERIFY(opened.history.steps.empty() && opened.history.events.empty());
    const std::string text = "the plot was dull .";
    QCOMPARE(answersOf(opened, *opened.codec, text), answersOf(whole, *makeTask(whole), text));
  }

  /// What others write by hand may leave out how it was trained.
  void weightsConfigAndTokenizerSuffice() {
    io::TensorFile file = toTensorFile(modelAlone(trainedDocument("rot13", "rot13")));
    for (const char* key : {"train", "state"}) file.metadata.erase(key);
    QCOMPARE(fromTensorFile(file, "file").state.step, std::int64_t(0));
    for (const char* key : {"codec", "model", "source_vocabulary", "target_vocabulary"}) {
      io::TensorFile less = file;
      less.metadata.erase(key);
      QVERIFY2(errorOf([&] { fromTensorFile(less, "file"); }) != "no error", key);
    }
    const auto with = [&](const std::string& part, const std::string& other) {
      io::TensorFile changed = file;
      std::string& codec = changed.metadata.at("codec");
      const std::size_t at = codec.find(part);
      if (at != codec.npos) codec.replace(at, part.size(), other);
      return errorOf([&] { fromTensorFile(changed, "file"); });
    };
    QCOMPARE(with("nothing", ""), QByteArray("no error"));
    QVERIFY(with("same_length", "text").contains("target vocabulary") ||
            with("same_length", "text").contains("cannot learn"));
    QVERIFY(with("same_length", "verse").contains("one of sequence"));
    QVERIFY(with("\"tokenizer\":\"\"", "\"tokenizer\":\"word\"").contains("<unknown>"));
    QVERIFY(with("\"input_length\":14", "\"input_length\":99").contains("input_length is 99"));
    QVERIFY(with("\"source_length\":15", "\"source_length\":16").contains("source_length"));
    QVERIFY(with("\"form\"", "\"shape\"").contains("form"));
  }

  /// The rows of its inputs are what PyTorch read, and its states what PyTorch printed.
  void anEncoderOfPyTorchIsOne() {
    const std::filesystem::path folder = TFM_TEST_DATA "/goldens/torch_encoder";
    const Document document = importedModel(folder);
    QCOMPARE(document.codec->featureWidth(), std::int64_t{4});
    QCOMPARE(document.codec->longestInput(), std::int64_t{3});
    saveDocument(path("torch"), document);
    const Document opened = openDocument(path("torch"));
    QVERIFY(sameState(opened.state, document.state));
    const Golden printed = Golden::read("torch_encoder").at("notebook").at("printed");
    const std::vector<double> first = outputsFor(opened, "r1 r2 r3"),
                              second = outputsFor(opened, "r4 r5 r6");
    QCOMPARE(first.size(), std::size_t(12));
    std::vector<double> both = first;
    both.insert(both.end(), second.begin(), second.end());
    QVERIFY(worstDifference(both, printed.numbers()) < 1e-5);
    QVERIFY(worstDifference(outputsFor(opened, "r3 r2 r1"), first) > 1e-2);
    // Numbers that are not there are not made up.
    TFM_VERIFY_ERROR(opened.codec->readInput("r1 r2 r3 r4"), "4 rows, at most 3");
    TFM_VERIFY_ERROR(opened.codec->readInput("r1 r7"), "no row \"r7\"");
    TFM_VERIFY_ERROR(opened.codec->readInput("r1 x"), "no row \"x\"");

    // Positions first; then as a table; then none, and letters are drawn.
    const std::filesystem::path other = path("encoder");
    std::filesystem::create_directory(other);
    for (const char* name : {"model.safetensors", "inputs.npz"})
      std::filesystem::copy_file(folder / name, other / name);
    std::string config = io::readTextFile(folder / "config.json");
    const std::string_view batch_first = "\"batch_first\": true,";
    config.erase(config.find(batch_first), batch_first.size());
    io::writeFile(other / "config.json", config);
    const Document swapped = importedModel(other);
    QCOMPARE(swapped.codec->longestInput(), std::int64_t{2});
    QCOMPARE(swapped.codec->drawn().row(3), document.codec->drawn().row(5));  // r2: the second row
    io::writeFile(other / "inputs.csv", "x1,x2,x3,x4\n1,2,3,4\n5,6,7,8\n");
    std::filesystem::remove(other / "inputs.npz");
    QCOMPARE(importedModel(other).codec->drawn().row(3), (std::vector<double>{5, 6, 7, 8}));
    io::writeFile(other / "inputs.csv", "x1,x2\n1,2\n");
    TFM_VERIFY_ERROR(importedModel(other), "its rows have 2 numbers");
    std::filesystem::remove(other / "inputs.csv");
    QVERIFY(importedModel(other).codec->canRead("abc"));
    QVERIFY(!importedModel(other).codec->drawn().given);
  }

  void aPretrainedEncoderIsOne() {
    const Document document = importedModel(kBert);
    QVERIFY(!document.task);
    QCOMPARE(document.codec->form(), data::TaskForm::None);
    saveDocument(path("bert"), document);
    const Document opened = openDocument(path("bert"));
    QVERIFY(sameState(opened.state, document.state));
    const data::Framing framing = framingFor(opened.state.config, *opened.codec);
    QCOMPARE(framing, data::Framing::States);

    // The name of a special token is that token, also in an opened document.
    const std::int32_t mask = opened.codec->sourceVocabulary().find("[MASK]");
    QCOMPARE(opened.codec->encodeInput("the [MASK]").at(2), mask);
    QCOMPARE(opened.codec->encodeInput("film[MASK]"), document.codec->encodeInput("film[MASK]"));
    QCOMPARE(opened.codec->tokenizerRules(), document.codec->tokenizerRules());

    // Its hidden states are the features that a classifier on the same encoder reads.
    const std::string text = "the film was not great";
    const data::Ids ids = opened.codec->encodeInput(text);
    const std::vector<double> states = outputsFor(opened, text);
    const std::vector<float> features = data::TextFeatures(kBert).read(std::span(&ids, 1));
    QCOMPARE(states.size(), features.size());
    for (std::size_t i = 0; i < states.size(); ++i)
      QVERIFY(std::abs(states[i] - double(features[i])) < 1e-4);

    QCOMPARE(answersOf(opened, *opened.codec, text), std::string());
    const expand::Growth wider = growthTo(expand::Kind::FeedForward, 80);
    const GrowthProof proof = proveGrowth(opened.state, expand::grow(opened.state, {wider}),
                                          *opened.codec, nullptr, framing, 5);
    QVERIFY(proof.verdict.exact && proof.positions > 0);
    Document asked = opened;
    TFM_VERIFY_ERROR(giveTask(asked, taskOf("sentiment")->config()), "cannot learn the task");
  }

 private:
  /// The last states of a document's model, row after row.
  static std::vector<double> outputsFor(const Document& document, const std::string& text) {
    const auto backend = makeCpuBackend<float>();
    const ProbeInput input =
        probeInput(document.state, *document.codec,
                   framingFor(document.state.config, *document.codec), text, *backend);
    observe::Probe probe(document.state.config, input.batch, *backend);
    const TensorId output = probe.program().find(names::kOutput);
    const std::string& name = probe.program().tensors[std::size_t(output)].name;
    const auto values = probe.run(document.state.parameters, input.batch, name, 0).at(name).values;
    return {values.begin(), values.end()};
  }

  static void eachForm() {
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<QByteArray>("kind");
    QTest::newRow("encoder-decoder") << QByteArray("rot13") << QByteArray("rot13");
    QTest::newRow("one-hot letters") << QByteArray("annotated-decoder") << QByteArray("rot13");
    QTest::newRow("decoder") << QByteArray("characters") << QByteArray("text");
    QTest::newRow("labels") << QByteArray("tagger") << QByteArray("sort");
    QTest::newRow("classes") << QByteArray("classifier") << QByteArray("parentheses");
    QTest::newRow("words") << QByteArray("sentiment") << QByteArray("sentiment");
    QTest::newRow("hidden tokens") << QByteArray("masked-encoder") << QByteArray("masked");
  }

  static std::string answersOf(const Document& document, const data::TextCodec& codec,
                               const std::string& question) {
    SamplingOptions greedy;
    greedy.max_tokens = 12;
    const auto backend = makeCpuBackend<float>();
    return answer(document.state, codec, framingFor(document.state.config, codec), {&question, 1},
                  greedy, *backend)
        .front()
        .answer;
  }

  std::string path(const char* name) const {
    return directory_.filePath(QString(name) + ".safetensors").toStdString();
  }
  std::string bytes(const char* name) const { return io::readFile(path(name), 1 << 28); }

  QTemporaryDir directory_;
};

TFM_TEST(TestNoTask)
#include "test_no_task.moc"
