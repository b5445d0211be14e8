// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "ui/heatmap/token_tables.h"
#include "ui/views/flow/flow_run.h"

namespace tfm::ui {

/// The logit lens as a table: what the model would answer after its input and after each of its
/// blocks, at every position, coloured by the probability. The first row is the input's.
class FlowLens : public TokenSheet {
  Q_OBJECT

 public:
  explicit FlowLens(const Style& style, QWidget* parent = nullptr);

  /// Shows the lens of a run, or nothing.
  void setRun(const std::shared_ptr<FlowRun>& run);
  /// The column of the output that is likeliest in a cell.
  std::int64_t tokenAt(const Cell& cell) const;

  QString itemText(int item) const override;
  DataTable figureData() const override;

 private:
  QString tokenText(std::int64_t token) const;
  double probability(const Cell& cell, std::int64_t token) const;

  std::vector<observe::LensAnswer> answers_;
  QStringList tokens_;
};

}  // namespace tfm::ui
