// SPDX-License-Identifier: GPL-3.0-or-later
#include <QActionGroup>
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QWhatsThis>
#include <algorithm>
#include <array>

#include "ui/document/model_document.h"
#include "ui/document/screens.h"
#include "ui/study/compare_dialog.h"
#include "ui/style/style.h"
#include "ui/views/experiment/experiment_dock.h"
#include "ui/views/train/profile_dialog.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/about.h"
#include "ui/window/lesson_editor.h"
#include "ui/window/lesson_guide.h"
#include "ui/window/lesson_notes.h"
#include "ui/window/main_window.h"
#include "ui/window/manual.h"
#include "ui/window/presenter.h"
#include "ui/window/report_desk.h"
#include "ui/window/shortcut_dialog.h"
#include "ui/window/top_bar.h"
#include "ui/window/welcome.h"
#include "ui/window/window_files.h"
#include "ui/window/zones.h"

namespace tfm::ui {

/// A menu entry; an empty text is a separator.
struct MainWindow::Command {
  QString icon;
  QString text;
  QKeySequence keys;
  std::function<void()> run;
};

void MainWindow::addCommands(QMenu& menu, const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    if (command.text.isEmpty()) {
      menu.addSeparator();
      continue;
    }
    QAction* action = menu.addAction(command.text, this, command.run);
    action->setShortcut(command.keys);
    if (!command.icon.isEmpty()) action->setIcon(style_.icon(command.icon));
  }
}

