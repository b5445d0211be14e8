// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "ui/style/forward.h"
#include "ui/views/flow/flow_run.h"

namespace tfm::ui {

/// Walks through a run step by step, forwards and then backwards, and says what each does. During a
/// walk it takes the keyboard focus: Space and the arrows then walk.
class FlowStepper : public QWidget {
  Q_OBJECT

 public:
  explicit FlowStepper(const Style& style, QWidget* parent = nullptr);

  /// The steps of another run; stays where it was if there are as many.
  void setRun(const std::shared_ptr<FlowRun>& run);
  /// The step shown, and whether its gradients are; none before the first.
  std::optional<std::size_t> step() const;
  bool isBackward() const;
  /// Before a walk, only its buttons and name are shown, where there is little room.
  void setBrief(bool brief);
  void next() { go(at_ + 1); }
  void previous() { go(at_ - 1); }
  void leave() { go(-1); }

 signals:
  void stepChanged();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  int forwardSteps() const;
  int count() const;
  void go(int at);
  void refresh();

  std::shared_ptr<FlowRun> run_;
  int at_ = -1;  ///< of all steps, those backwards after those forwards
  bool brief_ = false;
  QToolButton* previous_;
  QToolButton* next_;
  QToolButton* leave_;
  QLabel* number_;
  QLabel* keys_;
  QLabel* sentence_;
};

}  // namespace tfm::ui
