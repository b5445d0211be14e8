// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/nesting_options.h"

#include <CLI/App.hpp>

#include "app/cli/at_option.h"
#include "app/cli/common_options.h"
#include "app/cli/output.h"
#include "core/base/error.h"
#include "core/base/in_file.h"

namespace tfm::cli {

struct NestingOptions::Given {
  bool matformer = false;
  std::vector<std::int64_t> widths, heads;
  std::vector<double> weights;
  std::string training;

  bool any() const {
    return matformer || !widths.empty() || !heads.empty() || !weights.empty() || !training.empty();
  }
};

NestingOptions::NestingOptions(CLI::App& options) : given_(std::make_shared<Given>()) {
  constexpr const char* kGroup = "Nested submodels";
  options
      .add_flag("--matformer", given_->matformer,
                "Train submodels too: an eighth, a quarter and half of each feed-forward")
      ->group(kGroup);
  addNumbers(options, "--widths", given_->widths,
             "Widths of the feed-forwards instead, smallest first")
      ->group(kGroup);
  addNumbers(options, "--nested-heads", given_->heads,
             "Attention heads for each width; default all")
      ->group(kGroup);
  addNumbers(
      options, "--nesting-weights", given_->weights,
      "Smallest submodel first; the last weight is repeated for missing ones. sampled: "
      "relative probabilities; joint: factors of the losses, not normalized. Default: equal, "
      "with the sum 1")
      ->group(kGroup);
  addChoice(options, "--nesting", given_->training, {"sampled", "joint"},
            "sampled: each step trains one of them (NeurIPS 2024); joint: the weighted sum of all "
            "losses (first version of the paper)")
      ->group(kGroup);
}

void NestingOptions::apply(train::TrainConfig& config, const ModelConfig& model) const {
  const Given& given = *given_;
  matformer::Nesting& nesting = config.nesting;
  if (!given.widths.empty()) {
    nesting.widths = given.widths;
    nesting.heads.clear();
    nesting.weights.clear();
  } else if (given.matformer && nesting.widths.empty()) {
    nesting.widths = matformer::defaultNesting(model).widths;
  }
  const auto needsWidths = [&](const char* option, bool is_given) {
    if (is_given && nesting.widths.empty())
      throw Error("no submodels are trained", option, "Choose them with --matformer or --widths");
  };
  needsWidths("--nested-heads", !given.heads.empty());
  needsWidths("--nesting-weights", !given.weights.empty());
  needsWidths("--nesting", !given.training.empty());
  if (!given.heads.empty()) nesting.heads = given.heads;
  if (!given.weights.empty()) nesting.weights = given.weights;
  if (!given.training.empty())
    nesting.training =
        given.training == "joint" ? matformer::Training::Joint : matformer::Training::Sampled;
  if (given.any()) inFile(kCommandLine, [&] { matformer::validate(nesting); });
}

void NestingOptions::requireSizes(const matformer::Nesting& nesting, const ModelConfig& grown,
                                  const std::string& config) const {
  const auto require = [&] { matformer::requireSubmodels(nesting, grown); };
  if (!given_->widths.empty() || !given_->heads.empty())
    atOption(given_->widths.empty() ? "--nested-heads" : "--widths", require);
  else if (!config.empty())
    inFile(config, require);
}

}  // namespace tfm::cli