void MainWindow::addMenus() {
  QMenu& file = *menuBar()->addMenu(tr("&File"));
  addCommands(file,
              {{"document", tr("&New run..."), QKeySequence::New, [this] { startNewRun(); }},
               {"open", tr("&Open..."), QKeySequence::Open, [this] { files_->openChosen(); }}});
  recent_ = file.addMenu(tr("Open &recent"));
  connect(recent_, &QMenu::aboutToShow, this, [this] { fillRecent(*recent_); });
  addPresets(*file.addMenu(tr("Open a &preset")));
  addLessons(*file.addMenu(tr("&Lessons")));
  addCommands(
      file,
      {{{}, tr("&Import model..."), {}, [this] { files_->importChosen(); }},
       {{}, tr("&How its tensors were read..."), {}, [this] { files_->showTensorMap(); }},
       {},
       {"save", tr("&Save"), QKeySequence::Save, [this] { files_->save(); }},
       {{}, tr("Save &as..."), tr("Ctrl+Shift+S"), [this] { files_->saveAs(); }},
       {{}, tr("Save a &copy without my texts and moments..."), {}, [this] { files_->saveBare(); }},
       {"export", tr("&Export weights..."), {}, [this] { files_->exportWeights(); }},
       {"document", tr("Repor&t..."), {}, [this] { reports_->show(); }},
       {},
       {{}, tr("&Quit"), QKeySequence::Quit, [this] { close(); }}});

  addUndo(*menuBar()->addMenu(tr("&Edit")));

  QMenu& training = *menuBar()->addMenu(tr("&Training"));
  addCommands(training, {{"play", tr("&Play or pause"), Qt::Key_Space, [this] { togglePlay(); }},
                         {"step", tr("One &step"), Qt::Key_Period, [this] { stepOnce(); }},
                         {{}, tr("Pro&file of a step..."), {}, [this] { showProfile(); }},
                         {{}, tr("Device plu&gins..."), {}, [this] { choosePluginFolder(); }},
                         {{}, tr("&Compare models..."), {}, [this] { compareModels(); }},
                         {},
                         {{}, tr("&What if..."), tr("Ctrl+I"), [this] { showInterventions(); }},
                         {{}, tr("&Importance of parts..."), {}, [this] { measureImportance(); }},
                         {{}, tr("Pa&tch one text into another..."), {}, [this] { patchTexts(); }},
                         {},
                         {"reset", tr("Start &over with the same seed"), tr("Ctrl+R"),
                          [this] { startOver(false); }},
                         {"new-seed", tr("Start over with a &new seed"), tr("Ctrl+Shift+R"),
                          [this] { startOver(true); }}});

  QMenu& view = *menuBar()->addMenu(tr("&View"));
  for (int screen = 0; screen < int(kScreens.size()); ++screen) {
    const ScreenName& row = kScreens[std::size_t(screen)];
    QString name = screenText(std::size_t(screen));
    name.insert(std::max<qsizetype>(0, name.indexOf(QLatin1Char(row.mnemonic))), '&');
    addCommands(view, {{QLatin1String(row.icon), name, QKeySequence(Qt::Key_1 + screen),
                        [this, screen] { showScreen(screen); }}});
  }
  view.addSeparator();
  addThemes(*view.addMenu(tr("T&heme")));
  QAction* larger = view.addAction(style_.icon("zoom"), tr("&Larger"), this, [this] { zoom(1.1); });
  // On most keyboards plus is Shift and equals; accept it without Shift.
  larger->setShortcuts({QKeySequence::ZoomIn, QKeySequence(tr("Ctrl+="))});
  addCommands(view,
              {{{}, tr("&Smaller"), QKeySequence::ZoomOut, [this] { zoom(1 / 1.1); }},
               {{}, tr("&Default size"), tr("Ctrl+0"), [this] { zoom(1.0 / style_.scale()); }}});
  view.addSeparator();
  const auto fold = [this](Zones::Side side) {
    return [this, side] { zones_->ask(side, !zones_->isShown(side)); };
  };
  addCommands(view, {{"side-left", tr("Left panel"), Qt::Key_F7, fold(Zones::kLeft)},
                     {"side-right", tr("Right panel"), Qt::Key_F8, fold(Zones::kRight)}});
  QAction* projector = view.addAction(tr("Pro&jector"));
  projector->setShortcut(Qt::Key_F5);
  projector->setCheckable(true);
  connect(projector, &QAction::toggled, this, &MainWindow::setProjector);
  addPresenter(view);
  QAction* motion = view.addAction(tr("An&imation"));
  motion->setCheckable(true);
  motion->setChecked(style_.motion());
  connect(motion, &QAction::toggled, this, [this](bool on) {
    style_.setMotion(on);
    settings_.setMotion(on);
  });
  QAction* full = view.addAction(tr("&Full screen"));
  full->setShortcut(Qt::Key_F11);
  full->setCheckable(true);
  connect(full, &QAction::toggled, this, [this](bool on) { on ? showFullScreen() : showNormal(); });

  QMenu& help = *menuBar()->addMenu(tr("&Help"));
  // F1 belongs to the panels, each of which has its own; it is only shown here.
  addCommands(help,
              {{"help", tr("&Explain this screen\tF1"), {}, [this] { zones_->explainScreen(); }},
               {{}, tr("&Welcome..."), {}, [this] { welcome(); }},
               {{}, tr("W&hat is this?"), tr("Shift+F1"), [] { QWhatsThis::enterWhatsThisMode(); }},
               {{}, tr("&Manual"), tr("Ctrl+Shift+F1"), [this] { manual(); }},
               {{}, tr("&Glossary"), {}, [this] { manual(QStringLiteral("glossary.md")); }},
               {{}, tr("&Source documents..."), {}, [this] { showSources(); }},
               {{}, tr("&Keyboard shortcuts"), tr("Ctrl+F1"), [this] { showShortcuts(); }},
               {{},
                tr("&Fingerprint of this model"),
                {},
                [this] { showFingerprintBox(style_, document_, this); }},
               {{}, tr("&About Transformarium"), {}, [this] { showAboutBox(style_, this); }}});
  top_->setMenus(menuBar()->actions());
  // Shortcuts of a hidden menu bar would do nothing.
  for (QAction* action : menuBar()->findChildren<QAction*>())
    if (!action->shortcut().isEmpty()) addAction(action);
}

void MainWindow::addUndo(QMenu& menu) {
  const auto report = [this](const std::optional<Error>& problem) {
    if (problem) messages_->showError(*problem);
  };
  QAction* undo = menu.addAction(style_.icon("undo"), {}, this,
                                 [this, report] { document_.changes().undo(report); });
  QAction* redo = menu.addAction(style_.icon("redo"), {}, this,
                                 [this, report] { document_.changes().redo(report); });
  undo->setShortcut(QKeySequence::Undo);
  redo->setShortcut(QKeySequence::Redo);
  QMenu& history = *menu.addMenu(tr("&History"));
  connect(&history, &QMenu::aboutToShow, this, [this, &history] { fillHistory(history); });
  const auto words = [this, undo, redo] {
    undo->setEnabled(document_.changes().canUndo());
    redo->setEnabled(document_.changes().canRedo());
    undo->setText(document_.changes().canUndo()
                      ? tr("&Undo: %1").arg(document_.changes().undoText())
                      : tr("&Undo"));
    redo->setText(document_.changes().canRedo()
                      ? tr("&Redo: %1").arg(document_.changes().redoText())
                      : tr("&Redo"));
  };
  connect(&document_.changes(), &Changes::undoChanged, this, words);
  words();
}

