// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>

#include "ui/forward.h"

namespace tfm::ui {

/// The number of steps and seeds of a study.
class StudySizes : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kMaxSteps = 10'000'000;

  explicit StudySizes(const Style& style, int seeds = 1, QWidget* parent = nullptr);

  /// Proposes the number of steps of a training, or `usual` if it has none.
  void propose(std::int64_t steps, int usual);

  QSpinBox& steps() { return *steps_; }
  QSpinBox& seeds() { return *seeds_; }

 private:
  QSpinBox *steps_, *seeds_;
};

}  // namespace tfm::ui
