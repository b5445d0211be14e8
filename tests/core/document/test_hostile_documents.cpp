// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/io/safetensors.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/refused_file.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

using io::NamedTensor;
using io::TensorFile;

const char* const kTensor = "encoder.layers.0.self_attention.query.weight";
const char* const kMoment = "optimizer.second_moment.output.bias";

TensorFile validFile() {
  Document document = documentOf("rot13", "rot13");
  Trainer trainer = trainerOf(document);
  for (int i = 0; i < 3; ++i) document.history.steps.push_back(trainer.step());
  document.history.evaluations.push_back(trainer.evaluate(10));
  document.history.events = {{1, EventKind::Note, "first"}, {3, EventKind::Growth, "wider"}};
  document.state = trainer.state();
  document.state.missed_steps = {{4, 6, 1}, {10, 2, 3}};
  return toTensorFile(document);
}

/// Puts other missed steps into the file: first, count and steps of each run.
void giveMissedSteps(TensorFile& file, const std::vector<std::int64_t>& values) {
  file.tensors["optimizer.missed_steps"] =
      io::makeTensor({std::int64_t(values.size()) / 3, 3}, values);
}

NamedTensor numbers(std::vector<std::int64_t> shape, const std::vector<double>& values) {
  return io::makeTensor(std::move(shape), values);
}

}  // namespace

