// SPDX-License-Identifier: GPL-3.0-or-later
// Files in the window: opened, dropped, refused with a reason, and never lost without asking.
#include <QApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTextDocument>
#include <QToolTip>

#include "core/io/npz.h"
#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"
#include "ui/document/submodel_explorer.h"
#include "ui/views/elastic/elastic_inspector.h"
#include "ui/views/elastic/elastic_pictures.h"
#include "ui/views/elastic/elastic_setup.h"
#include "ui/views/elastic/elastic_view.h"
#include "ui/views/experiment/new_run_dialog.h"
#include "ui/views/experiment/task_column.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/top_bar.h"

using namespace tfm;
using namespace tfm::ui;

class TestWindowFiles : public WindowTest {
  Q_OBJECT

 private slots:
  void init() {
    setUp();
    file_ = bench_->savedDemonstration("a.safetensors");
  }

  void aDroppedFileIsOpened() {
    QMimeData files;
    files.setUrls({QUrl::fromLocalFile(file_)});
    QVERIFY(drop(files));
    QCOMPARE(document().files().path(), file_);
    QVERIFY(window().windowTitle().startsWith("a.safetensors"));
    QMimeData words;  // the control
    words.setText("rot13");
    QVERIFY(!drop(words));
    QCOMPARE(document().files().path(), file_);
  }

