// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/expand/growth.h"
#include "ui/widgets/section.h"

class QVBoxLayout;

namespace tfm::ui {

class ModelDocument;

/// What training will apply by itself, a line each with a button that takes it out. Hidden where
/// that is nothing.
class ScheduleSection : public Section {
  Q_OBJECT

 public:
  ScheduleSection(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

  /// To be called once it stands among others.
  void showSchedule();
  /// Asks after which step, and schedules a plan for it; false: the user gave up.
  bool ask(const expand::Plan& plan);

 private:
  struct Line {
    QString text;
    int growth;  ///< its place in the schedule
    bool operator==(const Line&) const = default;
  };

  std::vector<Line> lines() const;
  void takeOut(int growth);
  void takeAllOut();

  ModelDocument& document_;
  QVBoxLayout* column_;
  std::vector<Line> lines_;
};

}  // namespace tfm::ui
