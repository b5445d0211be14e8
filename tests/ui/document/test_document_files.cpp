// SPDX-License-Identifier: GPL-3.0-or-later
// A document and its file: opening, saving, exporting, and what stays unchanged on failure.
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <functional>
#include <memory>

#include "tests/obeys_permissions.h"
#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"
#include "ui/document/demonstration.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(bytes), bytes.size());
}

/// The error that `work` throws, if any.
std::optional<Error> errorOf(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& problem) {
    return problem;
  }
  return std::nullopt;
}

}  // namespace

class TestDocumentFiles : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    document_ = std::make_unique<ModelDocument>(1);
  }

  void aNewDocumentIsEmptyUntilItAdopts() {
    QVERIFY(!document_->isOpen());
    QVERIFY(document_->files().name().isEmpty());
    const QSignalSpy replaced(document_.get(), &ModelDocument::replaced);
    document_->adopt(demonstration());
    QCOMPARE(replaced.size(), 1);
    QVERIFY(document_->isOpen());
    QVERIFY(!document_->files().isModified());
    QVERIFY(!document_->training().isRunning());
    QCOMPARE(document_->files().name(), QString("rot13 (not saved)"));
    QCOMPARE(document_->training().step(), document_->training().history().steps.back().step);
    QVERIFY(!document_->observing().samples().empty());
    QCOMPARE(document_->observing().question(), QString("there"));  // kept in the document
  }

  void aStartedRunIsModifiedUntilItIsSaved() {
    startRot13(*document_);
    QVERIFY(document_->files().isModified());
    const QSignalSpy title(&document_->files(), &Files::titleChanged);
    document_->save(path("a.safetensors"));
    QCOMPARE(title.size(), 1);
    QVERIFY(!document_->files().isModified());
    QCOMPARE(document_->files().name(), QString("a.safetensors"));
    QCOMPARE(document_->files().path(), path("a.safetensors"));
    document_->training().stepOnce();
    QTRY_COMPARE(document_->training().step(), std::int64_t(1));
    QVERIFY(document_->files().isModified());
    QCOMPARE(title.size(), 2);
  }

  void aSavedDocumentContinuesAsIfNeverClosed() {
    startRot13(*document_);
    QVERIFY(trainTo(*document_, 20));
    document_->save(path("a.safetensors"));
    ModelDocument reopened(1);
    reopened.open(path("a.safetensors"));
    QVERIFY(!reopened.files().isModified());
    QCOMPARE(reopened.training().step(), std::int64_t(20));
    QVERIFY(reopened.training().history() == document_->training().history());
    QVERIFY(trainTo(*document_, 30));
    QVERIFY(trainTo(reopened, 30));
    for (std::size_t i = 0; i < 30; ++i)
      QCOMPARE(reopened.training().history().steps[i].loss,
               document_->training().history().steps[i].loss);
    ModelDocument other(1);  // the control: another seed has other losses
    startRot13(other);
    other.changes().newSeed();
    QVERIFY(trainTo(other, 1));
    QVERIFY(other.training().history().steps[0].loss !=
            document_->training().history().steps[0].loss);
  }

  void aFailedOpenKeepsTheDocument_data() {
    QTest::addColumn<QString>("file");
    for (const char* file : {"truncated", "text", "empty", "missing", "folder"})
      QTest::newRow(file) << file;
  }
  void aFailedOpenKeepsTheDocument() {
    QFETCH(QString, file);
    startRot13(*document_);
    QVERIFY(trainTo(*document_, 10));
    document_->save(path("good"));
    write(path("truncated"), bytesOf(path("good")).chopped(100));
    write(path("text"), "Dear diary, this is no model.");
    write(path("empty"), {});
    QVERIFY(QDir(folder_->path()).mkdir("folder"));

    const QSignalSpy replaced(document_.get(), &ModelDocument::replaced);
    const auto problem = errorOf([&] { document_->open(path(file)); });
    QVERIFY(problem);
    QVERIFY(!problem->problem().empty());
    QVERIFY(QString::fromStdString(problem->where()).contains(path(file)));
    QVERIFY(!problem->hint().empty());
    QCOMPARE(replaced.size(), 0);
    QCOMPARE(document_->files().path(), path("good"));
    QVERIFY(!document_->files().isModified());
    QCOMPARE(document_->training().history().steps.size(), std::size_t(10));
    QVERIFY(trainTo(*document_, 11));  // and it still works
    document_->open(path("good"));     // the control: the intact file opens
    QCOMPARE(replaced.size(), 1);
    QCOMPARE(document_->training().step(), std::int64_t(10));
  }

  void anInvalidModelIsNotStarted() {
    startRot13(*document_);
    ModelConfig model = presetNamed("rot13").config();
    model.hidden = -4;
    QVERIFY(errorOf([&] { document_->start(model, data::defaultTaskConfig("rot13"), {}); }));
    QVERIFY(trainTo(*document_, 1));
    std::optional<Error> told;
    bool done = false;
    document_->startInBackground(model, data::defaultTaskConfig("rot13"), {},
                                 [&](const std::optional<Error>& problem) {
                                   told = problem;
                                   done = true;
                                 });
    QTRY_VERIFY(done);
    QVERIFY(told);
    QCOMPARE(document_->training().step(), std::int64_t(1));
  }

  void aFailingSaveKeepsTheFileAndTheDocument() {
    startRot13(*document_);
    document_->save(path("a.safetensors"));
    QVERIFY(trainTo(*document_, 5));
    const tfm::test::ObeysPermissions obeys;
    const QString locked = path("locked");
    QVERIFY(QDir().mkdir(locked));
    QVERIFY(QFile(locked).setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    const QStringList places{locked + "/a.safetensors", path("no/such/a.safetensors"),
                             folder_->path()};
    for (const QString& place : places) {
      const auto problem = errorOf([&] { document_->save(place); });
      QVERIFY2(problem, qPrintable(place));
      QVERIFY(QString::fromStdString(problem->what()).contains(place));
      QCOMPARE(document_->files().path(), path("a.safetensors"));
      QVERIFY(document_->files().isModified());
    }
    ModelDocument former(1);
    former.open(path("a.safetensors"));
    QCOMPARE(former.training().step(), std::int64_t(0));
    document_->save(path("a.safetensors"));  // the control: elsewhere it saves
    former.open(path("a.safetensors"));
    QCOMPARE(former.training().step(), std::int64_t(5));
  }

  void savingDoesNotDisturbTraining() {
    startRot13(*document_);
    train::TrainConfig train = document_->training().config();
    train.stop.steps = 400;
    document_->training().setConfig(train);
    document_->training().play();
    QTRY_VERIFY(document_->training().step() >= 20);
    document_->save(path("middle"));
    QTRY_VERIFY_WITH_TIMEOUT(
        document_->training().step() == 400 && !document_->training().isRunning(), 60000);
    QVERIFY(document_->files().isModified());
    ModelDocument middle(1);
    middle.open(path("middle"));
    const std::int64_t saved = middle.training().step();
    QVERIFY(saved >= 20 && saved <= 400);
    QCOMPARE(middle.training().history().steps.size(), std::size_t(saved));
    QVERIFY(trainTo(middle, 400));
    QCOMPARE(middle.training().history().steps.back().loss,
             document_->training().history().steps.back().loss);
  }

 private:
  QString path(const QString& name) const { return folder_->filePath(name); }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<ModelDocument> document_;
};

TFM_TEST(TestDocumentFiles)
#include "test_document_files.moc"
