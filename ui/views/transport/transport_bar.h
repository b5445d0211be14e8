// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <functional>
#include <optional>

#include "ui/document/forward.h"
#include "ui/plots/forward.h"
#include "ui/plots/redraw_timer.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::train {
struct Evaluation;
}

namespace tfm::ui {

/// One row below the screens: starts and stops training, shows its three
/// numbers, and draws its loss as a strip that leads back to kept moments.
/// Going back to the present, continuing from a moment and comparing pinned
/// ones appear while they can be used; places are kept for what appears while
/// one drags over the strip. Its upper edge is a progress bar up to the step at
/// which training stops. The shortcuts in the tooltips belong to the window's
/// menu; the bar's own are { and } for the speed, [ and ] for the previous and
/// next moment, and Ctrl+End for the present.
class TransportBar : public QFrame {
  Q_OBJECT

 public:
  TransportBar(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  /// Sets the action of the play button; by default it plays or pauses the
  /// document.
  void setPlayAction(std::function<void()> action) { play_action_ = std::move(action); }
  /// Sets the action of the entries that start over, with the same seed or a
  /// new one; by default the document does it.
  void setStartOverAction(std::function<void(bool new_seed)> action) {
    start_over_action_ = std::move(action);
  }
  LossStrip& strip() { return *strip_; }
  /// Lets the training about to start begin slowly and speed up in stages,
  /// unless the user has chosen or chooses a speed.
  void startSlowly();
  /// Whether a slow start is in progress.
  bool isSlow() const { return stage_.has_value(); }
  /// Parts without room are hidden, the least important first.
  QSize minimumSizeHint() const override;

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  template <class Button>
  Button* add(Button* button, std::function<void()> action);
  void makeMoments();
  void makeSpeeds();
  void fillMore();
  void chooseSpeed(int place, bool by_user);
  void changeSpeed(int by);
  void goFasterIfDue();
  void showStage();
  void endSlowStart();
  void addKeys();
  void goTo(double step);
  void showMoments();
  void showPlace();
  void showPins();
  void showModel();
  void refill();
  void append(int first, int first_evaluation);
  void showNumbers();
  void nameStep();
  QString timeLeft() const;
  void nameAccuracy(const train::Evaluation* measured);
  void showSpeed();
  void showGoal();
  void showRunning();
  void updateSizes();
  void fit();

  Style& style_;
  ModelDocument& document_;
  Training& training_;
  Moments& moments_;
  std::function<void()> play_action_;
  std::function<void(bool new_seed)> start_over_action_;
  QHBoxLayout* row_;
  QToolButton* play_;
  QToolButton* step_button_;
  QToolButton* speed_button_;  ///< with a menu of speeds
  NamedNumber* step_;
  NamedNumber* loss_;
  NamedNumber* accuracy_;
  LossStrip* strip_;
  QToolButton* now_;    ///< while a moment is shown
  QToolButton* go_on_;  ///< the same
  Segmented* comparison_;
  QToolButton* pin_;
  QToolButton* more_;
  RedrawTimer redraw_;
  int speed_ = 0;                     ///< a place in the list of speeds
  bool speed_chosen_ = false;         ///< by the user
  std::optional<std::size_t> stage_;  ///< of a slow start
  double progress_ = 0.0;             ///< towards the step at which training stops
};

}  // namespace tfm::ui
