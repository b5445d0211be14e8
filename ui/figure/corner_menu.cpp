// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/corner_menu.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QMenu>
#include <QMessageBox>
#include <QScreen>
#include <QShortcutEvent>
#include <QStandardPaths>
#include <QVBoxLayout>
#include <utility>

#include "core/base/error.h"
#include "ui/figure/data_table_dialog.h"
#include "ui/figure/explanation_pane.h"
#include "ui/figure/figure.h"
#include "ui/figure/number_box.h"
#include "ui/figure/report_host.h"
#include "ui/figure/save_path.h"
#include "ui/figure/tips.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

void showError(QWidget* parent, const Style& style, const Error& error) {
  auto* box = new QMessageBox(QMessageBox::NoIcon, CornerMenu::tr("Not exported"),
                              QString::fromStdString(error.problem()), QMessageBox::Ok, parent);
  box->setIconPixmap(style.icon("warning", style.palette().bad).pixmap(style.px(40)));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setInformativeText(QString::fromStdString(error.where() + "\n" + error.hint()));
  box->open();
}

/// Shows the explanation of a view without an ExplanationHost, such as one in a dialog, in a window
/// of its own beside the view's if the screen has room. Esc closes it.
void openExplanation(const Style& style, const ExplanationPage& page, QWidget* parent) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(page.title);
  auto* pane = new ExplanationPane(style);
  auto* layout = new QVBoxLayout(dialog);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(pane);
  QObject::connect(pane, &ExplanationPane::closed, dialog, &QDialog::reject);
  pane->explain(page);
  dialog->resize(style.px(380), style.px(480));
  // Without room on either side, the window manager places it.
  const QRect explained = page.host->window()->frameGeometry();
  const QRect screen = page.host->screen()->availableGeometry();
  if (screen.right() - explained.right() >= dialog->width())
    dialog->move(explained.right() + 1, explained.top());
  else if (explained.left() - screen.left() >= dialog->width())
    dialog->move(explained.left() - dialog->width(), explained.top());
  dialog->show();
}

}  // namespace

CornerMenu::CornerMenu(const Style& style, QWidget& host)
    : QToolButton(&host), style_(style), host_(host) {
  setRole(*this, "flat");
  setIcon(style.icon("more"));
  setAccessibleName(tr("More"));
  setToolTip(tr("Copy, export, data table, report, explain (Ctrl+.)"));
  setPopupMode(QToolButton::InstantPopup);
  setFocusPolicy(Qt::StrongFocus);
  setMenu(new QMenu(this));

  const auto exporting = [this](const char* ending) {
    return [this, ending] { exportAs(QLatin1String(ending)); };
  };
  figureEntries_ += addEntry("copy", tr("&Copy picture"), QKeySequence("Ctrl+Shift+C"),
                             [this] { copyPicture(); });
  menu()->addSeparator();
  figureEntries_ +=
      addEntry("image", tr("Export &PNG…"), QKeySequence("Ctrl+Shift+E"), [this] { exportPng(); });
  figureEntries_ += addEntry("export", tr("Export &SVG…"), {}, exporting("svg"));
  figureEntries_ += addEntry("document", tr("Export P&DF…"), {}, exporting("pdf"));
  figureEntries_ += addEntry("matrices", tr("Export CS&V…"), {}, exporting("csv"));
  menu()->addSeparator();
  figureEntries_ += addEntry("table", tr("Show data &table"), QKeySequence("Ctrl+Shift+D"),
                             [this] { (new DataTableDialog(style_, *figure_, this))->show(); });
  figureEntries_ += addEntry("document", tr("Put into the &report"), QKeySequence("Ctrl+Shift+P"),
                             [this] { addToReport(); });
  explainEntry_ = addEntry("help", tr("&Explain"), QKeySequence("F1"), [this] { explain(); });
  auto* open = new QAction(tr("Open the panel's menu"), this);
  open->setShortcut(QKeySequence("Ctrl+."));
  connect(open, &QAction::triggered, this, &QToolButton::showMenu);
  addToHost(*open);

  style_.follow(this, [this] { setIconSize(QSize(style_.iconSize(), style_.iconSize())); });
  updateEntries();
}

