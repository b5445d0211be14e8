// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <optional>

#include "ui/style/forward.h"
#include "ui/views/attention/attention_shown.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// The controls below an attention map: stage, form, rollout and difference. Each has a key, shown
/// in its tooltip, that works while the view is visible and no text is being typed. A line below
/// says why a control is disabled.
class AttentionTools : public QWidget {
  Q_OBJECT

 public:
  explicit AttentionTools(const Style& style, QWidget* parent = nullptr);

  /// Shows what is chosen, without a signal.
  void setShown(const AttentionShown& shown);
  const AttentionShown& shown() const { return shown_; }
  /// Chosen and possible.
  bool rollout() const { return shown_.rollout && no_rollout_.isEmpty(); }
  bool difference() const { return shown_.difference && no_difference_.isEmpty(); }

  /// Shows the root of the key size on its button; 0: it differs between layers.
  void setKeySize(int key_size);
  /// Sets why there is no rollout; empty if there is one.
  void setNoRollout(const QString& reason);
  /// Sets why there is no difference; empty if there is one.
  void setNoDifference(const QString& reason);
  /// The pinned step to subtract; nullopt disables the difference.
  void setPinned(std::optional<std::int64_t> step);
  /// Whether two pinned moments are already compared, so that nothing is subtracted here.
  void setComparesPins(bool compares);

  /// Hides the line that says why a control is disabled; its tooltip still does.
  void setBrief(bool brief);

  QSize minimumSizeHint() const override;

 signals:
  /// Another stage or form was chosen, or rollout or difference.
  void chosen(const AttentionShown& shown);
  void pinRequested();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void choose(const std::function<void(AttentionShown&)>& change);
  void addKeys();
  /// Arranges the controls in one row if there is room.
  void arrange();
  void updateSizes();
  void updateStages();
  void updateReasons();
  void updateDifference();

  const Style& style_;
  AttentionShown shown_;
  bool compares_pins_ = false;
  QString no_rollout_, no_difference_;  ///< why; empty where it is possible
  Segmented* stages_;
  Segmented* forms_;
  QPushButton* rollout_;
  QPushButton* difference_;
  ElidedLabel* reasons_;
  QWidget* right_;
  QBoxLayout* row_;
  QBoxLayout* right_row_;
};

}  // namespace tfm::ui
