// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>
#include <array>
#include <optional>
#include <vector>

#include "ui/figure/explanation.h"

class QScrollArea;
class QStackedWidget;

namespace tfm::ui {

class ExplanationPane;
class Style;

/// What stands beside each other in the window: the experiment, the screen, its inspector and,
/// while it is read, an explanation. In a narrow window sides fold away until they are asked for; a
/// screen that is larger than what is left scrolls.
class Zones : public QSplitter, public ExplanationHost {
  Q_OBJECT

 public:
  enum Side { kLeft, kRight };

  explicit Zones(const Style& style, QWidget* parent = nullptr);

  /// A screen and what stands beside it; screens may share a left side. Takes ownership.
  void add(QWidget* screen, QWidget* left, QWidget* inspector);
  void setCurrent(int screen);
  int current() const;
  int count() const;
  QWidget* screen(int index) const;
  /// The widgets of the sides that belong to the current screen.
  QWidget* side(Side side) const;

  /// Lets a side come back, in place of the other one where there is no room for both, or fold.
  void ask(Side side, bool shown);
  bool isShown(Side side) const;
  /// Both sides fold until they are asked for, as for a projector; off brings back what was wanted.
  void setBare(bool bare);
  /// Makes all widths but that of the screen, which gives or takes the difference, this much larger
  /// than they are in `widths`, which sizes() has told.
  void scaleSides(QList<int> widths, double factor);

  /// Shows a page at the right, beside what it explains, and marks the parts that it names; a page
  /// of the same widget once more closes it.
  void explain(const Explanation& page) override;
  /// Explains the current screen.
  void explainScreen();
  ExplanationPane& explanation() { return *explanation_; }

  QSize minimumSizeHint() const override;

 signals:
  /// Sides came, went, or lack room.
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
  std::vector<QWidget*> left_of_;  ///< each screen's left side
  std::array<bool, 2> wanted_{true, true};
  std::optional<std::array<bool, 2>> before_bare_;
  std::optional<Side> asked_;  ///< last, by hand: it stays where there is room for one only
};

}  // namespace tfm::ui
