// SPDX-License-Identifier: GPL-3.0-or-later
// What the window protects: files that other programs also write, replaced runs, runs left by a
// killed program, and those that a device has no room for.
#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScopeGuard>

#include "tests/core/backend/fake_device.h"
#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"
#include "ui/document/recovery.h"
#include "ui/widgets/message_bar.h"

using namespace tfm;
using namespace tfm::ui;

class TestWindowKeeps : public WindowTest {
  Q_OBJECT

 private slots:
  void init() {
    setUp();
    file_ = bench_->savedDemonstration("a.safetensors");
  }

  void aFileReplacedByAnotherProgramIsNotOverwritten() {
    QVERIFY(window().openFile(file_));
    change();
    const QByteArray other = replaceFile();
    const auto answer = [](const QString& text) {
      return [text](QWidget& dialog) {
        for (auto* button : dialog.findChildren<QPushButton*>())
          if (button->text() == text) return button->click();
        qFatal("there is no button %s", qPrintable(text));
      };
    };
    QCOMPARE(withDialogs([&] { save(); }, answer("Cancel")), 1);
    QCOMPARE(bytes(), other);
    QVERIFY(document().files().isModified());
    const auto rename = [&](QWidget& dialog) {
      auto* files = qobject_cast<QFileDialog*>(&dialog);
      if (files == nullptr) return answer("Save under another &name")(dialog);
      files->findChild<QLineEdit*>()->setText(bench_->path("mine.safetensors"));
      QTest::keyClick(files->findChild<QLineEdit*>(), Qt::Key_Return);
    };
    QCOMPARE(withDialogs([&] { save(); }, rename), 2);
    QCOMPARE(bytes(), other);
    QCOMPARE(document().files().path(), bench_->path("mine.safetensors"));
    QVERIFY(!document().files().isModified());

    QVERIFY(window().openFile(file_));
    change();
    replaceFile();
    QCOMPARE(withDialogs([&] { save(); }, answer("&Replace it")), 1);
    QVERIFY(bytes() != other);
    QVERIFY(!document().files().isModified());
    change();  // the control: a file written here is one's own
    QCOMPARE(withDialogs([&] { save(); }, answer("Cancel")), 0);
  }

  void anotherProgramsChangeIsReportedOnActivation() {
    QVERIFY(window().openFile(file_));
    QEvent activated(QEvent::WindowActivate);
    QApplication::sendEvent(&window(), &activated);
    QVERIFY(!messages().isVisible());
    const std::int64_t step = document().training().step();
    replaceFile();
    QApplication::sendEvent(&window(), &activated);
    QVERIFY(messages().isVisible());
    QVERIFY(messages().accessibleName().contains("a.safetensors"));
    messages().hide();
    QApplication::sendEvent(&window(), &activated);
    QVERIFY(!messages().isVisible());  // once is enough
    replaceFile();
    QApplication::sendEvent(&window(), &activated);
    action(messages())->click();
    QVERIFY(document().training().step() != step);
    QVERIFY(!document().files().isModifiedExternally());
  }

  void twoWindowsOfOneFileKnowOfEachOther() {
    ModelDocument other(1);
    other.open(file_);
    QVERIFY(window().openFile(file_));
    QVERIFY(messages().isVisible());
    QVERIFY(messages().accessibleDescription().contains("process"));
    change();
    QCOMPARE(withDialogs([&] { save(); }, [](QWidget& box) { press(box, QMessageBox::Cancel); }),
             1);
    QVERIFY(document().files().isModified());
    other.adopt(train::openDocument(file_.toStdString()));  // it has released the file
    QCOMPARE(withDialogs([&] { save(); }, [](QWidget& box) { box.close(); }), 0);
    QVERIFY(!document().files().isModified());
  }

