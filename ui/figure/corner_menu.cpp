// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/corner_menu.h"

#include <QAction>
#include <QDir>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QStandardPaths>
#include <QToolTip>
#include <utility>

#include "core/base/error.h"
#include "ui/figure/data_table_dialog.h"
#include "ui/figure/explanation_dialog.h"
#include "ui/figure/figure.h"
#include "ui/figure/save_path.h"
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

}  // namespace

CornerMenu::CornerMenu(const Style& style, QWidget& host)
    : QToolButton(&host), style_(style), host_(host) {
  setRole(*this, "flat");
  setIcon(style.icon("more"));
  setAccessibleName(tr("More"));
  setToolTip(tr("Copy, export, data table, explain (Ctrl+.)"));
  setPopupMode(QToolButton::InstantPopup);
  setFocusPolicy(Qt::StrongFocus);
  setMenu(new QMenu(this));

  const auto exporting = [this](FigureFormat format, const char* ending) {
    return [this, format, ending] { exportAs(format, QLatin1String(ending)); };
  };
  figureEntries_ += addEntry("copy", tr("&Copy picture"), QKeySequence("Ctrl+Shift+C"),
                             [this] { copyPicture(); });
  menu()->addSeparator();
  figureEntries_ +=
      addEntry("image", tr("Export &PNG…"), QKeySequence("Ctrl+Shift+E"), [this] { exportPng(); });
  figureEntries_ += addEntry("export", tr("Export &SVG…"), {}, exporting(FigureFormat::Svg, "svg"));
  figureEntries_ +=
      addEntry("document", tr("Export P&DF…"), {}, exporting(FigureFormat::Pdf, "pdf"));
  figureEntries_ +=
      addEntry("matrices", tr("Export CS&V…"), {}, exporting(FigureFormat::Csv, "csv"));
  menu()->addSeparator();
  figureEntries_ += addEntry("table", tr("Show data &table"), QKeySequence("Ctrl+Shift+D"),
                             [this] { (new DataTableDialog(style_, *figure_, this))->show(); });
  explainEntry_ = addEntry("help", tr("&Explain"), QKeySequence("F1"), [this] { explain(); });
  auto* open = new QAction(tr("Open the panel's menu"), this);
  open->setShortcut(QKeySequence("Ctrl+."));
  open->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connect(open, &QAction::triggered, this, &QToolButton::showMenu);
  host_.addAction(open);

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
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  action->setShortcutVisibleInContextMenu(true);
  connect(action, &QAction::triggered, this, run);
  host_.addAction(action);
  return action;
}

void CornerMenu::updateEntries() {
  for (QAction* entry : figureEntries_) entry->setEnabled(figure_ != nullptr);
  explainEntry_->setEnabled(!explanation_.isEmpty());
}

void CornerMenu::copyPicture() {
  try {
    copyFigure(*figure_);
    QToolTip::showText(mapToGlobal(rect().bottomLeft()), tr("Copied"), this);
  } catch (const Error& error) {
    showError(this, style_, error);
  }
}

void CornerMenu::exportPng() {
  bool accepted = false;
  const int dpi =
      QInputDialog::getInt(this, tr("Export PNG"), tr("Resolution in dpi (the screen has 96)"), 300,
                           36, 1200, 50, &accepted);
  if (accepted) exportAs(FigureFormat::Png, "png", dpi);
}

void CornerMenu::exportAs(FigureFormat format, const QString& ending, double dpi) {
  const QDir folder(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
  const QString suggestion = folder.filePath(fileNameFor(figure_->figureTitle()) + '.' + ending);
  const QString filter = tr("%1 file (*.%2)").arg(ending.toUpper(), ending);
  const QString path = askSavePath(this, {tr("Export"), suggestion, filter}, ending);
  if (path.isEmpty()) return;
  try {
    exportFigure(*figure_, path, {.format = format, .dpi = dpi});
    notifySaved(*this, path);
  } catch (const Error& error) {
    showError(this, style_, error);
  }
}

bool CornerMenu::explain() {
  if (explanation_.isEmpty()) return false;
  const QString name = host_.accessibleName();
  const Explanation page{&host_, !name.isEmpty() ? name : tr("Explain"), explanation_, parts_};
  for (QWidget* around = parentWidget(); around != nullptr; around = around->parentWidget())
    if (auto* host = dynamic_cast<ExplanationHost*>(around)) {
      host->explain(page);
      return true;
    }
  (new ExplanationDialog(style_, page, this))->show();
  return true;
}

}  // namespace tfm::ui
