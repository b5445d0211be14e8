// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing a path to save to; no file is replaced without asking.
#include <QAbstractButton>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTimer>

#include "tests/ui/ui_test.h"
#include "ui/figure/save_path.h"

using namespace tfm::ui;

class TestSavePath : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }

  void init() {
    QVERIFY(folder_.isValid());
    QFile there(path("there.csv"));
    QVERIFY(there.open(QIODevice::WriteOnly));
    asked_.clear();
  }

  void theExtensionIsAddedIfMissing() {
    QCOMPARE(withEnding("a", "csv"), QString("a.csv"));
    QCOMPARE(withEnding("a.csv", "csv"), QString("a.csv"));
    QCOMPARE(withEnding("a.CSV", "csv"), QString("a.CSV"));
    QCOMPARE(withEnding("v1.2", "csv"), QString("v1.2.csv"));
    QCOMPARE(withEnding("x.svg", "csv"), QString("x.svg.csv"));  // not numbers in a picture's file
    QCOMPARE(withEnding("csv", "csv"), QString("csv.csv"));
  }

  void titlesBecomeFileNames() {
    QCOMPARE(fileNameFor("Loss and accuracy of rot13 (not saved)"),
             QString("loss-and-accuracy-of-rot13-not-saved"));
    QCOMPARE(fileNameFor(" – "), QString("figure"));
    const QString words = QString("word").repeated(15) + " " + QString("other").repeated(4);
    QCOMPARE(fileNameFor(words), words.chopped(21));               // no word is cut
    QCOMPARE(fileNameFor(words.chopped(1)).size(), 80);            // the control: just fits
    QCOMPARE(fileNameFor(QString("a").repeated(100)).size(), 80);  // but one that is too long
  }

  void aNewNameIsNotAskedAbout() {
    QCOMPARE(ask({"new"}, {}), path("new.csv"));
    QVERIFY(asked_.isEmpty());
  }

  void aFileReachedByTheExtensionIsAskedAbout() {
    QCOMPARE(ask({"there"}, {QMessageBox::Yes}), path("there.csv"));
    QCOMPARE(asked_, QStringList("there.csv already exists. Replace it?"));
  }

  void keepingTheFileAsksForAnotherName() {
    QCOMPARE(ask({"there", "new"}, {QMessageBox::No}), path("new.csv"));
    QCOMPARE(asked_.size(), 1);
    asked_.clear();
    QCOMPARE(ask({"there", ""}, {QMessageBox::No}), QString());  // or cancels
    QCOMPARE(asked_.size(), 1);
  }

  void theDialogsOwnQuestionIsTheOnlyOne() {
    QCOMPARE(ask({"there.csv"}, {QMessageBox::Yes}), path("there.csv"));
    QCOMPARE(asked_.size(), 1);
    QVERIFY(asked_[0] != "there.csv already exists. Replace it?");
  }

  void theFilterChoosesTheName() {
    const auto complete = [](const QString& typed, const QString& filter) {
      return typed + (filter == "Numbers (*.csv)" ? ".csv" : ".txt");
    };
    const Answers answers(*this, {"there", ""}, {QMessageBox::No});
    QCOMPARE(askSavePath(nullptr, {"Save", path("a"), "Numbers (*.csv);;Words (*.txt)"}, complete),
             QString());
    QCOMPARE(asked_.size(), 1);
  }

 private:
  /// Answers file dialogs with names ("" cancels) and message boxes with buttons.
  class Answers {
   public:
    Answers(TestSavePath& test, QStringList names, QList<int> buttons)
        : test_(test), names_(std::move(names)), buttons_(std::move(buttons)) {
      timer_.callOnTimeout([this] { answer(); });
      timer_.start(20);
    }

   private:
    void answer() {
      QWidget* dialog = QApplication::activeModalWidget();
      if (auto* files = qobject_cast<QFileDialog*>(dialog)) {
        const QString name = names_.isEmpty() ? QString() : names_.takeFirst();
        if (name.isEmpty()) return files->reject();
        files->findChild<QLineEdit*>()->setText(test_.path(name));
        // Not directly: it may ask again, and this timer must answer that.
        QMetaObject::invokeMethod(files, "accept", Qt::QueuedConnection);
      } else if (auto* box = qobject_cast<QMessageBox*>(dialog)) {
        test_.asked_ << box->text();
        const int button = buttons_.isEmpty() ? int(QMessageBox::No) : buttons_.takeFirst();
        box->button(QMessageBox::StandardButton(button))->click();
      }
    }

    TestSavePath& test_;
    QStringList names_;
    QList<int> buttons_;
    QTimer timer_;
  };

  QString ask(const QStringList& names, const QList<int>& buttons) {
    const Answers answers(*this, names, buttons);
    return askSavePath(nullptr, {"Save", path("proposal"), "Numbers (*.csv)"}, "csv");
  }

  QString path(const QString& name) const { return folder_.filePath(name); }

  QTemporaryDir folder_;
  QStringList asked_;
};

TFM_TEST(TestSavePath)
#include "test_save_path.moc"
