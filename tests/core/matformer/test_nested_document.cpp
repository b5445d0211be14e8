// SPDX-License-Identifier: GPL-3.0-or-later
// A nested model as a file: what it holds is read back, and nonsense in it is refused by name.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <future>

#include "core/io/safetensors.h"
#include "core/live/training_loop.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/refused_file.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

using io::TensorFile;

/// After 6 sampled steps and two evaluations of its four granularities.
Document nestedDocument() {
  TrainConfig config;
  config.batch_size = 4;
  config.nesting = {{4, 12, 30}, {1, 2, 3}, matformer::Training::Sampled, {0.4, 0.3, 0.2, 0.1}};
  Document document = documentOf("small-sequence", "copy", config);
  Trainer trainer = trainerOf(document);
  for (int i = 0; i < 6; ++i) {
    document.history.steps.push_back(trainer.step());
    if (i % 3 == 2) document.history.evaluations.push_back(trainer.evaluate(10));
  }
  document.state = trainer.state();
  return document;
}

void give(TensorFile& file, const char* column, const std::vector<double>& values) {
  file.tensors[std::string("history.granularity.") + column] =
      io::makeTensor({std::int64_t(values.size())}, values);
}

}  // namespace

class TestNestedDocument : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    document_ = nestedDocument();
    file_ = toTensorFile(document_);
  }

  void isReadBack() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("nested.safetensors").toStdString();
    saveDocument(path, document_);
    const Document read = openDocument(path);
    QVERIFY(read.train == document_.train);
    QVERIFY(read.history == document_.history);
    QVERIFY(sameState(read.state, document_.state));
    QCOMPARE(read.history.evaluations[1].granularities.size(), std::size_t{4});
    QVERIFY(!read.state.missed_steps.empty());
  }

  void goesOnBitForBit() {
    Trainer here = trainerOf(document_);
    Trainer there = trainerOf(fromTensorFile(file_, "nested"));
    QCOMPARE(losses(there, 6), losses(here, 6));
    QVERIFY(sameState(there.state(), here.state()));
    Document other = document_;
    other.train.nesting = {};
    QVERIFY(losses(here, 3) != [&] {
      Trainer plain = trainerOf(other);
      losses(plain, 6);
      return losses(plain, 3);
    }());
  }

  void aKeptMomentGoesOnBitForBit() {
    TrainingLoop loop(document_, 2);
    std::promise<Moment> promise;
    loop.keepMoment([&](const Moment& moment) { promise.set_value(moment); });
    const Moment moment = promise.get_future().get();
    QVERIFY(sameState(*moment.state, document_.state));
    Trainer trainer = trainerOf(document_);
    const std::vector<double> expected = losses(trainer, 5);
    trainer.restore(*moment.state);
    QCOMPARE(losses(trainer, 5), expected);
  }

  void plainDocumentsHaveNoneOfIt() {
    const TensorFile plain = toTensorFile(documentOf("rot13", "rot13"));
    for (const auto& [name, tensor] : plain.tensors)
      QVERIFY2(!name.starts_with("history.granularity"), name.c_str());
    QVERIFY(plain.metadata.at("train").find("nesting") == std::string::npos);
    QVERIFY(file_.tensors.contains("history.granularity.loss"));
  }

  void isRefusedByName_data() {
    addRefusalColumns();
    const auto row = addRefusal;
    row(
        "nothing", [](TensorFile&) {}, "no error", "");
    row(
        "widths that fall", [](TensorFile& f) { replaceIn(f, "train", "[4,12,30]", "[4,3,30]"); },
        "nesting", "widths has 3 after 4");
    row(
        "widths in words", [](TensorFile& f) { replaceIn(f, "train", "[4,12,30]", "\"S\""); },
        "train, nesting", "a list of at most 32 numbers");
    row(
        "weights below nothing", [](TensorFile& f) { replaceIn(f, "train", "[0.4,", "[-0.4,"); },
        "nesting", "a weight is -0.4");
    row(
        "a training of another kind",
        [](TensorFile& f) { replaceIn(f, "train", "sampled", "smapled"); }, "smapled",
        "sampled, joint");
    row(
        "a nesting that is a number",
        [](TensorFile& f) {
          std::string& json = f.metadata.at("train");
          const std::size_t at = json.find("\"nesting\":") + 10;
          json.replace(at, json.find('}', at) - at + 1, "7");
        },
        "nesting", "a JSON object");
    const auto evaluations = [&](const char* title, const std::vector<double>& numbers,
                                 const char* name, const char* expected) {
      row(
          title, [numbers](TensorFile& f) { give(f, "evaluation", numbers); }, name, expected);
    };
    evaluations("an evaluation that is not there", {0, 0, 0, 0, 1, 1, 1, 2},
                "measured in evaluation 2", "numbers below 2");
    const char* const column = "history.granularity.evaluation";
    evaluations("an evaluation before the first", {-1, 0, 0, 0, 1, 1, 1, 1}, column,
                "whole numbers");
    evaluations("half an evaluation", {0.5, 0, 0, 0, 1, 1, 1, 1}, column, "whole numbers");
    evaluations("no evaluation", {NAN, 0, 0, 0, 1, 1, 1, 1}, column, "whole numbers");
    row(
        "too few losses",
        [](TensorFile& f) {
          give(f, "loss", {1, 2});
        },
        "history.granularity.loss", "as many as in 'history.granularity.evaluation'");
    row(
        "no losses", [](TensorFile& f) { f.tensors.erase("history.granularity.loss"); },
        "history.granularity.loss", "is missing");
    row(
        "losses without evaluations",
        [](TensorFile& f) { f.tensors.erase("history.granularity.evaluation"); },
        "history.granularity.", "does not belong");
    row(
        "losses in single precision",
        [](TensorFile& f) {
          f.tensors["history.granularity.loss"] = io::makeTensor({8}, std::vector<float>(8));
        },
        "history.granularity.loss", "Expected F64");
    row(
        "more granularities than there can be",
        [](TensorFile& f) {
          const std::vector<double> many(34, 0.0);
          for (const char* column : {"evaluation", "loss", "accuracy"}) give(f, column, many);
        },
        "34 granularities in evaluation 0", "at most 33");
  }
  void isRefusedByName() { checkRefusal(file_); }

 private:
  Document document_;
  TensorFile file_;
};

TFM_TEST(TestNestedDocument)
#include "test_nested_document.moc"
