// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>

#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// Shows which moment is shown, goes back to the present or continues from it, and chooses between
/// two pinned ones. Nothing in it moves: what cannot be used is only disabled. It is always
/// visible, so that nothing around it moves, except in a low window.
class TimeBar : public QWidget {
  Q_OBJECT

 public:
  TimeBar(const Style& style, Training& training, Moments& moments, Observing& observing,
          Changes& changes, QWidget* parent = nullptr);
  /// Whether to show it even while the present is shown and nothing is pinned.
  void setRoomy(bool roomy);
  /// The size of the narrow form, in two lines.
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QPushButton* addButton(const QString& text, const QString& help, void (TimeBar::*action)());
  void addPin(int slot);
  void backToNow();
  void goOn();
  void refresh();
  QString sentence() const;
  void updateSizes();
  /// Puts the comparison on a second line if one line is too narrow.
  void arrange();

  const Style& style_;
  Training& training_;
  Moments& moments_;
  Observing& observing_;
  Changes& changes_;
  bool roomy_ = true;
  QHBoxLayout* row_;
  QHBoxLayout* below_;
  QWidget* pins_;
  ElidedLabel* text_;
  QPushButton* now_;
  QPushButton* go_on_;
  std::array<QPushButton*, 2> pin_{};
  std::array<PinChip*, 2> chip_{};
  std::array<QStackedLayout*, 2> slot_{};  ///< the button or the chip, in one place
  Segmented* comparison_;
};

}  // namespace tfm::ui
