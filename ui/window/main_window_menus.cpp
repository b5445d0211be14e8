// SPDX-License-Identifier: GPL-3.0-or-later
#include <QActionGroup>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QTableWidget>
#include <QVBoxLayout>
#include <array>

#include "ui/document/model_document.h"
#include "ui/style/style.h"
#include "ui/views/experiment/experiment_dock.h"
#include "ui/window/main_window.h"

namespace tfm::ui {

/// One entry of a menu; an empty text is a line between groups.
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
  addCommands(file, {{"document", tr("&New run..."), QKeySequence::New, [this] { startNewRun(); }},
                     {"open", tr("&Open..."), QKeySequence::Open, [this] { openChosen(); }}});
  recent_ = file.addMenu(tr("Open &recent"));
  connect(recent_, &QMenu::aboutToShow, this, [this] { fillRecent(*recent_); });
  addCommands(file, {{},
                     {"save", tr("&Save"), QKeySequence::Save, [this] { saveFile(); }},
                     {{}, tr("Save &as..."), tr("Ctrl+Shift+S"), [this] { saveAs(); }},
                     {"export", tr("&Export weights..."), {}, [this] { exportWeights(); }},
                     {},
                     {{}, tr("&Quit"), QKeySequence::Quit, [this] { close(); }}});

  QMenu& training = *menuBar()->addMenu(tr("&Training"));
  addCommands(
      training,
      {{"play", tr("&Play or pause"), Qt::Key_Space, [this] { togglePlay(); }},
       {"step", tr("One &step"), Qt::Key_Period, [this] { document_.stepOnce(); }},
       {},
       {"reset", tr("&Reset to the same weights"), tr("Ctrl+R"), [this] { document_.reset(); }},
       {"new-seed", tr("&New seed"), tr("Ctrl+Shift+R"), [this] { document_.newSeed(); }}});

  QMenu& view = *menuBar()->addMenu(tr("&View"));
  addCommands(view, {{"train", tr("&Train"), Qt::Key_1, [this] { showScreen(kTrain); }},
                     {"attention", tr("&Attention"), Qt::Key_2, [this] { showScreen(kAttention); }},
                     {"matrices", tr("&Matrices"), Qt::Key_3, [this] { showScreen(kMatrices); }},
                     {}});
  addThemes(*view.addMenu(tr("T&heme")));
  const auto zoom = [this](double factor) {
    style_.setScale(style_.scale() * factor);
    settings_.setScale(style_.scale());
  };
  addCommands(
      view, {{"zoom", tr("&Larger"), QKeySequence::ZoomIn, [zoom] { zoom(1.1); }},
             {{}, tr("&Smaller"), QKeySequence::ZoomOut, [zoom] { zoom(1 / 1.1); }},
             {{}, tr("&Usual size"), tr("Ctrl+0"), [this, zoom] { zoom(1.0 / style_.scale()); }}});
  view.addSeparator();
  QAction* projector = view.addAction(style_.icon("projector"), tr("&Projector"));
  projector->setShortcut(Qt::Key_F5);
  projector->setCheckable(true);
  connect(projector, &QAction::toggled, this, &MainWindow::setProjector);
  QAction* motion = view.addAction(tr("Mot&ion"));
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
  addCommands(help,
              {{"help", tr("&Keyboard shortcuts"), tr("Ctrl+F1"), [this] { showShortcuts(); }},
               {{}, tr("&About Transformarium"), {}, [this] { showAbout(); }}});
}

void MainWindow::addThemes(QMenu& menu) {
  struct Row {
    const char* icon;
    QString text;
    Theme theme;
  };
  const std::array rows{Row{"moon", tr("&Dark"), Theme::Dark},
                        Row{"sun", tr("&Light"), Theme::Light},
                        Row{"contrast", tr("&High contrast"), Theme::HighContrast}};
  auto* group = new QActionGroup(this);
  for (const Row& row : rows) {
    QAction* action =
        menu.addAction(style_.icon(row.icon), row.text, this, [this, theme = row.theme] {
          style_.setTheme(theme);
          settings_.setTheme(theme);
        });
    action->setCheckable(true);
    action->setChecked(style_.theme() == row.theme);
    group->addAction(action);
  }
}

void MainWindow::fillRecent(QMenu& menu) {
  menu.clear();
  for (const QString& path : settings_.recentFiles())
    menu.addAction(path, this, [this, path] { openFile(path); });
  if (menu.isEmpty()) menu.addAction(tr("No files yet"))->setEnabled(false);
}

void MainWindow::showShortcuts() {
  QDialog dialog(this);
  dialog.setWindowTitle(tr("Keyboard shortcuts"));
  auto* table = new QTableWidget(0, 2);
  table->setHorizontalHeaderLabels({tr("Keys"), tr("What they do")});
  table->verticalHeader()->hide();
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  const auto add = [&](const QString& keys, const QString& text) {
    const int row = table->rowCount();
    table->insertRow(row);
    table->setItem(row, 0, new QTableWidgetItem(keys));
    table->setItem(row, 1, new QTableWidgetItem(text));
  };
  for (const QAction* action : findChildren<QAction*>())
    if (!action->shortcut().isEmpty())
      add(action->shortcut().toString(QKeySequence::NativeText), action->text().remove('&'));
  add(tr("Arrow keys"), tr("Walk through the cells of a map or plot that has the focus"));
  add(tr("Return"), tr("Lock the cell or map that has the focus"));
  add(tr("Esc"), tr("Free what is locked"));
  add(tr("Tab"), tr("Go to the next control"));
  table->resizeColumnsToContents();
  table->horizontalHeader()->setStretchLastSection(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  auto* column = new QVBoxLayout(&dialog);
  column->addWidget(table);
  column->addWidget(buttons);
  dialog.resize(style_.px(560), style_.px(560));
  dialog.exec();
}

void MainWindow::showAbout() {
  QMessageBox::about(
      this, tr("About Transformarium"),
      tr("<b>Transformarium %1</b><p>Trains small transformers in front of you and shows what "
         "happens inside.</p><p>Free software under the GNU General Public License, version 3 or "
         "later.</p>")
          .arg(QApplication::applicationVersion()));
}

}  // namespace tfm::ui
