// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <functional>

#include "core/report/numbers.h"
#include "ui/figure/figure.h"

namespace tfm::ui {

/// Takes figures into a report. A view uses its nearest ancestor of this type.
class ReportHost {
 public:
  virtual ~ReportHost() = default;
  /// `source`: where its numbers come from, which is asked when the figure is taken, as is the
  /// figure; neither is if `view` is gone by then.
  virtual void addToReport(QWidget& view, const Figure& figure,
                           const std::function<report::Source()>& source) = 0;
};

}  // namespace tfm::ui
