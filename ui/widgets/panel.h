// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "ui/figure/explanation.h"
#include "ui/figure/forward.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// The frame of every view: a title, a sentence that says what is shown, the corner menu on the
/// right, and the view itself below.
class Panel : public QWidget {
  Q_OBJECT

 public:
  explicit Panel(const Style& style, QWidget* parent = nullptr);

  void setTitle(const QString& title);
  /// One sentence; hidden while empty.
  void setSentence(const QString& sentence);
  /// Takes ownership; deletes the previous body.
  void setBody(QWidget* body);
  /// A control between the title and the corner menu; takes ownership.
  void addTool(QWidget* tool);
  /// Adds a button beside the corner menu that shows all of a picture that can be zoomed.
  void addFit(const std::function<void()>& fit);
  /// What the corner menu exports; not owned, usually the body.
  void setFigure(const Figure* figure);
  /// The text behind "Explain", in Markdown, and the parts of the panel that it starts with.
  void setExplanation(const QString& markdown, std::vector<ExplainedPart> parts = {});

  QString title() const;
  CornerMenu& menu() { return *menu_; }

 private:
  const Style& style_;
  QLabel* title_;
  QLabel* sentence_;
  CornerMenu* menu_;
  QHBoxLayout* head_;
  QVBoxLayout* column_;
  QWidget* body_ = nullptr;
};

}  // namespace tfm::ui
