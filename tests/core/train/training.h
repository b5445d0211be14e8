// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/ask/observer.h"
#include "core/document/document.h"
#include "core/study/study.h"
#include "core/train/trainer.h"

namespace tfm::test {

/// A task with its usual settings; `text` for kinds that learn from one.
std::shared_ptr<const data::Task> taskOf(std::string_view kind, const std::string& text = {});

/// A preset's model, fitted to a task.
ModelConfig modelFor(std::string_view preset, const data::Task& task);

/// The small decoder-only preset, fitted to a task that it answers after a start token.
ModelConfig decoderFor(const data::Task& task);

/// The model with each kind of dropout on.
ModelConfig withDropout(ModelConfig config);

/// A new document that trains a preset on a task.
train::Document documentOf(std::string_view preset, std::string_view kind,
                           const train::TrainConfig& config = {}, bool dropout = false);

/// A document whose model's steps take next to no time.
train::Document quickDocument(train::TrainConfig config = {});

/// What a study of a preset on a task is about; its seeds and sizes are the test's to set.
train::StudyConfig studyOf(std::string_view preset, std::string_view kind);

/// A trainer that goes on from a document.
train::Trainer trainerOf(const train::Document& document, int threads = 1);

/// The losses of the next steps.
std::vector<double> losses(train::Trainer& trainer, int steps);

/// The metrics without the time that they took, which no two runs share.
std::vector<train::StepMetrics> withoutTime(std::vector<train::StepMetrics> metrics);

/// A copy that an observer may keep.
train::StatePtr shared(ModelState state);

/// Whether two moments of training are the same, bit for bit.
bool sameState(const ModelState& a, const ModelState& b);

}  // namespace tfm::test
