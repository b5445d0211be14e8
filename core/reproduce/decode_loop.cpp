// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/decode_loop.h"

#include <algorithm>

#include "core/data/framing.h"
#include "core/model/build_program.h"
#include "core/observe/probe.h"

namespace tfm::reproduce {

LoopEnd notebookLoop(const train::Trainer& trainer, const std::vector<std::string>& questions) {
  const data::Task& task = trainer.task();
  std::vector<data::Example> examples;
  for (const std::string& question : questions)
    examples.push_back({task.encodeInput(question), {}});
  Batch batch = data::frame(task, trainer.framing(), examples);
  const data::Vocabulary& letters = data::outputVocabulary(task, trainer.framing());
  const auto held = trainer.lateState(false).take();
  const ModelState& state = *held;
  std::vector<data::Ids> rows(questions.size(), {letters.start()});
  LoopEnd end;
  bool all_ended = false;
  while (!all_ended && end.width < state.config.target_length) {
    batch.target.clear();
    for (const data::Ids& row : rows) {
      batch.target.push_back(letters.start());
      batch.target.insert(batch.target.end(), row.begin(), row.end());
    }
    end.width = batch.target_length = std::int64_t(rows.front().size()) + 1;
    ++end.passes;
    end.positions += end.width;
    observe::Probe probe(state.config, batch, trainer.backend());
    const observe::Observed logits =
        probe.run(state.parameters, batch, names::kOutput).at(std::string(names::kOutput));
    all_ended = true;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].clear();
      for (std::int64_t at = 0; at < end.width; ++at) {
        const auto scores =
            logits.values.begin() + (std::int64_t(i) * end.width + at) * logits.cols;
        rows[i].push_back(std::int32_t(std::max_element(scores, scores + logits.cols) - scores));
      }
      all_ended = all_ended && rows[i].back() == letters.pad();
    }
  }
  for (data::Ids& row : rows) {
    while (!row.empty() && row.back() == letters.pad()) row.pop_back();
    end.answers.push_back(letters.decode(row));
  }
  return end;
}

PassCost passCost(const ModelConfig& config, std::int64_t texts, std::int64_t source_length,
                  std::int64_t width) {
  const auto decoderOf = [&](std::int64_t positions, PassCost* cost) {
    const Program program = buildProgram(config, {texts, source_length, positions}, {});
    double decoder = 0.0;
    for (const Step& step : program.steps)
      if (!step.path.starts_with("encoder")) decoder += double(program.flopsOf(step));
    if (cost != nullptr) cost->all = double(program.forwardFlops());
    return decoder;
  };
  PassCost cost;
  cost.decoder = decoderOf(width, &cost);
  cost.newest = cost.decoder - (width > 1 ? decoderOf(width - 1, nullptr) : 0.0);
  return cost;
}

}  // namespace tfm::reproduce
