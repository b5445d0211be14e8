// SPDX-License-Identifier: GPL-3.0-or-later
// Writing a lesson, as docs/lessons.md describes it, click by click.
#include <QFile>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QToolButton>

#include "core/lesson/lesson_check.h"
#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/lesson/lesson_panel.h"
#include "ui/window/lesson_editor.h"
#include "ui/window/lesson_guide.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

/// The lesson that the manual shows.
QString lessonOfTheManual() {
  QFile file(QStringLiteral(TFM_TEST_DATA "/../docs/lessons.md"));
  if (!file.open(QIODevice::ReadOnly)) qFatal("no manual");
  QString lesson;
  bool inside = false;
  for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
    inside = inside || line == "    ---";
    if (inside && !line.isEmpty() && !line.startsWith(' ')) break;
    if (inside) lesson += line.mid(4) + '\n';
  }
  return lesson;
}

}  // namespace

class TestWindowLessonEditor : public WindowTest {
  Q_OBJECT

 private slots:
  void theManualIsFollowedClickByClick() {
    window().showScreen(kAttention);
    writeALesson();
    QVERIFY(editor().isVisible());
    QVERIFY(source().contains("screen: Attention"));  // a first page about what is shown
    QCOMPARE(editor().mistakes().count(), 0);

    replace("What is the question of this page?", "Which cell is it?");
    goTo("# Which cell");
    editor().recordButton().click();
    QTRY_VERIFY(window().attention().lock({2, 0, 0}, std::nullopt));
    QTest::qWait(50);
    auto& map = *window().attention().findChild<HeatMapView*>();
    QTest::mouseClick(map.viewport(), Qt::LeftButton, {}, map.cellRect(1, 1).center().toPoint());
    editor().recordButton().click();
    const auto found =
        editor().seen().findItems("a cell of a cross-attention map is locked", Qt::MatchExactly);
    QCOMPARE(found.size(), 1);
    QCOMPARE(editor()
                 .seen()
                 .findItems("the cell in row 2, column 2 of a cross-attention map is locked",
                            Qt::MatchExactly)
                 .size(),
             1);
    QVERIFY(editor().seen().findItems("the Attention screen is open", Qt::MatchExactly).isEmpty());
    editor().seen().setCurrentItem(found.front());
    editor().addButton().click();
    QVERIFY(source().contains("check: a cell of a cross-attention map is locked"));

    // What is missing is said, with its line.
    QCOMPARE(editor().mistakes().count(), 1);
    QVERIFY(editor().mistakes().item(0)->text().contains("nobody says what to do"));
    emit editor().mistakes().itemClicked(editor().mistakes().item(0));
    QVERIFY(editor().source().textCursor().block().text().startsWith("check: "));
    replace("check: a cell", "do: Click a cell of *cross*.\ncheck: a cell");
    QCOMPARE(editor().mistakes().count(), 0);

    goTo("# Which cell");
    auto* point = editor().findChild<QToolButton*>();
    emit point->menu()->aboutToShow();
    for (QAction* action : point->menu()->actions())
      if (action->text() == "The large map") action->trigger();
    QVERIFY(source().contains("point: The large map"));

    const QString path = bench_->path("mine.lesson.md");
    QVERIFY(saveAs(path));
    document().selection().clear();
    editor().tryButton().click();
    QVERIFY(window().lessons().isOpen());
    LessonPanel& panel = window().lessons().panel();
    QCOMPARE(panel.page().title, std::string("Which cell is it?"));
    QVERIFY(!panel.pageProgress().done);
    QTRY_VERIFY(window().attention().lock({2, 0, 0}, std::nullopt));
    QTest::qWait(50);
    QTest::mouseClick(map.viewport(), Qt::LeftButton, {}, map.cellRect(2, 3).center().toPoint());
    QTRY_VERIFY(panel.pageProgress().done);
    QCOMPARE(problems(path), std::string());
  }

  void theLessonOfTheManualIsPlayed() {
    const QString path = bench_->path("first.lesson.md");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(lessonOfTheManual().toUtf8());
    file.close();
    QCOMPARE(problems(path), std::string());
    QVERIFY(window().openLesson(path));
    QCOMPARE(window().lessons().panel().lesson().pages.size(), std::size_t(2));
    writeALesson();  // edits the one that is open
    QCOMPARE(editor().path(), path);
    QCOMPARE(source().trimmed(), lessonOfTheManual().trimmed());
  }

  void editsAreNotLostWithoutAQuestion() {
    writeALesson();
    replace("title: A new lesson", "title: Mine");
    QCOMPARE(withDialogs([&] { editor().reject(); },
                         [](QWidget& dialog) { press(dialog, QMessageBox::Cancel); }),
             1);
    QVERIFY(editor().isVisible() && source().contains("title: Mine"));
    QCOMPARE(withDialogs([&] { editor().reject(); },
                         [](QWidget& dialog) { press(dialog, QMessageBox::Discard); }),
             1);
    QVERIFY(!editor().isVisible());
  }

  void aRecordingOfNothingSaysSo() {
    writeALesson();
    editor().recordButton().click();
    editor().recordButton().click();
    QCOMPARE(editor().seen().count(), 0);
    QVERIFY(!editor().addButton().isEnabled());
  }

 private:
  LessonEditor& editor() { return *window().findChild<LessonEditor*>(); }
  QString source() { return editor().source().toPlainText(); }
  void writeALesson() {
    for (QAction* action : window().findChildren<QAction*>())
      if (action->text() == "&Write a lesson...") return action->trigger();
  }
  void replace(const QString& from, const QString& to) {
    QTextCursor cursor = editor().source().document()->find(from);
    QVERIFY2(!cursor.isNull(), qPrintable(from));
    cursor.insertText(to);
  }
  void goTo(const QString& text) {
    QTextCursor cursor = editor().source().document()->find(text);
    cursor.clearSelection();
    editor().source().setTextCursor(cursor);
  }
  bool saveAs(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return false;
    file.write(source().toUtf8());
    file.close();
    editor().openFile(path);
    goTo("# Which cell");
    return true;
  }
  static std::string problems(const QString& path) {
    const std::filesystem::path file = path.toStdString();
    std::string text;
    for (const Error& one : lesson::play(lesson::readLessonFile(file), file.filename().string(),
                                         file.parent_path(), 1))
      text += one.where() + ": " + one.problem() + "\n";
    return text;
  }
};

TFM_TEST(TestWindowLessonEditor)
#include "test_window_lesson_editor.moc"
