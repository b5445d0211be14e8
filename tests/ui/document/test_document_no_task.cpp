// SPDX-License-Identifier: GPL-3.0-or-later
// A model without a task in the window's document: everything but training, until it gets one.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <memory>

#include "core/expand/grow.h"
#include "core/train/fit_task.h"
#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"
#include "ui/document/demonstration.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

train::Document withoutTask() {
  train::Document document = demonstration();
  document.codec = train::makeCodec(document)->codec();
  document.task.reset();
  return document;
}

}  // namespace

class TestDocumentNoTask : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    document_ = std::make_unique<ModelDocument>(1);
    train::saveDocument(path("a.safetensors").toStdString(), withoutTask());
    document_->open(path("a.safetensors"));
  }

  void isLookedInto() {
    QVERIFY(document_->task() == nullptr);
    QCOMPARE(document_->codec().name(), std::string("rot13"));
    QVERIFY(document_->observing().samples().empty());
    QVERIFY(!document_->observing().question().isEmpty());
    QVERIFY(!document_->observing().questionProblem());
    const QObject view;
    Need need;
    need.parameters = need.answer = true;
    need.pattern = "*.probabilities";
    document_->observing().setQuestion("there");
    document_->observing().setNeed(&view, need);
    const auto seen = [&] {
      const auto& snapshot = document_->observing().snapshot();
      return snapshot && snapshot->probe.question == "there" && !snapshot->observed.empty() &&
             !snapshot->samples.empty();
    };
    QTRY_VERIFY(seen());
    QCOMPARE(document_->observing().snapshot()->samples.front().answer, std::string("gurer"));
    document_->observing().setQuestion("THERE");
    QVERIFY(document_->observing().questionProblem().has_value());
  }

  void isGrownUndoneAndSaved() {
    const std::int64_t before = document_->training().layout().total;
    expand::Growth wider;
    wider.kind = expand::Kind::FeedForward;
    wider.size = 40;
    bool done = false;
    document_->changes().apply(
        "wider", [&](const ModelState& state) { return expand::grow(state, {wider}).state; },
        [&](const std::optional<Error>& problem) { done = !problem; });
    QTRY_VERIFY(done);
    QVERIFY(document_->training().layout().total > before);
    document_->save(path("b.safetensors"));
    const train::Document saved = train::openDocument(path("b.safetensors").toStdString());
    QVERIFY(!saved.task && saved.codec);
    QCOMPARE(saved.state.layout.total, document_->training().layout().total);
    document_->changes().undo();
    QTRY_COMPARE(document_->training().layout().total, before);
  }

  void asksForATaskInsteadOfTraining() {
    const QSignalSpy wanted(&document_->training(), &Training::taskWanted);
    document_->training().play();
    document_->training().stepOnce();
    document_->changes().reset();
    document_->changes().newSeed();
    QCOMPARE(wanted.size(), 4);
    document_->changes().settle();
    QVERIFY(!document_->training().isRunning());
    QCOMPARE(document_->training().step(), withoutTask().state.step);
    startRot13(*document_);  // the control
    document_->training().stepOnce();
    QTRY_COMPARE(document_->training().step(), std::int64_t(1));
    QCOMPARE(wanted.size(), 4);
  }

  void getsATaskAndKeepsItsWeights() {
    std::optional<Error> refused;
    document_->giveTask(data::defaultTaskConfig("addition"), document_->training().config(),
                        [&](const std::optional<Error>& problem) { refused = problem; });
    QTRY_VERIFY(refused.has_value());
    QVERIFY(document_->task() == nullptr);
    bool done = false;
    document_->giveTask(*document_->likelyTask(), document_->training().config(),
                        [&](const std::optional<Error>& problem) { done = !problem; });
    QTRY_VERIFY(done);
    QVERIFY(document_->task() != nullptr);
    QCOMPARE(document_->files().path(), path("a.safetensors"));
    QVERIFY(document_->files().isModified());
    QVERIFY(!document_->observing().samples().empty());
    document_->save(path("b.safetensors"));
    const train::Document saved = train::openDocument(path("b.safetensors").toStdString());
    QVERIFY(saved.task.has_value());
    QVERIFY(saved.state.parameters == withoutTask().state.parameters);
    QVERIFY(saved.state.second_moment == withoutTask().state.second_moment);
    const std::int64_t step = document_->training().step();
    document_->training().stepOnce();
    QTRY_COMPARE(document_->training().step(), step + 1);
    const QSignalSpy setAside(&document_->changes(), &Changes::stepsSetAside);
    document_->changes().undo();
    QTRY_VERIFY(document_->task() == nullptr);
    QCOMPARE(document_->training().step(), step);
    QCOMPARE(document_->files().path(), path("a.safetensors"));
    QCOMPARE(setAside.size(), 0);
    document_->changes().redo();
    QTRY_VERIFY(document_->task() != nullptr);
    QCOMPARE(document_->training().step(), step + 1);
  }

  void comesBackWithUndo() {
    bool done = false;
    document_->startInBackground(presetNamed("rot13").config(), data::defaultTaskConfig("rot13"),
                                 {}, [&](const std::optional<Error>& problem) { done = !problem; });
    QTRY_VERIFY(done);
    QVERIFY(document_->task() != nullptr);
    document_->changes().undo();
    QTRY_VERIFY(document_->task() == nullptr);
    QVERIFY(document_->moments().model() == withoutTask().state.config);
    document_->changes().redo();
    QTRY_VERIFY(document_->task() != nullptr);
  }

  void saysWhichTextIsMissing() {
    const QString text = path("text.txt");
    QFile file(text);
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int i = 0; i < 100'000; ++i)
      file.write("line " + QByteArray::number(i % 9973) + " of it\n");
    file.close();
    data::TaskConfig task = data::defaultTaskConfig("text");
    task.path = text.toStdString();
    train::TrainConfig train;
    document_->start(presetNamed("characters").config(), task, train);
    document_->save(path("t.safetensors"));
    const QSignalSpy found(document_.get(), &ModelDocument::foundNoTask);
    document_->open(path("t.safetensors"));
    QCOMPARE(found.size(), 0);
    QVERIFY(document_->task() != nullptr);
    QVERIFY(QFile::rename(text, path("moved.txt")));
    document_->open(path("t.safetensors"));
    QCOMPARE(found.size(), 1);
    QVERIFY(QString(document_->whyNoTask().what()).contains("text.txt"));
    // Saved again, it still knows.
    document_->save(path("u.safetensors"));
    QVERIFY(QFile::rename(path("moved.txt"), text));
    document_->open(path("u.safetensors"));
    QVERIFY(document_->task() != nullptr);
  }

 private:
  QString path(const QString& name) const { return folder_->filePath(name); }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<ModelDocument> document_;
};

TFM_TEST(TestDocumentNoTask)
#include "test_document_no_task.moc"
