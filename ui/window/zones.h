// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>
#include <array>
#include <optional>
#include <vector>

#include "ui/figure/explanation.h"
#include "ui/figure/forward.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// The columns of the window: the experiment, the screen, its inspector and, while open, an
/// explanation. In a narrow window sides are folded until requested; a screen that is larger than
/// its space scrolls.
class Zones : public QSplitter, public ExplanationHost {
  Q_OBJECT

 public:
  enum Side { kLeft, kRight };

  explicit Zones(const Style& style, QWidget* parent = nullptr);

  /// Adds a screen and its sides; screens may share a left side. `keeps_inspector`: also on a
  /// projector. Takes ownership.
  void add(QWidget* screen, QWidget* left, QWidget* inspector, bool keeps_inspector = false);
  void setCurrent(int screen);
  int current() const;
  int count() const;
  QWidget* screen(int index) const;
  /// The widget on a side of the current screen.
  QWidget* side(Side side) const;

  /// Shows a side, in place of the other one if there is no room for both, or folds it.
  void ask(Side side, bool shown);
  bool isShown(Side side) const;
  /// Folds both sides until requested, as for a projector, except inspectors that a screen keeps;
  /// off restores them.
  void setBare(bool bare);
  /// Scales all widths in `widths`, earlier sizes(), by `factor`, except the screen's, which takes
  /// the difference.
  void scaleSides(QList<int> widths, double factor);

  /// Shows a page on the right and marks the parts it names; explaining the same widget again
  /// closes it.
  void explain(const ExplanationPage& page) override;
  /// Explains the current screen.
  void explainScreen();
  ExplanationPane& explanation() { return *explanation_; }

  QSize minimumSizeHint() const override;

 signals:
  /// Sides were shown, hidden, or ran out of room.
  void sidesChanged();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// Shows as many of the wanted sides as there is room for.
  void fit();

  const Style& style_;
  QStackedWidget* left_;
  QStackedWidget* screens_;
  QScrollArea* middle_;
  QStackedWidget* inspectors_;
  ExplanationPane* explanation_;
  std::vector<QWidget*> left_of_;      ///< each screen's left side
  std::vector<bool> keeps_inspector_;  ///< of each screen, on a projector
  std::array<bool, 2> wanted_{true, true};
  std::optional<std::array<bool, 2>> before_bare_;
  std::optional<Side> asked_;  ///< last by the user: it stays if there is room for only one
};

}  // namespace tfm::ui
