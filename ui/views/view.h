// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>
#include <functional>
#include <string>

#include "core/io/fields.h"
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
  /// What the screen shows, as JSON for a document; "": nothing to keep.
  std::string kept() const { return kept_ ? kept_() : std::string(); }
  /// Shows what kept() returned. Throws Error where it is not that.
  void restore(const std::string& json, const std::string& where) {
    if (restore_) restore_(json, where);
  }
  /// What the rail calls the left side; null if that is the experiment.
  const QString& leftName() const { return left_name_; }

 protected:
  /// Sets the side panels of a screen; call once.
  void setSides(QWidget* inspector, QWidget* left = nullptr, const QString& left_name = {});
  virtual Need need() const = 0;
  /// The screen is kept as `get` returns it, a value that fieldsOf() lists, and restored by `set`;
  /// call once.
  template <class Get, class Set>
  void keepAs(Get get, Set set) {
    kept_ = [get] {
      auto state = get();
      return io::toJson(fieldsOf(state));
    };
    restore_ = [get, set](const std::string& json, const std::string& where) {
      auto state = get();
      io::fromJson(fieldsOf(state), json, where);
      set(state);
    };
  }
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
  QString left_name_;
  std::function<std::string()> kept_;
  std::function<void(const std::string&, const std::string&)> restore_;
};

}  // namespace tfm::ui