void MainWindow::addThemes(QMenu& menu) {
  struct Row {
    QString text;
    Theme theme;
  };
  const std::array rows{Row{tr("&Dark"), Theme::Dark}, Row{tr("&Light"), Theme::Light},
                        Row{tr("&High contrast"), Theme::HighContrast}};
  auto* group = new QActionGroup(this);
  for (const Row& row : rows) {
    QAction* action = menu.addAction(row.text, this, [this, theme = row.theme] {
      style_.setTheme(theme);
      if (!usual_look_) settings_.setTheme(theme);
    });
    action->setCheckable(true);  // without an icon, which would replace the check mark
    action->setChecked(style_.theme() == row.theme);
    group->addAction(action);
  }
}

void MainWindow::fillRecent(QMenu& menu) {
  menu.clear();
  for (const QString& path : settings_.recentFiles())
    menu.addAction(QString(path).replace(u'&', QStringLiteral("&&")), this,
                   [this, path] { openFile(path); });
  if (menu.isEmpty()) menu.addAction(tr("No files yet"))->setEnabled(false);
}

void MainWindow::addLessons(QMenu& menu) {
  // When it is opened: their titles have to be read.
  QAction* own = menu.addSeparator();
  connect(
      &menu, &QMenu::aboutToShow, this,
      [this, &menu, own] {
        for (const LessonGuide::Row& row : LessonGuide::shipped()) {
          auto* open = new QAction(row.title, &menu);
          connect(open, &QAction::triggered, this, [this, path = row.path] { openLesson(path); });
          menu.insertAction(own, open);
        }
      },
      Qt::SingleShotConnection);
  menu.addAction(tr("&Open a lesson..."), this, [this] {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a lesson"), {},
                                                      tr("Lessons (*.lesson.md);;All files (*)"));
    if (!path.isEmpty()) openLesson(path);
  });
  menu.addAction(tr("&Write a lesson..."), this, &MainWindow::writeLesson);
  QAction* notes = menu.addAction(tr("&Notes for the teacher"), this, &MainWindow::showNotes);
  notes->setEnabled(false);
  connect(lessons_, &LessonGuide::opened, notes, &QAction::setEnabled);
  QAction* unlock =
      menu.addAction(tr("&Unlock the lesson..."), lessons_, &LessonGuide::askToUnlock);
  QAction* close =
      menu.addAction(tr("&Close the lesson"), lessons_, &LessonGuide::closeAfterAsking);
  const auto show = [this, unlock, close] {
    unlock->setEnabled(lessons_->isLocked() && !lessons_->panel().lesson().password.empty());
    close->setEnabled(lessons_->isOpen());
  };
  connect(lessons_, &LessonGuide::opened, this, show);
  connect(lessons_, &LessonGuide::unlocked, this, show);
  show();
}

void MainWindow::addPresenter(QMenu& view) {
  using Form = Presenter::Form;
  const auto add = [&](const QString& text, Form form) {
    QAction* action = view.addAction(text);
    action->setCheckable(true);
    connect(action, &QAction::toggled, this, [this, form](bool on) {
      if (on || presenter_->form() == form) presenter_->setForm(on ? form : Form::None);
    });
    connect(presenter_, &Presenter::formChanged, action,
            [action, form](Form now) { action->setChecked(now == form); });
    return action;
  };
  // The presenter reads this key itself: on a projector, it goes before those of the screens.
  add(tr("&Black screen\tB"), Form::Blank);
  add(tr("Spotlight aro&und the pointer"), Form::Spotlight)->setShortcut(tr("Ctrl+B"));
}

void MainWindow::showNotes() {
  if (notes_ == nullptr) notes_ = new LessonNotes(style_, lessons_->panel(), this);
  notes_->show();
}

