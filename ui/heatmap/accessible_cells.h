// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QString>

class QWidget;

namespace tfm::ui {

/// A widget that paints many small things itself and lets screen readers walk them. Things are
/// numbered from 0 in reading order.
class CellSource {
 public:
  virtual ~CellSource() = default;

  virtual QString accessibleTitle() const = 0;
  virtual int accessibleCount() const = 0;
  /// The thing in one sentence, e.g. "layer 1 head 2, from 'c' to 'a', 0.41".
  virtual QString accessibleText(int index) const = 0;
  /// Where it is, in the widget's coordinates.
  virtual QRect accessibleArea(int index) const = 0;
  /// The one that has the keyboard's attention; -1 for none.
  virtual int accessibleCurrent() const = 0;
  virtual bool accessibleSelected(int index) const = 0;
};

/// Lets screen readers see widgets that are a CellSource. Call it in such a widget's constructor;
/// once is enough, more do no harm.
void installCellAccessibility();

/// Has the current thing of `widget` (a CellSource) spoken, if a screen reader listens.
void announceCurrent(QWidget& widget);

}  // namespace tfm::ui
