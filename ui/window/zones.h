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

/// The columns of the window: the left panel, the screen, its inspector and, while open, an
/// explanation. The left panel of a screen is folded by itself where it would leave the screen too
/// small a share of the window; what the user asks for is remembered for each screen. In a narrow
/// window only one side is shown. A screen that is larger than its space scrolls.
class Zones : public QSplitter, public ExplanationHost {
  Q_OBJECT

 public:
  enum Side { kLeft, kRight };

  explicit Zones(const Style& style, QWidget* parent = nullptr);

  /// A screen and its sides; screens may share a left one.
  struct Place {
    QWidget* screen;
    QWidget* left;
    QWidget* inspector;
    QString left_name;
    /// The screen's share of the window, from 0 to 1, below which the left panel is folded.
    double least_share = 0.6;
    std::optional<bool> left_wanted = std::nullopt;  ///< as asked for
  };
  /// Takes ownership of the widgets.
  void add(const Place& place);
  void setCurrent(int screen);
  int current() const;
  int count() const;
  QWidget* screen(int index) const;
  /// The widget on a side of the current screen.
  QWidget* side(Side side) const;

  /// Shows a side, in place of the other one if there is no room for both, or folds it.
  void ask(Side side, bool shown);
  bool isShown(Side side) const;
  /// Of the current screen.
  const QString& leftName() const { return places_[std::size_t(current())].left_name; }
  /// The widths and what was asked for, for restore(); restoring anything else does nothing.
  QByteArray state() const;
  void restore(const QByteArray& state);
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
  /// The share of the window that the screen gets beside both sides.
  double share() const;

  const Style& style_;
  QStackedWidget* left_;
  QStackedWidget* screens_;
  QScrollArea* middle_;
  QStackedWidget* inspectors_;
  ExplanationPane* explanation_;
  std::vector<Place> places_;
  bool right_wanted_ = true;
  std::optional<Side> asked_;  ///< last by the user: it stays if there is room for only one
};

}  // namespace tfm::ui
