// SPDX-License-Identifier: GPL-3.0-or-later
// A report made in the window: what is put into it is what the screens show, `report check`
// computes the same numbers, and the file opens again with every figure's state.
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <cmath>

#include "core/report/report_check.h"
#include "core/report/report_html.h"
#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"
#include "ui/figure/corner_menu.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/flow/flow_diagram.h"
#include "ui/views/flow/flow_view.h"
#include "ui/views/lesson/lesson_panel.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/panel.h"
#include "ui/window/lesson_guide.h"
#include "ui/window/report_desk.h"
#include "ui/window/report_dialog.h"

using namespace tfm;
using namespace tfm::ui;

class TestWindowReport : public WindowTest {
  Q_OBJECT

 private:
  ReportDesk& desk() { return window().reports(); }
  const report::Report& made() { return desk().report(); }

  QAction* putEntry(QWidget& corner) {
    for (QAction* action : static_cast<CornerMenu&>(corner).menu()->actions())
      if (action->text() == "Put into the &report") return action;
    return nullptr;
  }

  /// Chooses the entry of a menu and waits until it is done.
  bool put(CornerMenu& corner) {
    const std::size_t before = made().items.size();
    putEntry(corner)->trigger();
    return QTest::qWaitFor([&] { return made().items.size() == before + 1; }, 20000);
  }

  /// The menu of the first panel of a screen.
  CornerMenu& cornerOf(int screen) {
    window().showScreen(Screen(screen));
    auto* panel = window().findChildren<View*>()[0]->findChild<Panel*>();
    for (View* view : window().findChildren<View*>())
      if (view->isVisible())
        if (auto* own = view->findChild<Panel*>()) panel = own;
    return panel->menu();
  }

  std::string html() { return report::toHtml(made()); }

  bool save(const QString& path) { return desk().save(path) && QFile::exists(path); }

