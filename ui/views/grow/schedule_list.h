// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QVBoxLayout;

namespace tfm::ui {

/// The growths that training will apply, each with a button to remove it.
class ScheduleList : public QWidget {
  Q_OBJECT

 public:
  struct Line {
    QString text;
    int growth;  ///< its place in the schedule
    bool operator==(const Line&) const = default;
  };

  explicit ScheduleList(QWidget* parent = nullptr);

  void setLines(const std::vector<Line>& lines);

 signals:
  void removed(int growth);

 private:
  QVBoxLayout* column_;
  std::vector<Line> lines_;
};

}  // namespace tfm::ui
