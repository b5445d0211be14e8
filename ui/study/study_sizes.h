// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <functional>

#include "ui/style/forward.h"

namespace tfm::ui {

/// The number of steps and seeds of a study; of stored examples also the number of epochs.
class StudySizes : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kMaxSteps = 10'000'000;

  explicit StudySizes(const Style& style, int seeds = 1, QWidget* parent = nullptr);

  /// Proposes the number of steps of a training, or `usual` if it has none.
  void propose(std::int64_t steps, int usual);

  /// Lets the steps be given in epochs. `steps_of`: the steps of `epochs` epochs, 0 if examples are
  /// generated; then nothing is offered.
  void offerEpochs(const std::function<std::int64_t(double epochs)>& steps_of);

  QSpinBox& steps() { return *steps_; }
  /// Null unless they are offered.
  QDoubleSpinBox* epochs() { return epochs_; }
  QSpinBox& seeds() { return *seeds_; }

 private:
  void addRow(QWidget* box);

  QSpinBox *steps_, *seeds_;
  QDoubleSpinBox* epochs_ = nullptr;
  QGridLayout* grid_;
  const Style& style_;
};

}  // namespace tfm::ui
