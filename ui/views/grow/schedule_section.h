// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/expand/growth.h"
#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"
#include "ui/widgets/section.h"

namespace tfm::ui {

/// The expansions that training will apply, each with a button to remove it. Hidden if there are
/// none.
class ScheduleSection : public Section {
  Q_OBJECT

 public:
  ScheduleSection(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

  /// Updates the list. Call once after the section was added to its zone.
  void showSchedule();
  /// Asks for a step after which to apply the plan. Returns false if the user cancelled.
  bool ask(const expand::Plan& plan);

 private:
  struct Line {
    QString text;
    int growth;  ///< index in the schedule
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
