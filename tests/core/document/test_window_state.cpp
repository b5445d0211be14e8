// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows of a model, kept in its document.
#include <QTemporaryDir>
#include <QTest>

#include "core/expand/grow.h"
#include "core/io/safetensors.h"
#include "core/live/moment_ring.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/refused_file.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

/// A model that grew after step 2, with moments before and after, two pins (B of another course),
/// texts and parts.
Document prepared() {
  Document document = documentOf("rot13", "rot13");
  Trainer trainer = trainerOf(document);
  WindowState& window = document.window;
  for (int i = 0; i < 3; ++i) {
    document.history.steps.push_back(trainer.step());
    window.moments.push_back({shared(trainer.state()), 0, i == 0});
  }
  document.state = trainer.state();
  expand::Growth wider;
  wider.kind = expand::Kind::FeedForward;
  wider.size = 7;
  document.state = expand::grow(document.state, {wider}).state;
  document.history.events = {{3, EventKind::Growth, "wider"}};
  window.moments.push_back({shared(document.state), 1, true});
  window.pins = {window.moments[1], Moment{shared(trainer.state()), 0, false}};
  window.left = {false, true};
  window.shown = WindowState::Shown::Difference;
  window.texts = {"hey", "there", "\xC3\xBC"};
  window.text = 1;
  window.screen = "Flow";
  window.parts = {
      {"Flow", R"({"open":"encoder encoder.layers.0","locked_number":"output[0, 3]"})"}};
  window.weights = weightsOf(document.state);
  return document;
}

bool sameMoment(const Moment& a, const Moment& b) {
  return sameState(*a.state, *b.state) && a.state->config == b.state->config &&
         a.state->seed == b.state->seed && a.events == b.events && a.landmark == b.landmark;
}

}  // namespace

