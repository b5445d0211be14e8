// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>
#include <functional>
#include <utility>
#include <vector>

#include "core/report/numbers.h"
#include "ui/figure/explanation.h"
#include "ui/figure/exporter.h"
#include "ui/figure/forward.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// The menu in the corner of every view: copy or export the picture, show its data, put it into the
/// report, explain it. Its
/// shortcuts work while the keyboard focus is in `host` or the button; Ctrl+. opens the menu. Of
/// views inside each other, the inner one has them.
class CornerMenu : public QToolButton {
  Q_OBJECT

 public:
  CornerMenu(const Style& style, QWidget& host);

  /// The figure to copy and export; not owned. Null disables those entries.
  void setFigure(const Figure* figure);
  /// Where the figure's numbers come from, for reports; asked when it is put into one. Empty: a
  /// report keeps them as they were drawn.
  void setSource(std::function<report::Source()> source) { source_ = std::move(source); }
  /// The text behind "Explain", in Markdown, and the parts of the host that it starts with. Empty
  /// disables the entry.
  void setExplanation(const QString& markdown, std::vector<ExplainedPart> parts = {});
  const std::vector<ExplainedPart>& parts() const { return parts_; }
  /// Shows the explanation beside the host; false if there is none.
  bool explain();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QAction* addEntry(const QString& icon, const QString& text, const QKeySequence& shortcut,
                    const std::function<void()>& run);
  void addToHost(QAction& action);
  void updateEntries();
  void copyPicture();
  void exportPng();
  void exportAs(const QString& ending, double dpi = 300);
  void addToReport();

  const Style& style_;
  QWidget& host_;
  const Figure* figure_ = nullptr;
  std::function<report::Source()> source_;
  QString explanation_;
  std::vector<ExplainedPart> parts_;
  QList<QAction*> figureEntries_;
  QAction* explainEntry_ = nullptr;
};

}  // namespace tfm::ui
