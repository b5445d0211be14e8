// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/figure/forward.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// A group in a side zone: a heading in small capitals, a sentence, and its widgets, which can be
/// folded away.
class Section : public QWidget {
  Q_OBJECT

 public:
  /// The sentence may be empty.
  Section(const Style& style, const QString& label, const QString& sentence = {},
          QWidget* parent = nullptr);

  /// Adds a widget at the bottom; takes ownership.
  void add(QWidget* part);
  /// Adds a button to the heading that folds and unfolds the section, as does a click on it.
  void setFoldable();
  bool isFoldable() const { return fold_ != nullptr; }
  bool isFolded() const { return body_->isHidden(); }
  void setFolded(bool folded);

  /// Adds a corner menu for exporting `figure`, which is not owned.
  void setFigure(const Figure* figure, const QString& explanation = {});
  /// The same menu; requires setFigure().
  CornerMenu& menu() { return *menu_; }

 signals:
  /// The user has folded or unfolded it.
  void foldChosen(bool folded);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  const Style& style_;
  QLabel* label_;
  CornerMenu* menu_;
  bool has_menu_ = false;  ///< hidden with the body
  QHBoxLayout* head_;
  QWidget* body_;
  QVBoxLayout* column_;  ///< of the body
  QToolButton* fold_ = nullptr;
};

}  // namespace tfm::ui
