// SPDX-License-Identifier: GPL-3.0-or-later
// The recovery copy: when it exists, what it holds, and who gets it.
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <chrono>
#include <memory>

#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"
#include "ui/document/recovery.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

constexpr std::chrono::milliseconds kSoon(1);
constexpr std::chrono::hours kNever(24);

}  // namespace

class TestRecovery : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    document_ = std::make_unique<ModelDocument>(1);
    recovery_ = std::make_unique<Recovery>(*document_, inFolder("recovery"));
    recovery_->setInterval(kSoon);
  }
  void cleanup() {
    recovery_.reset();
    document_.reset();
  }

  void aRunningTrainingIsCopiedRepeatedly() {
    startRot13(*document_);
    document_->training().play();
    QTRY_VERIFY(copiedStep() > 0);
    const std::int64_t step = copiedStep();
    QTRY_VERIFY(copiedStep() > step);
    QVERIFY(document_->training().isRunning());
    const train::Document copy = train::openDocument(recovery_->copy());
    QCOMPARE(std::int64_t(copy.history.steps.size()), copy.state.step);
    // Bit-identical to the run: training continues the same.
    document_->training().pause();
    QTRY_VERIFY(!document_->training().isRunning());
    ModelDocument other(1);
    other.recover(copy, {});
    QVERIFY(other.files().isModified());
    QVERIFY(trainTo(other, document_->training().step()));
    QCOMPARE(other.training().history().steps.back().loss,
             document_->training().history().steps.back().loss);
  }

  void copyingTakesAtMostAHundredthOfTheTime() {
    startRot13(*document_);
    QElapsedTimer clock;
    clock.start();
    std::vector<double> costs, ends;  // seconds
    connect(recovery_.get(), &Recovery::copied, this, [&](double cost) {
      costs.push_back(cost);
      ends.push_back(double(clock.nsecsElapsed()) / 1e9);
    });
    document_->training().play();
    QTRY_VERIFY_WITH_TIMEOUT(costs.size() >= 4, 60'000);
    document_->training().pause();
    for (std::size_t i = 1; i < costs.size(); ++i) {
      QVERIFY(costs[i] > 0.0);
      const double between = ends[i] - ends[i - 1];
      // Timers may be early by a twentieth and count whole milliseconds.
      QVERIFY2(between >= 95.0 * costs[i - 1] - 0.002,
               qPrintable(QString("%1 s after one of %2 s").arg(between).arg(costs[i - 1])));
    }
  }

  void aPauseIsCopiedSoon() {
    recovery_->setInterval(kNever);
    startRot13(*document_);
    QVERIFY(trainTo(*document_, 20));
    QTRY_COMPARE(copiedStep(), std::int64_t(20));
  }

  void anotherModelIsCopiedAtOnce() {
    startRot13(*document_);
    QVERIFY(trainTo(*document_, 20));
    QTRY_COMPARE(copiedStep(), std::int64_t(20));
    recovery_->setInterval(kNever);
    document_->changes().apply("Wider", [](const ModelState& before) {
      ModelConfig config = before.config;
      config.encoder_layers.front().first<FeedForward>()->width = 17;
      ModelState after = initialState(config, before.seed);
      after.step = before.step;
      return after;
    });
    const auto copied = [&] {
      const train::Document copy = train::openDocument(recovery_->copy());
      return copy.state.config.encoder_layers.front().first<FeedForward>()->width;
    };
    QTRY_COMPARE(copied(), std::int64_t(17));
    document_->changes().undo();
    QTRY_VERIFY(copied() != 17);
  }

  /// Trained weights are not replaced by initial ones, which a seed reproduces.
  void aRunAtStepZeroReplacesNoOther() {
    startRot13(*document_);
    QVERIFY(trainTo(*document_, 20));
    QTRY_COMPARE(copiedStep(), std::int64_t(20));
    document_->changes().reset();
    QVERIFY(trainTo(*document_, 3));
    QTRY_COMPARE(copiedStep(), std::int64_t(3));  // the control
    document_->changes().reset();
    document_->changes().settle();
    QVERIFY(!recovery_->rescue().isEmpty());
    QCOMPARE(copiedStep(), std::int64_t(3));
  }

  void itIsRemovedWhenTheDocumentIsSaved() {
    startRot13(*document_);
    QVERIFY(trainTo(*document_, 20));
    QTRY_COMPARE(copiedStep(), std::int64_t(20));
    document_->save(folder_->filePath("a.safetensors"));
    QTRY_VERIFY(files().isEmpty());
    QVERIFY(trainTo(*document_, 21));
    QTRY_COMPARE(copiedStep(), std::int64_t(21));
    document_->open(folder_->filePath("a.safetensors"));  // the changes were discarded
    QTRY_VERIFY(files().isEmpty());
  }

  void itIsRemovedWhenTheProgramEnds() {
    startRot13(*document_);
    QVERIFY(trainTo(*document_, 20));
    QTRY_COMPARE(copiedStep(), std::int64_t(20));
    document_->training().play();
    QTRY_VERIFY(copiedStep() > 20);
    recovery_.reset();  // while it copies
    QVERIFY(files().isEmpty());
  }

  void aRescueNeedsNoEventLoop() {
    recovery_->setInterval(kNever);
    startRot13(*document_);
    document_->training().play();
    QTRY_VERIFY(document_->training().step() > 10);
    const QString copy = recovery_->rescue();
    QCOMPARE(copy.toStdString(), recovery_->copy().string());
    QVERIFY(copiedStep() >= document_->training().step());
    recovery_.reset();
    QVERIFY(QFile::exists(copy));
  }

  void aRescueWithNothingToLoseWritesNothing() {
    startRot13(*document_);
    document_->save(folder_->filePath("a.safetensors"));
    QVERIFY(recovery_->rescue().isEmpty());
    QVERIFY(files().isEmpty());
  }

  void aLeftRunIsOfferedWithItsDetails() {
    startRot13(*document_);
    document_->save(folder_->filePath("a.safetensors"));
    QVERIFY(trainTo(*document_, 20));
    const QDateTime before = QDateTime::currentDateTime().addSecs(-1);
    leave();
    std::vector<RecoverableRun> runs = recovery_->recoverableRuns();
    QCOMPARE(runs.size(), std::size_t(1));
    QCOMPARE(runs[0].name, QString("a.safetensors"));
    QCOMPARE(runs[0].step, std::int64_t(20));
    QVERIFY(runs[0].accuracy && *runs[0].accuracy >= 0.0 && *runs[0].accuracy <= 1.0);
    QVERIFY(runs[0].when >= before && runs[0].when <= QDateTime::currentDateTime());
    recovery_->open(runs[0]);
    runs.clear();
    QCOMPARE(document_->training().step(), std::int64_t(20));
    QCOMPARE(document_->files().path(), folder_->filePath("a.safetensors"));
    QVERIFY(document_->files().isModified());
    QVERIFY(!document_->files().isModifiedExternally());
    QVERIFY(recovery_->recoverableRuns().empty());
    QCOMPARE(copiedStep(), std::int64_t(20));  // it is this program's copy now
    document_->save(document_->files().path());
    QTRY_VERIFY(files().isEmpty());
  }

  void aFileChangedMeanwhileIsNoticed() {
    startRot13(*document_);
    document_->save(folder_->filePath("a.safetensors"));
    QVERIFY(trainTo(*document_, 20));
    leave();
    startRot13(*document_);
    document_->save(folder_->filePath("a.safetensors"), true);
    const std::vector<RecoverableRun> runs = recovery_->recoverableRuns();
    QCOMPARE(runs.size(), std::size_t(1));
    recovery_->open(runs[0]);
    QVERIFY(document_->files().isModifiedExternally());
  }

  void windowsLeaveEachOtherAlone() {
    startRot13(*document_);
    QVERIFY(trainTo(*document_, 20));
    QTRY_COMPARE(copiedStep(), std::int64_t(20));
    ModelDocument second_document(1);
    Recovery second(second_document, inFolder("recovery"));
    QVERIFY(second.copy() != recovery_->copy());
    QVERIFY(second.recoverableRuns().empty());  // its window still runs
    leave();
    {
      const std::vector<RecoverableRun> offered = recovery_->recoverableRuns();
      QCOMPARE(offered.size(), std::size_t(1));
      QVERIFY(second.recoverableRuns().empty());  // the user is being asked
    }
    const std::vector<RecoverableRun> offered = second.recoverableRuns();
    QCOMPARE(offered.size(), std::size_t(1));
    Recovery::discard(offered[0]);
    QVERIFY(files().isEmpty());
  }

  void anUnreadableRunIsOfferedAndSaysSo() {
    startRot13(*document_);
    QVERIFY(trainTo(*document_, 20));
    leave();
    const QDir folder(folder_->filePath("recovery"));
    QFile note(folder.filePath(folder.entryList({"*.json"}).front()));
    QVERIFY(note.open(QIODevice::WriteOnly));
    note.write("[1, {]");
    note.close();
    QFile copy(folder.filePath(folder.entryList({"*.safetensors"}).front()));
    QVERIFY(copy.resize(copy.size() / 2));
    const std::vector<RecoverableRun> runs = recovery_->recoverableRuns();
    QCOMPARE(runs.size(), std::size_t(1));
    QVERIFY(!runs[0].name.isEmpty());
    QVERIFY_EXCEPTION_THROWN(recovery_->open(runs[0]), Error);
    QVERIFY(!document_->isOpen());
  }

  void aFailureIsReportedOnce() {
    const QSignalSpy failed(recovery_.get(), &Recovery::failed);
    QVERIFY(QDir(folder_->filePath("recovery")).removeRecursively());
    startRot13(*document_);
    document_->training().play();
    QTRY_COMPARE(failed.size(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(document_->training().step() > 100, 60'000);
    QVERIFY(QDir(folder_->path()).mkdir("recovery"));
    QTRY_VERIFY(copiedStep() > 0);
    QCOMPARE(failed.size(), 1);
  }

 private:
  std::filesystem::path inFolder(const QString& name) const {
    return folder_->filePath(name).toStdString();
  }
  QStringList files() const {
    return QDir(folder_->filePath("recovery")).entryList({"*.safetensors", "*.json"}, QDir::Files);
  }
  std::int64_t copiedStep() const {
    return std::filesystem::exists(recovery_->copy())
               ? train::openDocument(recovery_->copy()).state.step
               : -1;
  }
  /// Ends as if killed, and starts again without a document.
  void leave() {
    recovery_->rescue();
    cleanup();
    document_ = std::make_unique<ModelDocument>(1);
    recovery_ = std::make_unique<Recovery>(*document_, inFolder("recovery"));
    recovery_->setInterval(kSoon);
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<Recovery> recovery_;
};

TFM_TEST(TestRecovery)
#include "test_recovery.moc"
