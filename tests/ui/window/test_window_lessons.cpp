// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons beside the picture: what they open, point at, ask, tick and keep. All shipped lessons are
// played by transformarium-lessons (tests/tour).
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>
#include <set>

#include "core/lesson/password.h"
#include "core/lesson/targets.h"
#include "tests/test_program.h"
#include "tests/tour/lesson_robot.h"
#include "tests/ui/window/window_bench.h"
#include "ui/figure/corner_menu.h"
#include "ui/figure/explanation_pane.h"
#include "ui/figure/glossary.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/experiment/new_run_dialog.h"
#include "ui/views/lesson/lesson_panel.h"
#include "ui/views/transport/transport_bar.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/lesson_guide.h"
#include "ui/window/lesson_notes.h"
#include "ui/window/manual.h"
#include "ui/window/presenter.h"
#include "ui/window/rail.h"
#include "ui/window/top_bar.h"
#include "ui/window/welcome.h"
#include "ui/window/zones.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

const QByteArray kLesson =
    "---\n"
    "title: A small one\n"
    "minutes: 10\n"
    "start: preset rot13\n"
    "text: there\n"
    "---\n"
    "# What is locked?\n"
    "It has {parameters} numbers.\n"
    "```page\n"
    "screen: Attention\n"
    "point: The large map\n"
    "predict:\n"
    "  ask: What will be locked?\n"
    "  choices: [a cell, a head]\n"
    "  right: a cell\n"
    "do: Click a cell.\n"
    "check: a cell of a cross-attention map is locked\n"
    "```\n"
    "# How many heads?\n"
    "```page\n"
    "part: question\n"
    "question:\n"
    "  ask: How many heads, of {layers} layers?\n"
    "  right: \"{heads}\"\n"
    "hints:\n"
    "  - Count the maps.\n"
    "  - There are three kinds.\n"
    "solution: There are {heads}.\n"
    "```\n";

}  // namespace

class TestWindowLessons : public WindowTest {
  Q_OBJECT

 private slots:
  /// The one table of what a page can point at, and what F1 explains, are the same.
  void targetsAreThePartsThatF1Explains() {
    std::set<std::pair<std::string, std::string>> explained, named;
    QVERIFY(std::ranges::equal(lesson::screens(), kScreens, {}, {}, &ScreenName::name));
    for (const int screen : screens()) {
      window().showScreen(screen);
      for (const CornerMenu* menu :
           window().findChild<Zones*>()->screen(screen)->findChildren<CornerMenu*>())
        for (const ExplainedPart& part : menu->parts())
          explained.emplace(screenName(screen), part.name.toStdString());
    }
    for (std::size_t i = 0; i < lesson::targets().size(); ++i) {
      const lesson::Target& target = lesson::targets()[i];
      QVERIFY2(window().lessons().targetWidget(i) != nullptr, std::string(target.name).c_str());
      if (!target.screen.empty() && target.screen != lesson::kMenu)
        named.emplace(target.screen, target.name);
    }
    explained.erase({"Train", "What it writes"});  // in place of the answers, for a text
    for (const auto& [screen, name] : explained)
      QVERIFY2(named.contains({screen, name}), (screen + ": " + name).c_str());
    for (const auto& [screen, name] : named)
      QVERIFY2(explained.contains({screen, name}), (screen + ": " + name).c_str());
  }

  /// Other screens than the lesson's stay visible and in reach of the keyboard, and say why they
  /// are closed, by mouse, key and menu.
  void otherScreensAreLocked() {
    QVERIFY(window().openLesson(LessonGuide::shipped()[3].path));
    QCOMPARE(window().screen(), int(kFlow));
    auto& top = *window().findChild<TopBar*>();
    for (const int screen : screens()) QCOMPARE(top.isLocked(screen), screen != kFlow);
    bench_->key(Qt::Key_2);
    QCOMPARE(window().screen(), int(kFlow));
    QVERIFY(noteSays("Attention is locked"));
    QVERIFY(noteSays("The open lesson uses Flow only"));
    QToolButton* tab = nullptr;
    for (QToolButton* button : top.findChildren<QToolButton*>())
      if (button->accessibleName() == "Attention") tab = button;
    QVERIFY(tab != nullptr && tab->isEnabled() && tab->focusPolicy() != Qt::NoFocus);
    QVERIFY(tab->toolTip().contains("The open lesson uses Flow only"));
    QVERIFY(tab->accessibleDescription().contains("The open lesson uses Flow only"));
    tab->click();
    QCOMPARE(window().screen(), int(kFlow));
    QVERIFY(!tab->isChecked());
    window().lessons().close();
    QVERIFY(!top.isLocked(kAttention) && tab->accessibleDescription().isEmpty());
    bench_->key(Qt::Key_2);
    QCOMPARE(window().screen(), int(kAttention));
  }