  void aRestartedRunIsSavedToAnotherFile() {
    QVERIFY(window().openFile(file_));
    const QByteArray trained = bytes();
    const std::int64_t steps = document().training().step();
    bench_->key(Qt::Key_R, Qt::ControlModifier);
    QString proposed;
    const auto look = [&](QWidget& dialog) {
      auto* files = qobject_cast<QFileDialog*>(&dialog);
      QVERIFY(files != nullptr);
      proposed = files->findChild<QLineEdit*>()->text();
      files->reject();
    };
    QCOMPARE(withDialogs([&] { save(); }, look), 1);
    QVERIFY(!proposed.isEmpty() && proposed != "a.safetensors");
    QCOMPARE(bytes(), trained);
    QCOMPARE(document().training().step(), std::int64_t(0));
    window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
    bench_->key(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(document().training().step(), steps);
    QTRY_COMPARE(document().files().path(), file_);
    QVERIFY(!document().files().isModified());
  }

  void startingOverSaysHowToGoBack() {
    QVERIFY(window().openFile(file_));
    change();
    bench_->key(Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY(messages().accessibleName().contains("set aside"));
    QVERIFY(messages().isVisible());
    bench_->key(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(document().training().step() > 0);
    QTRY_VERIFY(!messages().isVisible());
  }

  void leftRunsAreOfferedOneByOne() {
    const std::filesystem::path folder = bench_->path("recovery").toStdString();
    for (const int steps : {3, 5}) {
      ModelDocument killed(1);
      killed.open(file_);
      Recovery copies(killed, folder);
      for (int i = 0; i < steps; ++i) killed.training().stepOnce();
      QTRY_COMPARE(killed.training().step(), document().training().step() + steps);
      QVERIFY(!copies.rescue().isEmpty());
    }
    Recovery recovery(document(), folder);
    const std::int64_t trained = document().training().step();
    QStringList told;
    const auto answer = [&](const QString& text) {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      QVERIFY(box != nullptr);
      told += box->informativeText();
      for (QAbstractButton* button : box->buttons())
        if (button->text() == text) return button->click();
      QFAIL("there is no such button");
    };
    const auto number = [](std::int64_t step) { return QString::number(step); };
    window().offerRecovery(recovery);
    answer("Ask me &later");  // the newest
    answer("&Open");
    QCOMPARE(document().training().step(), trained + 3);
    QCOMPARE(document().files().path(), file_);
    QVERIFY(document().files().isModified());
    QVERIFY(told[0].contains(number(trained + 5)) && told[0].contains("%"));
    QVERIFY(told[1].contains(number(trained + 3)));
    QTRY_COMPARE(recovery.recoverableRuns().size(), std::size_t(1));
    window().offerRecovery(recovery);
    answer("&Discard");
    QTRY_VERIFY(recovery.recoverableRuns().empty());
    QCOMPARE(document().training().step(), trained + 3);
  }

  void aRunThatADeviceHasNoRoomForGoesOnOnTheCpu() {
    QVERIFY(window().openFile(file_));
    Training& training = document().training();
    const std::int64_t step = training.step();
    const auto restore = qScopeGuard([] { chooseDevice("cpu"); });
    test::chooseFakeDevice("small", 500'000);  // for the model, and for what looks at it
    training.moveToDevice();
    training.play();
    QTRY_VERIFY(messages().isVisible() &&
                messages().accessibleDescription().contains("'small' is full"));
    QVERIFY(!training.isRunning());
    QCOMPARE(training.step(), step);
    QCOMPARE(training.device(), QString("small"));
    QCOMPARE(action(messages())->text(), QString("Continue on the CPU"));
    action(messages())->click();
    QTRY_VERIFY(training.step() > step);
    training.pause();
    QCOMPARE(training.device(), QString("cpu"));
    QCOMPARE(chosenDevice(), std::string("cpu"));
  }

 private:
  void save() {
    window().activateWindow();  // a dialog may have been in front of it
    QVERIFY(QTest::qWaitForWindowActive(&window()));
    bench_->key(Qt::Key_S, Qt::ControlModifier);
  }

  /// Acts as another program: writes another model under the same name. Returns its bytes.
  QByteArray replaceFile() {
    train::Document other = train::openDocument(file_.toStdString());
    other.state.step += 1 + replaced_++;
    train::saveDocument(file_.toStdString(), other);
    return bytes();
  }

  QByteArray bytes() const {
    QFile file(file_);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  static QPushButton* action(MessageBar& bar) { return bar.findChild<QPushButton*>(); }

  QString file_;
  int replaced_ = 0;
};

TFM_TEST(TestWindowKeeps)
#include "test_window_keeps.moc"
