// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/nesting_options.h"

#include <CLI/App.hpp>

#include "app/cli/output.h"
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
  const auto list = [&](const char* name, auto& values, const char* meaning) {
    options.add_option(name, values, meaning)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("N,N,...")
        ->group(kGroup);
  };
  list("--widths", given_->widths, "Widths of the feed-forwards instead, smallest first");
  list("--nested-heads", given_->heads, "Attention heads for each width; default all");
  list("--nesting-weights", given_->weights,
       "Smallest submodel first; the last weight is repeated for missing ones. sampled: relative "
       "probabilities; joint: factors of the losses, not normalized. Default: equal, with the sum "
       "1");
  options
      .add_option("--nesting", given_->training,
                  "sampled: each step trains one of them (NeurIPS 2024); joint: the weighted sum "
                  "of all losses (first version of the paper)")
      ->check(CLI::IsMember({"sampled", "joint"}))
      ->type_name("WORD")
      ->group(kGroup);
}

void NestingOptions::apply(train::TrainConfig& config, const ModelConfig& model) const {
  const Given& given = *given_;
  if (!given.any()) return;
  matformer::Nesting& nesting = config.nesting;
  if (!given.widths.empty()) {
    nesting.widths = given.widths;
    nesting.heads.clear();
    nesting.weights.clear();
  } else if (nesting.widths.empty()) {
    nesting.widths = matformer::defaultNesting(model).widths;
  }
  if (!given.heads.empty()) nesting.heads = given.heads;
  if (!given.weights.empty()) nesting.weights = given.weights;
  if (!given.training.empty())
    nesting.training =
        given.training == "joint" ? matformer::Training::Joint : matformer::Training::Sampled;
  inFile(kCommandLine, [&] { matformer::validate(nesting); });
}

}  // namespace tfm::cli