  /// Every command that a lesson can lock is in the menu, and refuses.
  void lockedCommandsRefuse() {
    QByteArrayList names;
    for (const lesson::Target& target : lesson::targets())
      if (target.screen == lesson::kMenu)
        names << QByteArray::fromStdString(std::string(target.name));
    openWithHead("locked: [" + names.join(", ") + "]\n");
    for (const QByteArray& name : names) {
      messages().hide();
      QAction* command = nullptr;
      for (QAction* action : window().findChildren<QAction*>()) {
        QString text = action->text().remove('&');
        if (text.endsWith("...")) text.chop(3);
        if (text == QString(name)) command = action;
      }
      QVERIFY2(command != nullptr && command->font().strikeOut(), name);
      command->trigger();
      QVERIFY2(noteSays(QString(name) + " is locked"), name);
    }
    QVERIFY(QApplication::activeModalWidget() == nullptr);
  }

  /// What a lesson locks stays where it was, takes the focus and no input, and says why; commands
  /// refuse by menu, key and button.
  void lockedPartsTakeNoInput() {
    openWithHead("locked: [Start over, New run, Open, \"Attention, All heads\"]\n");
    document().training().stepOnce();
    QTRY_COMPARE(document().training().step(), std::int64_t(1));
    auto& start_over = *window().findChild<TransportBar*>()->findChild<QWidget*>("Start over");
    QVERIFY(start_over.isEnabled() && start_over.accessibleDescription().contains("locks it"));
    QTest::mouseClick(&start_over, Qt::LeftButton);
    QTRY_VERIFY(noteSays("Start over is locked"));
    bench_->key(Qt::Key_R, Qt::ControlModifier);
    QTest::qWait(100);
    QCOMPARE(document().training().step(), std::int64_t(1));
    bench_->key(Qt::Key_N, Qt::ControlModifier);
    QVERIFY(noteSays("New run is locked") && QApplication::activeModalWidget() == nullptr);
    QVERIFY(!window().openFile(bench_->savedDemonstration("other.safetensors")));
    QVERIFY(noteSays("Open is locked"));
    for (const QAction* action : window().findChildren<QAction*>())
      if (action->text() == "&New run...") QVERIFY(action->font().strikeOut());

    QWidget& heads = *window().lessons().targetWidget(*lesson::targetNamed("All heads"));
    const auto* map = heads.findChild<HeatMapView*>();
    QWidget& pressed = map != nullptr ? *const_cast<HeatMapView*>(map) : heads;
    messages().hide();
    QTest::mouseClick(&pressed, Qt::LeftButton);
    QVERIFY(noteSays("All heads is locked"));
    messages().hide();
    lockCell();  // the large map is free
    QVERIFY(!messages().isVisible());

    window().lessons().close();
    bench_->key(Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE(document().training().step(), std::int64_t(0));
    QVERIFY(start_over.accessibleDescription().isEmpty());
  }

  void thePasswordUnlocks() {
    openWithHead("screens: Attention\nlocked: Play\npassword: " +
                 QByteArray::fromStdString("\"" + lesson::hashedPassword("open it") + "\"\n"));
    LessonGuide& guide = window().lessons();
    QVERIFY(guide.isLocked() && !guide.whyLocked("Play").isEmpty());
    QVERIFY(!guide.unlock("open") && guide.isLocked());
    bench_->key(Qt::Key_Space);
    QVERIFY(!document().training().isRunning());
    // Without it, the lesson stays open.
    QTimer::singleShot(200, [] {
      if (auto* box = qobject_cast<QDialog*>(QApplication::activeModalWidget())) box->reject();
    });
    guide.closeAfterAsking();
    QVERIFY(guide.isOpen());
    QVERIFY(guide.unlock("open it") && !guide.isLocked());
    QVERIFY(guide.whyLocked("Play").isEmpty());
    window().showScreen(kFlow);
    QCOMPARE(window().screen(), int(kFlow));
    guide.closeAfterAsking();
    QVERIFY(!guide.isOpen());
  }

  void anExamHasAClockAndRecordsAbsences() {
    const QString path = openWithHead("exam: yes\n");
    QVERIFY(window().isFullScreen());
    const auto shows = [&](const QString& time) {
      const auto labels = panel().findChildren<QLabel*>();
      return std::ranges::any_of(
          labels, [&](QLabel* l) { return l->isVisible() && l->text().startsWith(time); });
    };
    QVERIFY(shows("10:00") || shows("9:5"));
    bench_->key(Qt::Key_PageDown);
    QVERIFY(!button("Hint")->isVisible());
    QVERIFY(panel().progress().absences.empty());
    emit qApp->applicationStateChanged(Qt::ApplicationInactive);
    QTest::qWait(1100);
    emit qApp->applicationStateChanged(Qt::ApplicationActive);
    QCOMPARE(panel().progress().absences.size(), std::size_t(1));
    const std::int64_t begun = panel().progress().begun;
    window().lessons().close();
    QVERIFY(!window().isFullScreen());
    QVERIFY(window().openLesson(path));  // leaving and coming back is one, too
    QCOMPARE(panel().progress().absences.size(), std::size_t(2));
    QCOMPARE(panel().progress().begun, begun);
    QVERIFY(window().lessons().answers().progress.absences.front().seconds >= 1);
  }

  void thePredictionComesBeforeTheDeed() {
    open(kLesson);
    QCOMPARE(window().screen(), int(kAttention));
    QTRY_VERIFY(text().contains("It has " + QString::number(parameters()) + " numbers."));
    QVERIFY(!window().findChild<Rail*>()->isVisible());
    lockCell();
    QTest::qWait(500);
    QVERIFY(!panel().pageProgress().done);  // nothing was predicted
    choose(panel().prediction(), "a head");
    QCOMPARE(panel().pageProgress().prediction, std::string("a head"));
    QTRY_VERIFY(panel().pageProgress().done);
    QTRY_VERIFY(says(panel().prediction(), "You predicted: a head\nIt is: a cell"));
    for (auto* choice : panel().prediction().findChildren<QRadioButton*>())
      QVERIFY(!choice->isEnabled());  // committed once
    document().selection().clear();
    QTest::qWait(500);
    QVERIFY(panel().pageProgress().done);  // once done, it stays so
  }

  /// It looks five times a second, so a look must cost next to nothing.
  void aLookCostsNextToNothing() {
    open(kLesson);
    QElapsedTimer clock;
    clock.start();
    constexpr int kLooks = 50;
    for (int i = 0; i < kLooks; ++i) panel().look();
    const double milliseconds = double(clock.nsecsElapsed()) / 1e6 / kLooks;
    QVERIFY2(milliseconds < 10.0, qPrintable(QString::number(milliseconds)));
    qInfo("%.3f ms a look", milliseconds);
  }

  void wrongAnswersAreCountedAndNothingIsFilledIn() {
    open(kLesson);
    bench_->key(Qt::Key_PageDown);
    QCOMPARE(panel().progress().page, std::int64_t(1));
    QTRY_VERIFY(says(panel().question(), "How many heads, of 2 layers?"));
    auto& field = *panel().question().findChild<QLineEdit*>();
    QCOMPARE(field.text(), QString());
    answer("20");
    QTRY_VERIFY(says(panel().question(), "Not yet."));
    QCOMPARE(panel().pageProgress().attempts, std::int64_t(1));
    auto& hint = *button("Hint");
    hint.click();
    QTRY_VERIFY(text().contains("Count the maps."));
    QVERIFY(!text().contains("There are three kinds."));
    hint.click();
    QTRY_COMPARE(hint.text(), QString("Solution"));
    QVERIFY(text().contains("There are three kinds.") && !text().contains("There are 21."));
    hint.click();
    QTRY_VERIFY(text().contains("There are 21.") && !hint.isEnabled());
    QCOMPARE(field.text(), QString("20"));
    answer("21");
    QTRY_VERIFY(panel().pageProgress().done);
    QTRY_VERIFY(says(panel().question(), "Right"));
  }

  void progressIsKeptOverARestart() {
    const QString path = open(kLesson);
    choose(panel().prediction(), "a cell");
    panel().turn(1);
    answer("3");
    const lesson::Progress before = panel().progress();
    bench_->restart();
    QVERIFY(bench_->showActive());
    QVERIFY(!window().lessons().isOpen());
    QVERIFY(window().openLesson(path));
    QCOMPARE(panel().progress().page, std::int64_t(1));
    QVERIFY(panel().progress() == before);
    QCOMPARE(panel().question().findChild<QLineEdit*>()->text(), QString("3"));
  }

  void theKeysOfAPresenterTurnPagesWhereverTheFocusIs() {
    open(kLesson);
    window().findChild<QLineEdit*>()->setFocus();
    bench_->key(Qt::Key_PageDown);
    QCOMPARE(panel().progress().page, std::int64_t(1));
    bench_->key(Qt::Key_PageDown);
    QCOMPARE(panel().progress().page, std::int64_t(1));  // there is no other
    bench_->key(Qt::Key_PageUp);
    QCOMPARE(panel().progress().page, std::int64_t(0));
    window().lessons().close();
    window().showScreen(kFlow);
    bench_->key(Qt::Key_PageDown);  // the control: a key of Flow
    QCOMPARE(panel().progress().page, std::int64_t(0));
  }

  void itPointsWithAnOutlineThatLetsClicksThrough() {
    open(kLesson);
    const auto* marks = window().findChild<PartMarks*>();
    QVERIFY(marks != nullptr && marks->isVisible());
    QVERIFY(marks->testAttribute(Qt::WA_TransparentForMouseEvents));
    const QWidget* map = window().lessons().targetWidget(*lesson::targetNamed("The large map"));
    QCOMPARE(marks->marks().size(), std::size_t(1));
    const QRect seen(map->mapTo(&window(), QPoint()), map->size());
    QVERIFY(marks->marks()[0].intersects(seen));
    panel().goTo(1);
    QVERIFY(window().findChild<PartMarks*>() == nullptr);
  }

  void itBeginsWithScreensAsInANewWindowAndGivesThemBack() {
    AttentionShown shown = window().attention().state();
    shown.stage = AttentionStage::Scaled;
    window().attention().setState(shown);
    auto& zones = *window().findChild<Zones*>();
    window().showScreen(kAttention);
    zones.ask(Zones::kRight, true);
    open(kLesson);
    QVERIFY(window().attention().state().stage == AttentionStage::Softmax);
    QVERIFY(!zones.isShown(Zones::kRight));
    QCOMPARE(document().training().step(), std::int64_t(0));
    QCOMPARE(document().observing().question(), QString("there"));
    window().lessons().close();
    QVERIFY(zones.isShown(Zones::kRight));
    QVERIFY(window().findChild<Rail*>()->isVisible());
    QVERIFY(!window().lessons().panel().isVisible());
  }

  void aLessonWithAMistakeReplacesNothing() {
    const std::int64_t step = document().training().step();
    const QString path = written("bad", QByteArray(kLesson).replace("screen: A", "screen: B"));
    QVERIFY(!window().openLesson(path));
    QVERIFY(!window().lessons().isOpen());
    QCOMPARE(document().training().step(), step);
    QTRY_VERIFY(messages().isVisible());
    QVERIFY(messages().accessibleName().contains("there is no screen 'Bttention'"));
  }

  void unsavedWorkIsAskedForFirst() {
    change();
    const std::int64_t step = document().training().step();
    const QString path = written("small", kLesson);
    QCOMPARE(withDialogs([&] { QVERIFY(window().openLesson(path)); },
                         [](QWidget& dialog) { press(dialog, QMessageBox::Cancel); }),
             1);
    QVERIFY(!window().lessons().isOpen());
    QCOMPARE(document().training().step(), step);
  }

  /// Links of the shipped lessons into the manual lead somewhere, and open it.
  void termsLinkToTheGlossary() {
    int links = 0;
    for (const LessonGuide::Row& row : LessonGuide::shipped()) {
      QVERIFY(window().openLesson(row.path));
      for (const lesson::Link& link : panel().lesson().links) {
        const QString place = QString::fromStdString(link.target);
        if (!place.startsWith("manual:")) continue;
        ++links;
        const QString anchor = place.section('#', 1);
        QVERIFY2(std::ranges::any_of(manualSections(),
                                     [&](const ManualSection& section) {
                                       return section.page == "glossary.md" &&
                                              anchorOf(section.heading) == anchor;
                                     }),
                 qPrintable(row.title + ": " + place));
      }
    }
    QVERIFY(links >= 7);
    emit panel().linkClicked(QUrl("manual:glossary.md#softmax"));
    auto* manual = window().findChild<Manual*>();
    QVERIFY(manual != nullptr && manual->isVisible());
    QCOMPARE(manual->findChild<QTextBrowser*>()->textCursor().block().text(), QString("softmax"));
  }

  void everythingSaysWhatItIs() {
    const QWidget* play = window().lessons().targetWidget(*lesson::targetNamed("Play"));
    QVERIFY(whatIs(*play).contains("Space"));
    const QWidget* map = window().lessons().targetWidget(*lesson::targetNamed("The large map"));
    QVERIFY(whatIs(*map).contains("The large map: "));
    QCOMPARE(whatIs(QWidget()), QString());  // the control
    int silent = 0, all = 0;
    for (const int screen : screens()) {
      window().showScreen(screen);
      for (const auto* button : window().findChildren<QAbstractButton*>())
        if (button->isVisible() && ++all > 0 && whatIs(*button).isEmpty()) {
          qWarning() << button;
          ++silent;
        }
    }
    QVERIFY(all > 100);
    QCOMPARE(silent, 0);
  }

  void aPresenterBlanksAndPointsWithLight() {
    bench_->key(Qt::Key_F5);
    QCOMPARE(window().cursor().shape(), Qt::BitmapCursor);
    window().showScreen(kTrain);
    auto* presenter = window().findChild<Presenter*>();
    const auto at = [&](const QPoint& place) {
      return window().grab().toImage().pixelColor(place).lightness();
    };
    const QPoint corner(4, window().height() - 4), middle(window().rect().center());
    const int usual = at(corner);
    QVERIFY(usual > 200);  // the projector's theme is light
    bench_->key(Qt::Key_B);
    QVERIFY(presenter->isVisible());
    bench_->key(Qt::Key_B);  // a remote's key ends it, too
    QVERIFY(!presenter->isVisible());
    window().findChild<QLineEdit*>()->setFocus();
    if (window().findChild<QLineEdit*>()->hasFocus()) {
      bench_->key(Qt::Key_B);  // a letter of a text
      QVERIFY(!presenter->isVisible());
      bench_->key(Qt::Key_Escape);  // ends the text
      window().setFocus();
    }
    bench_->key(Qt::Key_B);
    QVERIFY(presenter->isVisible());
    QCOMPARE(at(corner), 0);
    QCOMPARE(at(middle), 0);
    bench_->key(Qt::Key_2);  // ends it and does nothing else
    QVERIFY(!presenter->isVisible());
    QCOMPARE(window().screen(), int(kTrain));
    bench_->key(Qt::Key_2);
    QCOMPARE(window().screen(), int(kAttention));

    bench_->key(Qt::Key_B, Qt::ControlModifier);
    QVERIFY(presenter->isVisible());
    QTest::mouseMove(window().windowHandle(), middle);
    QApplication::processEvents();
    QVERIFY(at(corner) < usual / 2);
    const int lit = at(middle);
    bench_->key(Qt::Key_B, Qt::ControlModifier);
    QVERIFY(!presenter->isVisible());
    QCOMPARE(at(middle), lit);  // the light changes nothing there
    bench_->key(Qt::Key_F5);
    QVERIFY(window().cursor().shape() != Qt::BitmapCursor);
    window().showScreen(kAttention);
    bench_->key(Qt::Key_B);  // the control: a key of Attention again
    QVERIFY(!presenter->isVisible());
  }

  void theTeacherHasNotes() {
    open(QByteArray(kLesson).replace("do: Click", "notes: Ask the class.\ndo: Click"));
    for (QAction* action : window().findChildren<QAction*>())
      if (action->text() == "&Notes for the teacher") action->trigger();
    auto* notes = window().findChild<LessonNotes*>();
    QVERIFY(notes != nullptr && notes->isVisible());
    const auto says = [&](const char* text) {
      return notes->text().toPlainText().contains(QLatin1String(text));
    };
    QVERIFY(says("Ask the class.") && says("To do: Click a cell.") &&
            says("What comes out: a cell") && says("Next: How many heads?"));
    panel().turn(1);
    QVERIFY(says("Answer: 21") && says("Solution: There are 21.") && !says("Ask the class."));
    QVERIFY(!text().contains("Ask the class."));  // not for the student
  }

  void threeDoorsLeadIn() {
    QVERIFY(!bench_->settings().welcomed());
    const auto doors = [&] {
      auto* welcome = window().findChild<Welcome*>();
      std::vector<QPushButton*> buttons;
      for (auto* button : welcome->findChildren<QPushButton*>())
        if (!button->accessibleDescription().isEmpty()) buttons.push_back(button);
      return buttons;
    };
    window().welcome();
    QVERIFY(bench_->settings().welcomed());
    QCOMPARE(doors().size(), std::size_t(3));
    doors()[0]->click();
    QVERIFY(window().lessons().isOpen());
    QCOMPARE(panel().lesson().title, std::string("What attention reads"));
    window().lessons().close();
    QTRY_VERIFY(window().findChild<Welcome*>() == nullptr);
    window().showScreen(kGrow);
    window().welcome();
    doors()[1]->click();
    QCOMPARE(window().screen(), int(kAttention));
    QTRY_VERIFY(window().findChild<Welcome*>() == nullptr);
    window().welcome();
    doors()[2]->click();
    auto* run = window().findChild<NewRunDialog*>();
    QVERIFY(run != nullptr && run->isVisible());
    run->reject();
  }

  void everyCheckHasADeedInTheWindow() { QCOMPARE(LessonRobot::missingDeeds(), QStringList()); }

 private:
  LessonPanel& panel() { return window().lessons().panel(); }
  QString text() { return panel().findChild<QTextBrowser*>()->toPlainText(); }
  std::int64_t parameters() { return document().training().layout().total; }
  QString written(const QString& name, const QByteArray& lesson) {
    const QString path = bench_->path(name + ".lesson.md");
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(lesson) < 0) qFatal("cannot write");
    return path;
  }
  QString open(const QByteArray& lesson) {
    const QString path = written("small", lesson);
    if (!window().openLesson(path)) qFatal("the lesson does not open");
    return path;
  }
  /// The small lesson with more lines in its head.
  QString openWithHead(const QByteArray& lines) {
    QByteArray lesson = kLesson;
    return open(lesson.insert(lesson.indexOf("---\n#"), lines));
  }
  bool noteSays(const QString& words) {
    const auto labels = messages().findChildren<QLabel*>();
    return messages().isVisible() && std::ranges::any_of(labels, [&](QLabel* label) {
             return label->text().contains(words);
           });
  }
  void lockCell() {
    document().selection().choose(ChosenCell{"decoder.layers.0.cross_attention", 0, 0, 0});
  }
  QPushButton* button(const QString& text) {
    for (auto* one : panel().findChildren<QPushButton*>())
      if (one->text() == text) return one;
    return nullptr;
  }
  static void choose(LessonQuestion& question, const QString& choice) {
    for (auto* one : question.findChildren<QRadioButton*>())
      if (one->accessibleName() == choice) one->click();
    question.findChild<QPushButton*>()->click();
  }
  void answer(const QString& number) {
    panel().question().findChild<QLineEdit*>()->setText(number);
    panel().question().findChild<QPushButton*>()->click();
  }
  static bool says(const LessonQuestion& question, const QString& text) {
    for (const auto* label : question.findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(text)) return true;
    return false;
  }
};

TFM_TEST(TestWindowLessons)
#include "test_window_lessons.moc"