  static std::string contentOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return file.readAll().toStdString();
  }

 private slots:
  /// Of each screen one figure, whose numbers are those on the screen.
  void figuresAreWhatScreensShow() {
    for (const int screen : screens()) {
      CornerMenu& corner = cornerOf(screen);
      if (screen == kFlow)
        QVERIFY(QTest::qWaitFor([&] { return window().flow().isReady(); }, 10000));
      QTest::qWait(300);
      QVERIFY2(putEntry(corner) != nullptr, screenName(screen));
      if (!putEntry(corner)->isEnabled()) continue;  // it shows nothing now
      QVERIFY2(put(corner), screenName(screen));
      const report::Item& item = made().items.back();
      QVERIFY2(!item.title.empty() && item.picture.find("<svg") != std::string::npos,
               screenName(screen));
    }
    QVERIFY(made().items.size() >= 6);
    QCOMPARE(made().models.size(), std::size_t(1));
    const report::CheckedReport checked = report::check(html(), "here");
    QVERIFY(checked.isSound());
    QVERIFY(std::ranges::count(checked.items, report::Verdict::Agrees,
                               &report::CheckedItem::verdict) >= 2);  // Attention, Flow
  }

  /// Every number of the map's table is in the report where its layer and head say.
  void attentionIsTheTensor() {
    CornerMenu& corner = cornerOf(kAttention);
    QTRY_VERIFY(window().attention().lock({2, 0, 3}, Cell{1, 2}));
    QTest::qWait(100);
    QVERIFY(put(corner));
    const report::Item& item = made().items.back();
    QCOMPARE(item.source.shown, std::string("decoder.layers.0.cross_attention.probabilities[3]"));
    const std::string name = item.source.shown.substr(0, item.source.shown.find('['));
    const auto map = std::ranges::find(item.numbers, name, &report::Block::name);
    QVERIFY(map != item.numbers.end());
    QVERIFY(!item.table.rows.empty());
    const auto column = [&](const char* title) {
      return std::size_t(std::ranges::find(item.table.columns, title) - item.table.columns.begin());
    };
    const std::size_t row = column("row"), col = column("column"), value = column("value");
    QVERIFY(value < item.table.columns.size());
    for (const std::vector<std::string>& fields : item.table.rows) {
      const std::int64_t at =
          (3 * map->shape[1] + std::stoll(fields[row])) * map->shape[2] + std::stoll(fields[col]);
      QVERIFY(std::abs(map->values[std::size_t(at)] - std::stod(fields[value])) < 1e-6);
    }
  }

  /// While the model learns, it stops, and figure and model are of one step.
  void trainingPausesForAFigure() {
    CornerMenu& corner = cornerOf(kAttention);
    QTest::qWait(200);
    document().training().play();
    QTRY_VERIFY(document().training().step() > 620);
    QVERIFY(put(corner));
    QVERIFY(!document().training().isRunning());
    const report::Item& item = made().items.back();
    QCOMPARE(item.step, document().training().step());
    QVERIFY2(item.title.ends_with("step " + std::to_string(item.step)), item.title.c_str());
    const report::CheckedReport checked = report::check(html(), "here");
    QVERIFY(checked.items[0].verdict == report::Verdict::Agrees);
  }

  /// Saved, opened again in another window, and each figure shown as it was.
  void reportsTravel() {
    CornerMenu& corner = cornerOf(kAttention);
    QTRY_VERIFY(window().attention().lock({2, 0, 3}, Cell{1, 2}));
    QTest::qWait(100);
    QVERIFY(put(corner));
    desk().show();
    ReportDialog& dialog = desk().dialog();
    QCOMPARE(dialog.list().count(), 1);
    QTest::keyClicks(&dialog.author(), "Ada");
    dialog.note().setPlainText("It looks <straight> up");
    QVERIFY(put(cornerOf(kTrain)));
    QCOMPARE(dialog.list().count(), 2);
    QCOMPARE(made().items[0].note, std::string("It looks <straight> up"));
    const QString path = bench_->path("mine.html");
    QVERIFY(save(path));
    const report::CheckedReport checked = report::check(contentOf(path), "here");
    QVERIFY(checked.isSound());
    QCOMPARE(checked.author, std::string("Ada"));
    const QString pdf = bench_->path("mine.pdf");
    QVERIFY(save(pdf));
    QVERIFY(contentOf(pdf).starts_with("%PDF"));

    bench_->restart();
    QVERIFY(bench_->showActive());
    QCOMPARE(made().items.size(), std::size_t(2));  // kept over the restart
    withDialogs([&] { desk().clear(); },
                [](QWidget& asked) { press(asked, QMessageBox::Discard); });
    QVERIFY(made().items.empty());
    QVERIFY(window().openFile(path));
    QCOMPARE(made().items.size(), std::size_t(2));
    window().showScreen(kFlow);
    document().training().stepOnce();
    QTRY_COMPARE(document().training().step(), std::int64_t(601));
    withDialogs([&] { desk().showAgain(0); },
                [](QWidget& asked) { press(asked, QMessageBox::Discard); });
    QCOMPARE(document().training().step(), std::int64_t(600));
    QCOMPARE(window().screen(), int(kAttention));
    QTRY_COMPARE(window().attention().state().locked.cell, std::optional(Cell{1, 2}));
  }

  /// The answers to a lesson go with it, and another window continues the lesson.
  void lessonsTravel() {
    const auto& lessons = LessonGuide::shipped();
    QVERIFY(window().openLesson(lessons.front().path));
    LessonPanel& panel = window().lessons().panel();
    panel.goTo(1);
    const QString path = bench_->path("lesson.html");
    QVERIFY(save(path));
    const report::CheckedReport checked = report::check(contentOf(path), "here");
    QCOMPARE(checked.lesson, panel.lesson().title);
    QVERIFY(checked.pages.size() >= 5);
    QVERIFY(std::ranges::none_of(checked.pages, &report::CheckedPage::done_now));
    window().lessons().close();
    QVERIFY(!window().lessons().isOpen());
    desk().continueLesson();
    QVERIFY(window().lessons().isOpen());
    QCOMPARE(panel.progress().page, std::int64_t(1));
  }

  /// A report that is not saved is not let go without a question; a broken file changes nothing.
  void nothingIsLost() {
    QVERIFY(put(cornerOf(kAttention)));
    int asked =
        withDialogs([&] { desk().clear(); }, [](QWidget& box) { press(box, QMessageBox::Cancel); });
    QCOMPARE(asked, 1);
    QCOMPARE(made().items.size(), std::size_t(1));
    const QString path = bench_->path("broken.html");
    QVERIFY(save(path));
    QFile file(path);
    QVERIFY(file.resize(file.size() / 2));
    QVERIFY(!desk().open(path));
    QVERIFY(messages().isVisible());
    QCOMPARE(made().items.size(), std::size_t(1));
    asked = withDialogs([&] { desk().clear(); }, [](QWidget&) {});
    QCOMPARE(asked, 0);  // it was saved
    QVERIFY(made().items.empty());
  }
};

TFM_TEST(TestWindowReport)
#include "test_window_report.moc"
