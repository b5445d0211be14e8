// SPDX-License-Identifier: GPL-3.0-or-later
// The list of interventions: its switches, undo, files, and what becomes of it with another model.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <functional>
#include <memory>

#include "core/model/build_program.h"
#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"
#include "ui/document/demonstration.h"
#include "ui/document/recovery.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

constexpr const char* kHead = "decoder.layers.0.cross_attention.head.6";
constexpr const char* kBlock = "decoder.layers.0.cross_attention";

observe::Intervention off(const std::string& target) { return changeOf(target); }

bool isRefused(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error&) {
    return true;
  }
  return false;
}

/// A change to a model with so many cross-attention heads in its decoder.
Changes::Change withHeads(std::int64_t heads) {
  return [heads](const ModelState& before) {
    ModelConfig config = before.config;
    for (LayerConfig& layer : config.decoder_layers)
      layer.first<CrossAttention>()->sizes.heads = heads;
    ModelState after = initialState(config, before.seed);
    after.step = before.step;
    after.optimizer_step = before.optimizer_step;
    return after;
  };
}

}  // namespace

class TestInterventions : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    document_ = std::make_unique<ModelDocument>(1);
    document_->adopt(demonstration());
  }

  void areUndoneAndRedone() {
    const QSignalSpy changed(&list(), &Interventions::changed);
    QVERIFY(list().list().empty() && !document_->files().isModified());
    list().add(off(kHead));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(list().inForce(), std::vector{off(kHead)});
    QVERIFY(document_->files().isModified());
    QCOMPARE(document_->changes().undoText(), wordsOf(off(kHead)));
    list().setOn(0, false);
    QVERIFY(list().inForce().empty());
    QCOMPARE(list().list().size(), std::size_t(1));
    list().remove(0);
    QVERIFY(list().list().empty());
    document_->changes().undo();
    QTRY_COMPARE(list().list().size(), std::size_t(1));
    QVERIFY(!list().list().front().on);
    document_->changes().undo();
    QTRY_COMPARE(list().inForce().size(), std::size_t(1));
    document_->changes().undo();
    QTRY_VERIFY(list().list().empty());
    QVERIFY(!document_->changes().canUndo());
    document_->changes().redo();
    QTRY_COMPARE(list().inForce(), std::vector{off(kHead)});
    list().clear();
    QVERIFY(list().list().empty() && !document_->changes().canRedo());
  }

  void undoReportsItsEnd() {
    list().add(off(kHead));
    int calls = 0;
    document_->changes().undo([&](const std::optional<Error>& problem) {
      QVERIFY(!problem);
      ++calls;
    });
    QTRY_COMPARE(calls, 1);
    QVERIFY(list().list().empty());
  }

  void areInOneHistoryWithTheModel() {
    list().add(off(kHead));
    document_->changes().apply("Other heads", withHeads(9));
    QTRY_COMPARE(document_->changes().undoText(), QString("Other heads"));
    list().clear();
    document_->changes().undo();
    QTRY_COMPARE(list().list().size(), std::size_t(1));
    QCOMPARE(document_->changes().undoText(), QString("Other heads"));
    document_->changes().undo();
    QTRY_COMPARE(document_->changes().undoText(), wordsOf(off(kHead)));
    QCOMPARE(list().list().size(), std::size_t(1));
  }

  void oneTargetHasOneEntry() {
    observe::Intervention half = off(kHead);
    half.kind = observe::Intervention::Kind::Scale;
    half.number = 0.5;
    list().add(off(kHead));
    list().add(half);
    QCOMPARE(list().inForce(), std::vector{half});
    list().add(off("decoder.layers.0.cross_attention.head.1"));  // the control
    QCOMPARE(list().inForce().size(), std::size_t(2));
    QVERIFY(!list().isOff(kHead));
    list().replace(1, off(kHead));
    QCOMPARE(list().inForce(), std::vector{off(kHead)});
    list().replace(0, half);
    QCOMPARE(list().inForce(), std::vector{half});
  }

  void whatTheModelLacksIsRefused() {
    for (const char* target :
         {"decoder.layers.0.cross_attention.head.7", "nothing", "output.weight[99, 0]", ""}) {
      QVERIFY2(isRefused([&] { list().add(off(target)); }), target);
      QVERIFY(list().list().empty());
    }
    observe::Intervention patch = off(kHead);
    patch.kind = observe::Intervention::Kind::Patch;
    patch.text = "42";
    QVERIFY(isRefused([&] { list().add(patch); }));
    observe::Intervention mean = off("output.weight[3, 0]");
    mean.kind = observe::Intervention::Kind::Mean;
    QVERIFY(isRefused([&] { list().add(mean); }));
    mean.target = "decoder.layers.0.cross_attention.probabilities[1, 2, 0]";
    QVERIFY(isRefused([&] { list().add(mean); }));
    mean.target = kHead;
    list().require(mean);  // the control
    patch.text = "hello";
    list().add(patch);
    list().add(off("output.weight[3, 0]"));
    QCOMPARE(list().inForce().size(), std::size_t(2));
    QVERIFY(isRefused([&] { list().replace(1, off("output.weight[99, 0]")); }));
    QCOMPARE(list().inForce().back(), off("output.weight[3, 0]"));
  }

  /// The control is the answer without.
  void whatIsObservedIsWithThem() {
    Need need;
    need.pattern = "*.probabilities";
    need.answer = true;
    document_->observing().setQuestion("there");
    document_->observing().setNeed(&view_, need);
    const auto answer = [&] {
      const auto& seen = document_->observing().snapshot();
      return seen && !seen->samples.empty() ? seen->samples.front().answer : std::string();
    };
    QTRY_COMPARE(answer(), std::string("gurer"));
    QVERIFY(document_->observing().snapshot()->interventions.empty());
    list().add(off(kBlock));
    QTRY_VERIFY(document_->observing().snapshot()->interventions == list().inForce());
    QVERIFY(document_->observing().snapshot()->problem.empty());
    QVERIFY(answer() != "gurer");
    list().setOn(0, false);
    QTRY_COMPARE(answer(), std::string("gurer"));
  }

  void theModelIsTrainedWithoutThem() {
    ModelDocument untouched(1);
    untouched.adopt(demonstration());
    list().add(off(kBlock));
    Need need;
    need.pattern = "*";
    need.parameters = true;
    document_->observing().setNeed(&view_, need);
    const std::int64_t end = document_->training().step() + 20;
    QVERIFY(trainTo(*document_, end) && trainTo(untouched, end));
    QCOMPARE(document_->training().history().steps.back().loss,
             untouched.training().history().steps.back().loss);
    QCOMPARE(document_->training().history().evaluations.back().accuracy,
             untouched.training().history().evaluations.back().accuracy);
  }

  void areSavedAndOpened() {
    QTemporaryDir folder;
    list().add(off(kHead));
    list().add(off("output.weight[3, 0]"));
    list().setOn(0, false);
    document_->save(folder.filePath("a"));
    QVERIFY(!document_->files().isModified());
    ModelDocument opened(1);
    opened.open(folder.filePath("a"));
    QVERIFY(opened.interventions().list() == list().list());
    QCOMPARE(opened.interventions().inForce(), std::vector{off("output.weight[3, 0]")});
    QVERIFY(!opened.changes().canUndo() && !opened.files().isModified());
    list().clear();
    document_->save(folder.filePath("b"));
    opened.open(folder.filePath("b"));
    QVERIFY(opened.interventions().list().empty());
  }

  void aRecoveryCopyHasThem() {
    QTemporaryDir folder;
    Recovery recovery(*document_, folder.path().toStdString());
    list().add(off(kHead));
    QVERIFY(!recovery.rescue().isEmpty());
    const train::Document copy = train::openDocument(recovery.copy());
    QVERIFY(copy.interventions == list().list());
  }

  void anotherModelHasNone() {
    list().add(off(kHead));
    startRot13(*document_);
    QVERIFY(list().list().empty() && list().inForce().empty());
  }

  void aRunThatIsLeftKeepsItsOwn() {
    list().add(off(kHead));
    bool done = false;
    document_->startInBackground(presetNamed("rot13").config(), data::defaultTaskConfig("rot13"),
                                 {}, [&](const auto& problem) { done = !problem; });
    QTRY_VERIFY(done);
    QVERIFY(list().list().empty());
    document_->changes().undo();
    QTRY_COMPARE(list().inForce(), std::vector{off(kHead)});
  }

  void stayAsFarAsTheyFitAnotherShape() {
    const QSignalSpy lost(&list(), &Interventions::lost);
    list().add(off(kHead));
    list().add(off("decoder.layers.0.cross_attention.head.1"));
    document_->changes().apply("More heads", withHeads(9));
    QTRY_COMPARE(document_->changes().undoText(), QString("More heads"));
    QCOMPARE(list().inForce().size(), std::size_t(2));
    QCOMPARE(lost.size(), 0);
    document_->changes().apply("Fewer heads", withHeads(3));
    QTRY_COMPARE(document_->changes().undoText(), QString("Fewer heads"));
    QCOMPARE(list().list().size(), std::size_t(2));
    QCOMPARE(list().inForce(), std::vector{off("decoder.layers.0.cross_attention.head.1")});
    QVERIFY(list().problem(0) && !list().problem(1));
    QCOMPARE(lost.size(), 1);
    QCOMPARE(lost.front().front().toInt(), 1);
    document_->changes().undo();
    QTRY_COMPARE(list().inForce().size(), std::size_t(2));
    QVERIFY(!list().problem(0));
  }

  void areSaidInWords() {
    observe::Intervention change = off("decoder.layers.0.self_attention.head.3");
    QCOMPARE(wordsOf(change), QString("decoder, layer 1, self attention, head 4: off"));
    change.target = "encoder.layers.1.feed_forward.neuron.0-7";
    change.kind = observe::Intervention::Kind::Mean;
    QCOMPARE(wordsOf(change), QString("encoder, layer 2, feed forward, neuron 1-8: its mean"));
    change.target = "decoder.layers.0.cross_attention.probabilities[1, 2, 0]";
    change.kind = observe::Intervention::Kind::Set;
    change.number = 0.5;
    QCOMPARE(wordsOf(change),
             QString("decoder, layer 1, cross attention, probabilities [2, 3, 1] = 0.5"));
    change.target = "encoder.embedding[2, .]";
    change.kind = observe::Intervention::Kind::Patch;
    change.text = "hey";
    QCOMPARE(wordsOf(change), QString("encoder, embedding [3, .]: as for “hey”"));
  }

 private:
  Interventions& list() { return document_->interventions(); }

  QObject view_;
  std::unique_ptr<ModelDocument> document_;
};

TFM_TEST(TestInterventions)
#include "test_interventions.moc"
