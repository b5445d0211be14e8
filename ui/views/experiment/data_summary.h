// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/data/task_statistics.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// Summarises a task's data before training: its amount, what was assumed to read it, what is lost,
/// the distribution of classes and lengths, and real examples. Shows only what applies to the task.
class DataSummary : public QWidget {
  Q_OBJECT

 public:
  explicit DataSummary(const Style& style, QWidget* parent = nullptr);

  void setData(const data::Task& task, const data::TaskStatistics& statistics);
  /// Shows that there is no data.
  void clear();

  QLabel& amount() { return *amount_; }
  QLabel& assumed() { return *assumed_; }
  QLabel& notice() { return *notice_; }
  QLabel& samples() { return *samples_; }
  BarList& classes() { return *classes_; }
  BarList& lengths() { return *lengths_; }

 private:
  void showClasses(const data::Task& task, const data::TaskStatistics& statistics);
  void showLengths(const data::Task& task, const data::TaskStatistics& statistics);

  const Style& style_;
  QLabel* amount_;
  QLabel* assumed_;
  QLabel* notice_;
  QLabel* guess_;
  QLabel* samples_;
  BarList* classes_;
  BarList* lengths_;
  Section* classes_section_;
  Section* lengths_section_;
  Section* samples_section_;
};

}  // namespace tfm::ui
