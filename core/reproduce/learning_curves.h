// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/document/document.h"
#include "core/reproduce/picture.h"
#include "core/train/trainer.h"

namespace tfm::reproduce {

/// A trainer of a document's model after `steps` steps; null if `progress` ended it. `measured` is
/// called with it after each step. Results do not depend on the machine's number of threads.
std::unique_ptr<train::Trainer> trainedFor(
    train::Document document, std::int64_t steps, const Progress& progress,
    const std::function<void(train::Trainer&, const train::StepMetrics&)>& measured = {});

/// A part of the progress of a whole.
Progress partOf(const Progress& whole, double from, double share);

}  // namespace tfm::reproduce
