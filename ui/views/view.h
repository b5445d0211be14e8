// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

#include "ui/document/forward.h"
#include "ui/document/need.h"

namespace tfm::ui {

/// A screen of the window with its side panels, or a part of one. Tells `observing` what it needs
/// while it is visible, and nothing while it is hidden.
class View : public QWidget {
  Q_OBJECT

 public:
  /// `observing` must outlive the view.
  explicit View(Observing& observing, QWidget* parent = nullptr);
  ~View() override;

  /// The side panels; left is null if that is the experiment. Each is owned by its parent widget,
  /// else by the view.
  QWidget* left() const { return left_; }
  QWidget* inspector() const { return inspector_; }
  /// Whether the inspector is half of the screen, so that it stays on a projector.
  virtual bool keepsInspector() const { return false; }

 protected:
  /// Sets the side panels of a screen; call once.
  void setSides(QWidget* inspector, QWidget* left = nullptr);
  virtual Need need() const = 0;
  /// Call when need() changes.
  void updateNeed();
  /// The view was shown or hidden.
  virtual void shown() {}
  virtual void hidden() {}
  /// A side was shown or hidden, as for a projector. Also called whenever the view is shown.
  virtual void inspectorShown(bool) {}
  virtual void leftShown(bool) {}
  /// The widget that receives Esc, whatever part of the view has the focus; null: none.
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
