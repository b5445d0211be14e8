// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/task_preparation.h"

#include <exception>
#include <utility>

#include "core/data/task_table.h"

namespace tfm::ui {

PreparedTask prepareTask(const data::TaskConfig& config) {
  constexpr std::uint64_t kSamples = 3;
  PreparedTask prepared;
  try {
    std::shared_ptr<const data::Task> task = data::makeTask(config);
    if (task->form() == data::TaskForm::Text)
      for (std::uint64_t i = 0; i < kSamples; ++i)
        prepared.statistics.samples.push_back(task->sample(i));
    else
      prepared.statistics = data::statisticsOf(*task);
    prepared.task = std::move(task);
  } catch (const Error& problem) {
    prepared.problem = problem;
  } catch (const std::exception& problem) {
    prepared.problem = Error(problem.what());
  }
  return prepared;
}

}  // namespace tfm::ui
