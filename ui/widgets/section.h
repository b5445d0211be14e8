// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace tfm::ui {

class CornerMenu;
class Figure;
class Style;

/// A group in a side zone: its label in small capitals, a sentence that says what is seen, and what
/// belongs to it.
class Section : public QWidget {
  Q_OBJECT

 public:
  /// Without a sentence there is none.
  Section(const Style& style, const QString& label, const QString& sentence = {},
          QWidget* parent = nullptr);

  /// Takes ownership; the newest stands below.
  void add(QWidget* part);
  /// Gives the group the corner menu of all views, for exporting `figure`, which is not owned.
  void setFigure(const Figure* figure, const QString& explanation = {});

 private:
  void updateSizes();

  const Style& style_;
  QLabel* label_;
  CornerMenu* menu_;
  QVBoxLayout* column_;
};

}  // namespace tfm::ui