class TestHostileDocuments : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { valid_ = validFile(); }

  void isRefusedByName_data() {
    addRefusalColumns();
    const auto row = addRefusal;
    row(
        "nothing", [](TensorFile&) {}, "no error", "");

    row(
        "missing tensor", [](TensorFile& f) { f.tensors.erase(kTensor); }, kTensor, "is missing");
    row(
        "missing moment", [](TensorFile& f) { f.tensors.erase(kMoment); }, kMoment, "is missing");
    row(
        "missing history", [](TensorFile& f) { f.tensors.erase("history.loss"); }, "history.loss",
        "is missing");
    row(
        "extra tensor", [](TensorFile& f) { f.tensors["encoder.extra"] = numbers({1}, {0}); },
        "encoder.extra", "does not belong");
    row(
        "double parameter",
        [](TensorFile& f) {
          f.tensors[kTensor] = numbers({35, 8}, std::vector<double>(280));
        },
        kTensor, "Expected F32");
    row(
        "transposed parameter",
        [](TensorFile& f) { std::ranges::reverse(f.tensors.at(kTensor).shape); }, kTensor,
        "needs 35 x 8");
    row(
        "flat moment",
        [](TensorFile& f) {
          f.tensors.at(kMoment).shape = {1, 28};
        },
        kMoment, "needs 28");
    row(
        "history of floats",
        [](TensorFile& f) {
          f.tensors["history.loss"] = io::makeTensor({3}, std::vector<float>(3));
        },
        "history.loss", "Expected F64");
    row(
        "short history",
        [](TensorFile& f) {
          f.tensors["history.loss"] = numbers({2}, {1, 2});
        },
        "history.loss", "as many as in 'history.step'");
    row(
        "history in two dimensions",
        [](TensorFile& f) {
          f.tensors["history.step"] = numbers({3, 1}, {1, 2, 3});
        },
        "history.step", "one number for each");
    row(
        "half a step",
        [](TensorFile& f) {
          f.tensors["history.step"] = numbers({3}, {1, 2.5, 3});
        },
        "history.step", "whole numbers");
    row(
        "no step",
        [](TensorFile& f) {
          f.tensors["history.step"] = numbers({3}, {1, NAN, 3});
        },
        "history.step", "whole numbers");
    row(
        "step before the first",
        [](TensorFile& f) {
          f.tensors["history.step"] = numbers({3}, {-1, 2, 3});
        },
        "history.step", "whole numbers");
    row(
        "a step twice",
        [](TensorFile& f) {
          f.tensors["history.step"] = numbers({3}, {1, 1, 3});
        },
        "history.step", "a step from 2 to the model's 3");
    row(
        "a step that is not done",
        [](TensorFile& f) {
          f.tensors["history.step"] = numbers({3}, {1, 2, 4});
        },
        "history.step", "a step from 3 to the model's 3");
    row(
        "an evaluation of the future",
        [](TensorFile& f) { f.tensors["history.evaluation.step"] = numbers({1}, {4}); },
        "history.evaluation.step", "a step from 0 to the model's 3");
    row(
        "step beyond all numbers",
        [](TensorFile& f) { f.tensors["history.evaluation.examples"] = numbers({1}, {1e300}); },
        "history.evaluation.examples", "whole numbers");

    const auto missed = [&](const char* title, const std::vector<std::int64_t>& values) {
      row(
          title, [values](TensorFile& f) { giveMissedSteps(f, values); }, "optimizer.missed_steps",
          "in order and without overlap");
    };
    row(
        "missed steps in order",
        [](TensorFile& f) {
          giveMissedSteps(f, {0, 4, 0, 4, 1, 3});
        },
        "no error", "");
    missed("missed steps out of order", {10, 2, 1, 4, 2, 1});
    missed("missed steps that overlap", {4, 6, 1, 9, 2, 1});
    missed("missed steps before the first parameter", {-1, 6, 1});
    missed("missed steps beyond the last parameter", {4, 1'000'000, 1});
    missed("missed steps that begin beyond it", {1'000'000, 1, 1});
    missed("missed steps of more than there can be", {4, INT64_MAX, 1});
    missed("missed steps of none", {4, 0, 1});
    missed("missed steps in the future", {4, 6, 4});
    missed("missed steps before the first step", {4, 6, -1});
    row(
        "missed steps without rows", [](TensorFile& f) { giveMissedSteps(f, {}); },
        "optimizer.missed_steps", "three numbers");
    row(
        "missed steps of two numbers",
        [](TensorFile& f) {
          f.tensors["optimizer.missed_steps"].shape = {3, 2};
        },
        "optimizer.missed_steps", "three numbers");
    row(
        "missed steps that are not whole",
        [](TensorFile& f) {
          f.tensors["optimizer.missed_steps"] = numbers({1, 3}, {4, 6, 1});
        },
        "optimizer.missed_steps", "Expected I64");

    const auto events = [&](const char* title, const std::string& json, const char* name,
                            const char* expected) {
      row(
          title, [json](TensorFile& f) { f.metadata["events"] = json; }, name, expected);
    };
    const std::string event = R"({"step":1,"kind":"note","text":"a"})";
    events("no events", "[]", "no error", "");
    events("events that are no list", "{}", "events", "a JSON list");
    events("events that are not JSON", "[", "events", "");
    events("deep events", std::string(100'000, '['), "events", "");
    events("an event that is a number", "[1]", "events[0]", "a JSON object");
    events("an event without a step", R"([{"kind":"note"}])", "events[0]", "'step' is missing");
    events("an event of half a step", R"([{"step":1.5,"kind":"note"}])", "'step' is 1.5",
           "from 0 to 3");
    events("an event before the first step", R"([{"step":-1,"kind":"note"}])", "'step' is -1",
           "from 0 to 3");
    events("an event in the future", R"([{"step":4,"kind":"note"}])", "'step' is 4", "from 0 to 3");
    events("events out of order", R"([{"step":2,"kind":"note"},)" + event + "]", "events[1]",
           "from 2 to 3");
    events("an event of no kind", R"([{"step":1}])", "'kind'", "one of growth");
    events("an event of another kind", R"([{"step":1,"kind":"party"}])", "'kind'", "one of growth");
    events("an event of numbers", R"([{"step":1,"kind":"note","text":3}])", "'text'", "");
    events("an event with more", R"([{"step":1,"kind":"note","colour":"red"}])", "colour",
           "there is no field");
    events("a long event",
           R"([{"step":1,"kind":"note","text":")" + std::string(1'001, 'a') + R"("}])",
           "1001 bytes", "Allowed: at most 1000");
    std::string many = "[";
    many += event;
    for (int i = 0; i < 10'000; ++i) many += "," + event;
    events("too many events", many + "]", "10001 events", "Allowed: at most 10000");

    row(
        "no metadata", [](TensorFile& f) { f.metadata.clear(); }, "'format'",
        "not a Transformarium document");
    for (const char* key :
         {"format", "version", "model", "task", "train", "state", "source_vocabulary"}) {
      row((std::string("no ") + key).c_str(), [key](TensorFile& f) { f.metadata.erase(key); }, key,
          "not a Transformarium document");
    }
    row(
        "another format", [](TensorFile& f) { f.metadata["format"] = "pt"; }, "format is 'pt'",
        "Expected 'transformarium'");
    row(
        "a later version", [](TensorFile& f) { f.metadata["version"] = "2"; }, "version 2",
        "reads version 1");
    for (const char* key : {"model", "task", "train", "state"}) {
      row((std::string(key) + " is not JSON").c_str(),
          [key](TensorFile& f) { f.metadata[key] = "{\"a\": "; }, key, "");
      row((std::string(key) + " is a list").c_str(),
          [key](TensorFile& f) { f.metadata[key] = "[]"; }, key, "a JSON object");
      row((std::string(key) + " has an unknown field").c_str(),
          [key](TensorFile& f) { replaceIn(f, key, "{", R"({"hiden": 1, )"); }, "hiden",
          "there is no field");
      row((std::string(key) + " is deep").c_str(),
          [key](TensorFile& f) { f.metadata[key] = std::string(100'000, '['); }, key, "");
    }

    row(
        "negative step", [](TensorFile& f) { replaceIn(f, "state", "\"step\":3", "\"step\":-3"); },
        "'step' is -3", "a whole number from 0");
    row(
        "huge step",
        [](TensorFile& f) { replaceIn(f, "state", "\"step\":3", "\"step\":9223372036854775807"); },
        "'step' is 9223372036854775807", "a whole number from 0");
    row(
        "no step at all", [](TensorFile& f) { replaceIn(f, "state", "\"step\":3,", ""); }, "'step'",
        "is missing");
    row(
        "negative seed", [](TensorFile& f) { replaceIn(f, "state", "\"seed\":0", "\"seed\":-1"); },
        "'seed' is -1", "a whole number from 0");
    row(
        "seed in words",
        [](TensorFile& f) { replaceIn(f, "train", "\"seed\":0", "\"seed\":\"x\""); }, "'seed'",
        "a whole number from 0");

    row(
        "wider model",
        [](TensorFile& f) { replaceIn(f, "model", "\"hidden\":8", "\"hidden\":10"); }, "tensor '",
        "model's config needs");
    row(
        "huge model",
        [](TensorFile& f) {
          replaceIn(f, "model", "\"hidden\":8", "\"hidden\":65536");
          replaceIn(f, "model", "\"feed_forward\":5", "\"feed_forward\":1048576");
          replaceIn(f, "model", "\"encoder_layers\":1", "\"encoder_layers\":1024");
        },
        "tensor '", "model's config needs");
    row(
        "model without layers",
        [](TensorFile& f) {
          replaceIn(f, "model", "\"encoder_layers\":1", "\"encoder_layers\":0");
        },
        "encoder_layers is 0", "Allowed: 1 to");
    row(
        "vocabulary of another size",
        [](TensorFile& f) {
          replaceIn(f, "model", "\"source_vocabulary\":28", "\"source_vocabulary\":27");
        },
        "source_vocabulary is 27", "needs 28");
    row(
        "vocabulary of other letters",
        [](TensorFile& f) { replaceIn(f, "target_vocabulary", "\"a\"", "\"A\""); },
        "target_vocabulary", "not the vocabulary of the task");
    row(
        "longer words than the model reads",
        [](TensorFile& f) { replaceIn(f, "task", "\"max_length\":15", "\"max_length\":16"); },
        "source_length is 15", "at least 16");
    row(
        "another kind of task",
        [](TensorFile& f) { replaceIn(f, "task", "\"rot13\"", "\"parentheses\""); },
        "cannot learn the task 'parentheses'", "");
    row(
        "a text that is elsewhere",
        [](TensorFile& f) {
          replaceIn(f, "task", "\"rot13\"", "\"text\"");
          replaceIn(f, "task", "\"path\":\"\"", "\"path\":\"/etc/passwd\"");
        },
        "task.text", "holds the text");
    row(
        "no batch",
        [](TensorFile& f) { replaceIn(f, "train", "\"batch_size\":50", "\"batch_size\":0"); },
        "batch_size is 0", "from 1 to");
  }

  void isRefusedByName() {
    const QByteArray message = checkRefusal(valid_);
    QVERIFY2(message.size() < 600, message.constData());
  }

  void truncatedFilesAreRefused() {
    QTemporaryDir directory;
    const QString path = directory.filePath("document.safetensors");
    io::writeSafetensors(path.toStdString(), valid_);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    const qint64 size = file.size();
    const auto refusal = [&] { return errorOf([&] { openDocument(path.toStdString()); }); };
    QCOMPARE(refusal(), QByteArray("no error"));
    for (const qint64 kept :
         {size - 1, size - 4096, size / 2, qint64{5000}, qint64{7}, qint64{0}}) {
      QVERIFY(file.resize(kept));
      const QByteArray message = refusal();
      QVERIFY2(message.contains("document.safetensors"), message.constData());
    }
    TFM_VERIFY_ERROR(openDocument(directory.filePath("none").toStdString()), "none");
    TFM_VERIFY_ERROR(openDocument(directory.path().toStdString()), "folder");
  }

 private:
  TensorFile valid_;
};

TFM_TEST(TestHostileDocuments)
#include "test_hostile_documents.moc"
