// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "ui/views/attention/attention_maps.h"

class QBoxLayout;
class QLabel;
class QPushButton;

namespace tfm::ui {

class Segmented;
class Style;

/// The controls below an attention map: which stage, which form, rollout and difference. Each has a
/// key, said in its tooltip, that works while the view is seen and no text is being typed. A line
/// below them says why what is off cannot be switched on.
class AttentionTools : public QWidget {
  Q_OBJECT

 public:
  explicit AttentionTools(const Style& style, QWidget* parent = nullptr);

  AttentionStage stage() const;
  bool lines() const;
  /// Switched on and possible.
  bool rollout() const { return wants_rollout_ && no_rollout_.isEmpty(); }
  bool difference() const { return wants_difference_ && no_difference_.isEmpty(); }
  /// Switched on, but perhaps not possible now.
  bool wantsDifference() const { return wants_difference_; }

  /// Writes the root of the key size on its button; 0: it differs.
  void setKeySize(int key_size);
  /// Empty: there is a rollout; else why there is none.
  void setNoRollout(const QString& reason);
  /// Empty: there is a difference; else why there is none.
  void setNoDifference(const QString& reason);
  /// The step that a difference is from; none: there can be no difference, and it is switched off.
  void setPinned(std::optional<std::int64_t> step);
  /// Two pinned moments are compared already: nothing is subtracted here.
  void setComparesPins(bool compares);

  /// Without the line that says why something is off; its tool tip still does.
  void setBrief(bool brief);

  QSize minimumSizeHint() const override;

 signals:
  /// Another stage or form is chosen.
  void changed();
  void pinWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void addKeys();
  /// In one row where there is room.
  void arrange();
  void updateSizes();
  void updateStages();
  void updateReasons();
  void updateDifference();

  const Style& style_;
  bool wants_rollout_ = false;
  bool wants_difference_ = false;
  bool compares_pins_ = false;
  QString no_rollout_, no_difference_;  ///< why; empty where it is possible
  Segmented* stages_;
  Segmented* forms_;
  QPushButton* rollout_;
  QPushButton* difference_;
  QLabel* reasons_;
  QWidget* right_;
  QBoxLayout* row_;
  QBoxLayout* right_row_;
};

}  // namespace tfm::ui