void MainWindow::welcome() {
  settings_.setWelcomed();
  const auto& lessons = LessonGuide::shipped();
  std::vector<Door> doors{
      {"check", tr("Lessons"),
       tr("Eight lessons of a quarter of an hour, from a first look at attention to a model that "
          "grows. All are in File, Lessons."),
       tr("Begin the first lesson"), [this, path = lessons.front().path] { openLesson(path); }},
      {"play", tr("Free play"),
       tr("A small model that writes in a secret code is open. Type a word, press Space to train "
          "it anew, F1 explains each screen."),
       tr("Look around"), [this] { showScreen(kAttention); }},
      {"document", tr("My data"), tr("Train a model on a text of yours, on a table or on numbers."),
       tr("Choose a file..."), [this] { startNewRun(); }}};
  auto* welcome = new Welcome(style_, doors, this);
  welcome->setAttribute(Qt::WA_DeleteOnClose);
  welcome->open();
}

void MainWindow::writeLesson() {
  if (editor_ != nullptr && editor_->isVisible()) return editor_->raise();
  if (editor_ == nullptr) editor_ = new LessonEditor(*this, *lessons_, style_, document_);
  if (QFileInfo(lessons_->path()).isWritable())
    editor_->openFile(lessons_->path());
  else
    editor_->begin();
}

void MainWindow::showShortcuts() {
  const ShortcutRow walk{tr("Arrow keys"), tr("Go through the cells, tokens or matrices")};
  const ShortcutRow lock{tr("Return"), tr("Lock the current item")};
  const ShortcutRow free{tr("Esc"), tr("Unlock it")};
  const ShortcutRow zoom{tr("+, - and 0"), tr("Zoom, or show all")};
  const auto key = [](const char* keys) {
    return QKeySequence(QLatin1String(keys)).toString(QKeySequence::NativeText);
  };
  const std::vector<ShortcutScreen> screens{
      {tr("Train, in a plot"),
       zones_->screen(kTrain),
       {{tr("+ and -"), tr("Zoom")},
        {key("0"), tr("Show all steps")},
        {tr("Arrow keys"), tr("Scroll")},
        {tr("Shift and arrow keys"), tr("Read the values of a step")},
        {tr("Page Up, Page Down"), tr("Go to the previous or next flag")},
        {key("L"), tr("Linear or logarithmic loss")},
        {key("Ctrl+C"), tr("Copy the values at the cursor")}}},
      {tr("Attention"),
       zones_->screen(kAttention),
       {walk, lock, free, {tr("Menu key"), tr("Change the head or cell to see what happens")}}},
      {tr("Matrices, in the scene"),
       zones_->screen(kMatrices),
       {{tr("N and P"), tr("Next or previous matrix")}, walk, lock, free}},
      {tr("Grow"),
       zones_->screen(kGrow),
       {walk,
        free,
        zoom,
        {key("Del"), tr("Remove the selected expansion")},
        {tr("Alt and up, Alt and down"), tr("Move the selected expansion")}}},
      {tr("Elastic, on a width"),
       zones_->screen(kElastic),
       {{tr("Arrow keys"), tr("One unit wider or narrower; in the matrices: go to a cell")},
        {tr("Page Up, Page Down"), tr("Next or previous granularity")},
        {tr("Home, End"), tr("One unit, all units")},
        lock,
        free}},
      {tr("Write"), zones_->screen(kWrite), {walk, lock, free}},
      {tr("Shape"), zones_->screen(kShape), {walk, lock, free, zoom}},
      {tr("Flow"),
       zones_->screen(kFlow),
       {walk,
        {tr("Return"), tr("Open or close a part, lock a number")},
        free,
        {tr("Backspace"), tr("Close the part that was opened last")},
        zoom}}};
  ShortcutDialog(style_, *this, screens).exec();
}

void MainWindow::showProfile() {
  if (!profile_) profile_ = new ProfileDialog(style_, document_.training(), this);
  profile_->setAttribute(Qt::WA_DeleteOnClose);
  profile_->show();
  profile_->raise();
}

void MainWindow::compareModels() {
  if (refuses(tr("Compare models"))) return;
  if (document_.task() == nullptr) return document_.training().wantTask();
  auto* comparison = new CompareDialog(style_, document_, this);
  comparison->setAttribute(Qt::WA_DeleteOnClose);
  comparison->show();
}

Manual& MainWindow::manual(const QString& place) {
  if (!manual_) manual_ = new Manual(style_, this);
  if (!place.isEmpty()) manual_->open(place);
  manual_->show();
  manual_->raise();
  return *manual_;
}

}  // namespace tfm::ui