  void aCorruptFileIsRefusedWithAReason() {
    QVERIFY(window().openFile(file_));
    QFile file(bench_->path("broken.safetensors"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("not a model at all");
    file.close();
    QVERIFY(!window().openFile(file.fileName()));
    QVERIFY(messages().isVisible());
    QVERIFY(!messages().accessibleName().isEmpty());
    QVERIFY(messages().accessibleDescription().contains(file.fileName()));
    QVERIFY(messages().accessibleDescription().split(". ").size() >= 2);  // where, and what to do
    QCOMPARE(document().files().path(), file_);
    QVERIFY(!bench_->settings().recentFiles().contains(file.fileName()));
    QVERIFY(window().openFile(file_));  // the control: opening a valid file removes the message
    QVERIFY(!messages().isVisible());
  }

  void anExtractedSubmodelIsAFileAndTheWindowSaysSo() {
    window().showScreen(kElastic);
    window().elastic().parts().example->click();
    QTRY_VERIFY(window().elastic().explorer().state() != nullptr);
    window().elastic().parts().inspector->extractTo(bench_->path("no folder/part.safetensors"));
    QTRY_VERIFY(messages().accessibleName().startsWith("cannot write"));
    const QString part = bench_->path("part.safetensors");
    window().elastic().parts().inspector->extractTo(part);
    QTRY_COMPARE(messages().accessibleName(),
                 QString("Submodel %1 saved").arg(window().elastic().explorer().choiceName()));
    QVERIFY(messages().isVisible());
    QVERIFY(messages().accessibleDescription().contains(part));
    QVERIFY(window().openFile(part));
  }

  void cancelKeepsTheWindowAndTheChanges() {
    change();
    bool closed = true;
    QCOMPARE(withDialogs([&] { closed = window().close(); },
                         [](QWidget& box) {
                           const auto* asked = qobject_cast<QMessageBox*>(&box);
                           QVERIFY(asked != nullptr && !asked->iconPixmap().isNull());
                           QCOMPARE(asked->icon(), QMessageBox::NoIcon);  // the product's own
                           press(box, QMessageBox::Cancel);
                         }),
             1);
    QVERIFY(!closed);
    QVERIFY(window().isVisible());
    QVERIFY(document().files().isModified());
  }

  void discardLosesTheChanges() {
    QVERIFY(window().openFile(file_));
    change();
    const QByteArray before = bytes();
    QCOMPARE(withDialogs([&] { QVERIFY(window().openFile(file_)); },
                         [](QWidget& box) { press(box, QMessageBox::Discard); }),
             1);
    QVERIFY(!document().files().isModified());
    QCOMPARE(bytes(), before);
  }

  void saveSavesFirst() {
    QVERIFY(window().openFile(file_));
    change();
    const std::int64_t step = document().training().step();
    bool closed = false;
    QCOMPARE(withDialogs([&] { closed = window().close(); },
                         [](QWidget& box) { press(box, QMessageBox::Save); }),
             1);
    QVERIFY(closed);
    ModelDocument saved(1);
    saved.open(file_);
    QCOMPARE(saved.training().step(), step);
  }

  void withoutAFileSaveAsksForOne() {
    change();
    const QString chosen = bench_->path("chosen");  // the ending is added
    const auto choose = [&](QWidget& dialog) {
      auto* files = qobject_cast<QFileDialog*>(&dialog);
      if (files == nullptr) return press(dialog, QMessageBox::Save);
      auto* name = files->findChild<QLineEdit*>();
      name->setText(chosen);
      QTest::keyClick(name, Qt::Key_Return);
    };
    bool closed = false;
    QCOMPARE(withDialogs([&] { closed = window().close(); }, choose), 2);
    QVERIFY(closed);
    QVERIFY(QFile::exists(chosen + ".safetensors"));
    QVERIFY(bench_->settings().recentFiles().contains(chosen + ".safetensors"));
  }

  void aFileReachedByTheExtensionIsReplacedOnlyAfterAsking() {
    change();
    const QByteArray before = bytes();
    QVERIFY(file_.endsWith(".safetensors"));
    bool replace = false;
    const auto choose = [&](QWidget& dialog) {
      if (auto* files = qobject_cast<QFileDialog*>(&dialog)) {
        if (files->findChild<QLineEdit*>()->text() == "a.safetensors") return files->reject();
        files->findChild<QLineEdit*>()->setText(file_.chopped(qsizetype(strlen(".safetensors"))));
        return QTest::keyClick(files->findChild<QLineEdit*>(), Qt::Key_Return);
      }
      press(dialog, replace ? QMessageBox::Yes : QMessageBox::No);
    };
    const auto saveAs = [&] {
      window().activateWindow();  // a dialog has been in front of it
      QVERIFY(QTest::qWaitForWindowActive(&window()));
      bench_->key(Qt::Key_S, Qt::ControlModifier);
    };
    QCOMPARE(withDialogs(saveAs, choose), 3);  // where, replace, where else
    QCOMPARE(bytes(), before);
    QVERIFY(document().files().isModified());
    replace = true;
    QCOMPARE(withDialogs(saveAs, choose), 2);
    QVERIFY(bytes() != before);
    QVERIFY(!document().files().isModified());
  }

  void aCancelledSaveKeepsTheWindow() {
    change();
    const auto giveUp = [&](QWidget& dialog) {
      auto* files = qobject_cast<QFileDialog*>(&dialog);
      if (files == nullptr) return press(dialog, QMessageBox::Save);
      files->reject();
    };
    bool closed = true;
    withDialogs([&] { closed = window().close(); }, giveUp);
    QVERIFY(!closed);
    QVERIFY(document().files().isModified());
  }

  void aSavedDocumentIsNotAskedAbout() {
    QVERIFY(window().openFile(file_));
    change();
    document().save(file_);
    QCOMPARE(withDialogs([&] { QVERIFY(window().close()); }, [](QWidget& box) { box.close(); }), 0);
  }

  void unattendedItNeverAsks() {
    window().setUnattended(true);
    change();
    const auto asked = [](QWidget& box) { box.close(); };
    QCOMPARE(withDialogs([&] { QVERIFY(window().openFile(file_)); }, asked), 0);
    QVERIFY(!window().openFile(bench_->path("missing")));
    change();
    QCOMPARE(withDialogs([&] { QVERIFY(window().close()); }, asked), 0);
  }

  void trainingDataIsOfferedForANewRun_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("task");
    QTest::newRow("text") << "book.txt" << QByteArray("Once upon a time. ").repeated(20) << "text";
    QTest::newRow("tsv") << "reviews.tsv"
                         << QByteArray("good film\tpos\nbad film\tneg\n").repeated(5)
                         << "sentiment";
    QTest::newRow("csv") << "reviews.csv"
                         << QByteArray("text,label\ngood film,1\nbad film,0\na film,1\nno,0\n")
                         << "sentiment";
  }
  void trainingDataIsOfferedForANewRun() {
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(QString, task);
    const QString path = bench_->path(name);
    write(path, content);
    QMimeData files;
    files.setUrls({QUrl::fromLocalFile(path)});
    QVERIFY(drop(files));
    QVERIFY(messages().isVisible());
    QVERIFY2(messages().accessibleName().startsWith(name), qPrintable(messages().accessibleName()));
    action(messages())->click();
    auto* dialog = window().findChild<NewRunDialog*>();
    QVERIFY(dialog != nullptr);
    QCOMPARE(QString::fromStdString(dialog->learned().kind), task);
    QCOMPARE(QString::fromStdString(dialog->learned().path), path);
    QTRY_VERIFY(dialog->task().task() != nullptr);
    dialog->reject();
  }

  /// A file's name may look like HTML.
  void namesAreShownLetterForLetter() {
    const QString name = "<h1>a&amp;b<img src=x>.safetensors";
    QVERIFY(!window().openFile(bench_->path("<b>missing.safetensors")));
    namesIn(messages(), "<b>missing");
    window().resize(1600, 1000);
    QVERIFY(window().openFile(bench_->savedDemonstration(name)));
    change();
    namesIn(window(), "&amp;b");
    const auto answer = [&](QWidget& box) {
      namesIn(box, "&amp;b");
      press(box, QMessageBox::Cancel);
    };
    QCOMPARE(withDialogs([&] { window().close(); }, answer), 1);
    // In a tooltip, too.
    auto& bar = *window().findChild<TopBar*>();
    for (auto* label : bar.findChildren<QLabel*>()) {
      if (!label->text().contains("&amp;b") && label->toolTip().isEmpty()) continue;
      QHelpEvent help(QEvent::ToolTip, QPoint(2, 2), label->mapToGlobal(QPoint(2, 2)));
      QApplication::sendEvent(label, &help);
      QTextDocument laid_out;
      laid_out.setHtml(QToolTip::text());
      QVERIFY2(laid_out.toPlainText().contains(name), qPrintable(QToolTip::text()));
    }
    QToolTip::hideText();
  }

  void foldersAndArchivesAreNamed() {
    QDir(bench_->path("")).mkpath("reviews/pos");
    QVERIFY(!window().openFile(bench_->path("reviews")));
    QVERIFY(messages().accessibleName().contains("folder"));
    QCOMPARE(action(messages())->text(), QString("New run with it..."));
    QDir(bench_->path("")).mkpath("other");
    QVERIFY(!window().openFile(bench_->path("other")));
    QVERIFY(action(messages())->text() != "New run with it...");
    const std::vector<float> numbers(3);
    io::writeNpz(bench_->path("weights.npz").toStdString(),
                 {{"w", io::makeTensor({3}, std::span<const float>(numbers))}});
    QVERIFY(!window().openFile(bench_->path("weights.npz")));
    QVERIFY(messages().accessibleName().contains("archive"));
    QVERIFY(messages().accessibleDescription().contains(".safetensors"));
    QVERIFY(action(messages())->isHidden());
  }

 private:
  void write(const QString& path, const QByteArray& content) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
  }

  /// A label in there has the text, and none lays out what it is told.
  static void namesIn(const QWidget& widget, const QString& text) {
    bool found = false;
    for (const auto* label : widget.findChildren<QLabel*>()) {
      if (!label->isVisible()) continue;
      QVERIFY2(label->textFormat() != Qt::AutoText, qPrintable(label->text()));
      if (label->text().contains(text)) {
        found = true;
        QCOMPARE(label->textFormat(), Qt::PlainText);
      }
    }
    QVERIFY2(found, qPrintable(text));
  }

  static QPushButton* action(MessageBar& bar) { return bar.findChild<QPushButton*>(); }

  bool drop(const QMimeData& data) {
    const QPointF middle = QRectF(window().rect()).center();
    QDragEnterEvent enter(middle.toPoint(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window(), &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent drop(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window(), &drop);
    return true;
  }

  QByteArray bytes() const {
    QFile file(file_);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  QString file_;
};

TFM_TEST(TestWindowFiles)
#include "test_window_files.moc"
