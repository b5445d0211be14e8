// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include <array>

namespace tfm::cli {
namespace {

constexpr std::array kVerbs{
    Verb{"train", "Trains a model on a task and saves it", prepareTrain},
    Verb{"eval", "Measures a saved model on held-out examples", prepareEval},
    Verb{"decode", "Shows what a saved model answers to texts", prepareDecode},
    Verb{"expand", "Grows a saved model without changing its answers, and proves it",
         prepareExpand},
    Verb{"study", "Compares growing with training the final size from scratch", prepareStudy},
    Verb{"info", "Lists a model's config and parameters", prepareInfo},
    Verb{"probe", "Saves what happens inside a model for one text", prepareProbe},
    Verb{"export", "Saves a model's weights in another format", prepareExport},
    Verb{"bench", "Measures the speed of training on this machine", prepareBench},
    Verb{"presets", "Lists the models that --preset knows", preparePresets},
    Verb{"tasks", "Lists the tasks that --task knows", prepareTasks},
};

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

}  // namespace tfm::cli
