// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace tfm::ui {

class Segmented;
class Style;

/// Two plots, one above the other where there is room for both, else one of them with the choice.
class PlotPair : public QWidget {
  Q_OBJECT

 public:
  /// Takes ownership of the plots; the names are what the choice says.
  PlotPair(const Style& style, QWidget* upper, const QString& upper_name, QWidget* lower,
           const QString& lower_name, QWidget* parent = nullptr);

  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  bool hasRoomForBoth() const;
  void arrange();

  const Style& style_;
  Segmented* choice_;
  QWidget *upper_, *lower_;
};

}  // namespace tfm::ui
