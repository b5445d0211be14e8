// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include <array>

namespace tfm::cli {
namespace {

constexpr std::array kVerbs{
    Verb{"train", "Trains a model on a task and saves it", prepareTrain, true},
    Verb{"eval", "Evaluates a saved model, on held-out examples where its task has them",
         prepareEval, true},
    Verb{"decode", "Shows a saved model's answers to texts", prepareDecode, true},
    Verb{"expand", "Grows a saved model without changing its answers, and proves it", prepareExpand,
         true},
    Verb{"study", "Compares models, or growing with training the final size from scratch",
         prepareStudy, true},
    Verb{"nesting-study", "Compares a nested model with its sizes trained separately",
         prepareNestingStudy, true},
    Verb{"info", "Lists a model's config and parameters", prepareInfo},
    Verb{"probe", "Saves a model's activations for one text", prepareProbe, true},
    Verb{"explain",
         "Explains a number of a model: the numbers that it is computed "
         "from",
         prepareExplain},
    Verb{"lens", "Shows what a model would answer after each block, and what makes a logit",
         prepareLens},
    Verb{"importance", "Measures what each head, neuron or layer is worth, switched off in turn",
         prepareImportance, true},
    Verb{"patch", "Finds where the states of one text bring about its answer in another",
         preparePatch, true},
    Verb{"top-texts", "Shows the held-out texts that excite a head or a neuron most",
         prepareTopTexts},
    Verb{"extract", "Saves a nested submodel as a model of its own", prepareExtract},
    Verb{"export", "Saves a model's weights alone, or in another format", prepareExport},
    Verb{"import", "Saves a pretrained model (GPT-2, Llama, BERT, GGUF, ...) as one without a task",
         prepareImport},
    Verb{"features", "Shows or saves features of texts from a pretrained BERT or Funnel",
         prepareFeatures, true},
    Verb{"bench", "Measures the speed of training on this machine", prepareBench, true},
    Verb{"presets", "Lists the models that --preset knows", preparePresets},
    Verb{"tasks", "Lists the tasks that --task knows", prepareTasks},
    Verb{"data", "Shows statistics and samples of a task's examples", prepareData, true},
    Verb{"tokenize", "Shows the tokens and ids of texts", prepareTokenize},
    Verb{"reproduce", "Computes the numbers of the source documents anew", prepareReproduce, true},
    Verb{"lesson", "Checks a lesson, and plays it without a window", prepareLesson, true},
    Verb{"report", "Computes the numbers of a student's report anew", prepareReport},
};

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

}  // namespace tfm::cli