class TestWindowState : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { valid_ = toTensorFile(prepared()); }

  void isKeptWhole() {
    const Document before = prepared();
    const Document after = fromTensorFile(valid_, "file");
    const WindowState &a = before.window, &b = after.window;
    QCOMPARE(b.moments.size(), a.moments.size());
    for (std::size_t i = 0; i < a.moments.size(); ++i)
      QVERIFY(sameMoment(a.moments[i], b.moments[i]));
    for (std::size_t slot = 0; slot < 2; ++slot) QVERIFY(sameMoment(*a.pins[slot], *b.pins[slot]));
    QVERIFY(b.pins[0]->state == b.moments[1].state);  // stored once
    QVERIFY(b.left == a.left);
    QVERIFY(b.shown == a.shown);
    QVERIFY(b.texts == a.texts);
    QCOMPARE(b.text, a.text);
    QCOMPARE(b.screen, a.screen);
    QVERIFY(b.parts.at("Flow").find("output[0, 3]") != std::string::npos);
    QCOMPARE(b.weights, a.weights);
    QVERIFY(toTensorFile(after) == valid_);
  }

  void isKeptOnlyWithItsWeights() {
    Document document = prepared();
    QVERIFY(isAbout(document.window, document.state));
    document.state.parameters.front() += 1.0F;
    QVERIFY(!isAbout(document.window, document.state));
    const io::TensorFile other = toTensorFile(document);
    QVERIFY(!other.metadata.contains("window") && !other.tensors.contains("window.moments"));
    QVERIFY(fromTensorFile(other, "file").window.isEmpty());
    QVERIFY(modelAlone(prepared()).window.isEmpty());
  }

  /// A program without such states knows none of these tensors, whatever else is kept.
  void olderProgramsRefuseItByName() {
    Document document = prepared();
    dropMoments(document.window);
    io::TensorFile file = toTensorFile(document);
    QVERIFY(file.tensors.contains("window.moments"));
    file.metadata.erase("window");  // which they do not read
    TFM_VERIFY_ERROR(fromTensorFile(file, "file"), "tensor 'window.moments' does not belong");
  }

  void momentsAreThinnedOutToASize() {
    WindowState window = prepared().window;
    window.shown = WindowState::Shown::Moment;
    window.moment = 1;
    const std::int64_t each = tfm::byteCount(*window.moments[1].state);
    WindowState two = window;
    thin(two, 4 * each);  // and two pins, one of them a moment
    QVERIFY(two.moments.size() < window.moments.size());
    QCOMPARE(two.moments[std::size_t(two.moment)].step(), std::int64_t(2));  // the shown one stays
    WindowState all = window;
    thin(all, 1 << 30);
    QCOMPARE(all.moments.size(), window.moments.size());
  }

  void isRefusedByName_data() {
    addRefusalColumns();
    const auto row = addRefusal;
    row(
        "nothing", [](io::TensorFile&) {}, "no error", "");
    row(
        "no numbers", [](io::TensorFile& f) { f.tensors.erase("window.moments"); },
        "window.moments", "is missing");
    row(
        "a missing tensor",
        [](io::TensorFile& f) { f.tensors.erase("window.moment.1.first_moment"); },
        "window.moment.1.first_moment", "is missing");
    row(
        "a moment of another shape",
        [](io::TensorFile& f) {
          f.tensors.at("window.moment.3.parameters") = f.tensors.at("window.moment.0.parameters");
        },
        "window.moment.3.parameters", "needs");
    row(
        "one number too few",
        [](io::TensorFile& f) {
          f.tensors.at("window.moments").shape = {25, 1};
        },
        "window.moments", "5 numbers for each");
    row(
        "a step before the first", [](io::TensorFile& f) { setNumber(f, 0, -1); }, "window.moments",
        "negative");
    row(
        "a step after the model's", [](io::TensorFile& f) { setNumber(f, 15, 4); }, "moment 3",
        "up to step 3");
    row(
        "no order", [](io::TensorFile& f) { setNumber(f, 0, 3); }, "moment 1", "order of time");
    row(
        "a model that reads something else",
        [](io::TensorFile& f) {
          replaceIn(f, "window", "\"source_vocabulary\":28", "\"source_vocabulary\":29");
        },
        "window.models.0", "source");
    row(
        "a pin that is not there",
        [](io::TensorFile& f) { replaceIn(f, "window", "\"A\":1", "\"A\":9"); }, "'A' is 9",
        "below 5");
    row(
        "more moments than there are",
        [](io::TensorFile& f) { replaceIn(f, "window", "\"course\":4", "\"course\":6"); },
        "'course' is 6", "number of moments");
    row(
        "another word", [](io::TensorFile& f) { replaceIn(f, "window", "\"A-B\"", "\"B-A\""); },
        "'shown' is", "present, moment, A, B, A-B");
    row(
        "a difference without pins",
        [](io::TensorFile& f) { replaceIn(f, "window", "\"B\":4", "\"B\":-1"); }, "'shown' is",
        "that the file has");
    row(
        "a text that is none", [](io::TensorFile& f) { replaceIn(f, "window", "\"hey\"", "7"); },
        "'texts' is", "a list of texts");
    row(
        "a shown text that is none",
        [](io::TensorFile& f) { replaceIn(f, "window", "\"text\":1", "\"text\":3"); },
        "'text' is 3", "below 3");
    row(
        "a part that is no object",
        [](io::TensorFile& f) { replaceIn(f, "window", "\"Flow\":{", "\"Flow\":1,\"Other\":{"); },
        "'parts' is", "an object of values");
    row(
        "what a newer program keeps",
        [](io::TensorFile& f) {
          replaceIn(f, "window", "\"course\"", "\"hologram\":1,\"course\"");
        },
        "hologram", "");
  }

  void isRefusedByName() { checkRefusal(valid_); }

 private:
  static void setNumber(io::TensorFile& file, std::size_t at, std::int64_t number) {
    io::NamedTensor& tensor = file.tensors.at("window.moments");
    std::vector<std::int64_t> numbers = io::integerValues(tensor, "test");
    numbers[at] = number;
    tensor = io::makeTensor(tensor.shape, numbers);
  }

  io::TensorFile valid_;
};

TFM_TEST(TestWindowState)
#include "test_window_state.moc"