void CornerMenu::setFigure(const Figure* figure) {
  figure_ = figure;
  updateEntries();
}

void CornerMenu::setExplanation(const QString& markdown, std::vector<ExplainedPart> parts) {
  explanation_ = markdown;
  parts_ = std::move(parts);
  updateEntries();
}

QAction* CornerMenu::addEntry(const QString& icon, const QString& text,
                              const QKeySequence& shortcut, const std::function<void()>& run) {
  QAction* action = menu()->addAction(style_.icon(icon), text);
  action->setShortcut(shortcut);
  action->setShortcutVisibleInContextMenu(true);
  connect(action, &QAction::triggered, this, run);
  addToHost(*action);
  return action;
}

void CornerMenu::addToHost(QAction& action) {
  action.setShortcutContext(Qt::WidgetWithChildrenShortcut);
  action.installEventFilter(this);
  host_.addAction(&action);
}

bool CornerMenu::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::Shortcut) return QToolButton::eventFilter(watched, event);
  const auto* pressed = static_cast<QShortcutEvent*>(event);
  if (!pressed->isAmbiguous()) return QToolButton::eventFilter(watched, event);
  // Hosts are inside each other. Qt asks any of their menus; the nearest one has the key.
  for (QWidget* at = QApplication::focusWidget(); at != nullptr; at = at->parentWidget())
    for (QAction* action : at->actions())
      if (action->isEnabled() && action->shortcut() == pressed->key()) {
        action->trigger();
        return true;
      }
  return true;
}

void CornerMenu::updateEntries() {
  for (QAction* entry : figureEntries_) entry->setEnabled(figure_ != nullptr);
  explainEntry_->setEnabled(!explanation_.isEmpty());
}

void CornerMenu::copyPicture() {
  try {
    copyFigure(*figure_);
    showTip(mapToGlobal(rect().bottomLeft()), tr("Copied"), this);
  } catch (const Error& error) {
    showError(this, style_, error);
  }
}

void CornerMenu::exportPng() {
  NumberDialog dialog(tr("Export PNG"), tr("Resolution in dpi (the screen has 96)"), this);
  dialog.box().setRange(36, 1200);
  dialog.box().setSingleStep(50);
  dialog.box().setValue(300);
  if (dialog.exec() == QDialog::Accepted) exportAs("png", dialog.box().value());
}

void CornerMenu::exportAs(const QString& ending, double dpi) {
  const QDir folder(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
  const QString suggestion = folder.filePath(fileNameFor(figure_->figureTitle()) + '.' + ending);
  const QString filter = tr("%1 file (*.%2)").arg(ending.toUpper(), ending);
  const QString path = askSavePath(this, {tr("Export"), suggestion, filter}, ending);
  if (path.isEmpty()) return;
  try {
    exportFigure(*figure_, path, dpi);
    notifySaved(*this, path);
  } catch (const Error& error) {
    showError(this, style_, error);
  }
}

void CornerMenu::addToReport() {
  for (QWidget* around = parentWidget(); around != nullptr; around = around->parentWidget())
    if (auto* host = dynamic_cast<ReportHost*>(around))
      return host->addToReport(host_, *figure_, source_);
}

bool CornerMenu::explain() {
  if (explanation_.isEmpty()) return false;
  const QString name = host_.accessibleName();
  const ExplanationPage page{&host_, !name.isEmpty() ? name : tr("Explain"), explanation_, parts_};
  for (QWidget* around = parentWidget(); around != nullptr; around = around->parentWidget())
    if (auto* host = dynamic_cast<ExplanationHost*>(around)) {
      host->explain(page);
      return true;
    }
  openExplanation(style_, page, this);
  return true;
}

}  // namespace tfm::ui
