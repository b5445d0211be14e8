// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/learning_curves.h"

#include <utility>

namespace tfm::reproduce {

std::unique_ptr<train::Trainer> trainedFor(
    train::Document document, std::int64_t steps, const Progress& progress,
    const std::function<void(train::Trainer&, const train::StepMetrics&)>& measured) {
  auto task = train::makeTask(document);
  auto trainer = std::make_unique<train::Trainer>(std::move(task), std::move(document.state),
                                                  document.train, 1);
  while (trainer->stepsDone() < steps) {
    const train::StepMetrics metrics = trainer->step();
    if (measured) measured(*trainer, metrics);
    if (!progress(double(trainer->stepsDone()) / double(steps))) return nullptr;
  }
  return trainer;
}

Progress partOf(const Progress& whole, double from, double share) {
  return [=](double part) { return whole(from + share * part); };
}

}  // namespace tfm::reproduce
