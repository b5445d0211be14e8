// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QList>
#include <QString>

#include "ui/style/forward.h"

namespace tfm::ui {

/// The bar at the top: the program's name, the screens with their number keys, how many
/// interventions are in force, the document, and a button for the inspector. Shows less if it is
/// narrow.
class TopBar : public QFrame {
  Q_OBJECT

 public:
  explicit TopBar(const Style& style, QWidget* parent = nullptr);

  /// Appends a screen; its key is its number, from 1.
  void addScreen(const QString& name, const QString& icon);
  void setCurrent(int screen);
  /// Crosses out a screen that cannot be opened now; it keeps its place, its focus and says why.
  /// Empty: it can be opened.
  void setLocked(int screen, const QString& why);
  /// Another colour, seen from the last row.
  void setExam(bool is_running);
  bool isLocked(int screen) const;
  void setDocument(const QString& name, bool modified);
  /// Shows a flag with the number of interventions in force; 0 hides it.
  void setInForce(int count);
  QToolButton& inForceFlag() const { return *in_force_; }
  /// The area right of the screens, where a message may temporarily cover the document's name.
  QRect room() const;
  void setInspectorShown(bool shown);
  QToolButton& inspectorButton() const { return *inspector_; }
  /// Sets the menus of a button that stands for the menu bar while that is hidden.
  void setMenus(const QList<QAction*>& menus);
  void setMenuShown(bool shown);

  QSize minimumSizeHint() const override;

 signals:
  void screenChosen(int screen);
  /// The user asked to show or hide the inspector.
  void inspectorAsked(bool shown);
  /// The flag was pressed.
  void interventionsRequested();
  /// room() changed.
  void roomChanged();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// Hides the program's name, the number keys, and the screens' names, in this order, until the
  /// rest fits.
  void fit();
  void updateSizes();
  void showDocument();

  const Style& style_;
  QHBoxLayout* row_;
  QLabel* name_;
  QButtonGroup* screens_;
  QToolButton* in_force_;
  QLabel* document_;
  QToolButton* menu_;
  QToolButton* inspector_;
  QString document_name_;
  bool fitting_ = false;
};

}  // namespace tfm::ui
