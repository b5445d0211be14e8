// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

#include "ui/document/wants.h"

namespace tfm::ui {

class Observing;

/// A screen of the window with what stands at its sides. Says what it wants to see of the model
/// while it is visible, and nothing while it is hidden.
class View : public QWidget {
  Q_OBJECT

 public:
  /// `observing` outlives the view.
  explicit View(Observing& observing, QWidget* parent = nullptr);
  ~View() override;

  /// What stands left and right of it; left is null where that is the experiment. Each belongs to
  /// the widget it is put into, else to the view.
  QWidget* left() const { return left_; }
  QWidget* inspector() const { return inspector_; }

 protected:
  /// To be called once.
  void setSides(QWidget* inspector, QWidget* left = nullptr);
  virtual Wants wants() const = 0;
  /// wants() says something else.
  void updateWants();
  /// The view has become visible, or hidden.
  virtual void shown() {}
  virtual void hidden() {}
  /// A side came or went, as for a projector. Of the inspector, also whenever the view is shown.
  virtual void inspectorShown(bool) {}
  virtual void leftShown(bool) {}
  /// Where Esc goes, whatever part of the view has the focus; null: nowhere else.
  virtual QWidget* picture() const { return nullptr; }

  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  Observing& observing_;
  QPointer<QWidget> inspector_, left_;
};

}  // namespace tfm::ui
