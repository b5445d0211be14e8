// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// Two plots, one above the other if there is room for both, else one at a time with a choice. A
/// third widget may be added temporarily as a guest.
class PlotPair : public QWidget {
  Q_OBJECT

 public:
  /// Takes ownership of the plots; the names are for the choice.
  PlotPair(const Style& style, QWidget* upper, const QString& upper_name, QWidget* lower,
           const QString& lower_name, const QString& guest_name, QWidget* parent = nullptr);

  /// Adds a guest and shows it; null releases it to its next parent.
  void setGuest(QWidget* guest);

  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  enum Choice { kGuest, kUpper, kLower };

  bool hasRoomForBoth() const;
  void arrange();

  const Style& style_;
  Segmented* choice_;
  QWidget *upper_, *lower_;
  QVBoxLayout* column_;
  QWidget* guest_ = nullptr;
};

}  // namespace tfm::ui
