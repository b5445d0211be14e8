// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/observe/parameter_norms.h"
#include "core/observe/probe.h"
#include "core/train/answering.h"

namespace tfm::train {

/// What the visible views want to see. Nothing that is not asked for is computed.
struct Watch {
  bool parameters = false;
  bool norms = false;                 ///< of parameters and gradients
  std::string question;               ///< whose inside is looked at; empty: nothing
  ReadAnswer read = ReadAnswer::Own;  ///< what a decoder reads of its answer meanwhile
  std::string pattern;                ///< of the tensors to be read; see observe/selector.h
  std::vector<std::string> samples;   ///< questions to be answered
  bool logits = false;                ///< of their answers
  bool operator==(const Watch&) const = default;
};

/// What a watch saw at one moment. Never changed once published.
struct Snapshot {
  std::int64_t step = 0;
  std::shared_ptr<const ModelState> state;  ///< parameters wanted, or null
  std::vector<observe::ParameterNorm> norms;
  ProbeInput probe;
  std::vector<observe::AttentionSite> sites;
  observe::Observations observed;
  std::vector<AnsweredQuestion> samples;
  std::string problem;  ///< why the question could not be read; empty: none

  /// All numbers are those of one moment minus those of another; see difference().
  bool is_difference = false;
  std::int64_t minus_step = 0;         ///< of the moment that was subtracted
  std::vector<std::string> unmatched;  ///< names whose tensors the two have not alike
  /// Those of them that are parameters.
  std::vector<ParameterInfo> unmatchedParameters() const;
};

/// Looks inside models that read texts in one way, of any config. Not for two threads at once.
class Observer {
 public:
  explicit Observer(std::shared_ptr<const data::TextCodec> codec);

  /// `gradients`: of the state's parameters, or empty where they are not known; then their norms
  /// are NaN. What the question's text or the model's answer prevents is said in `problem`.
  Snapshot look(const ModelState& state, const Watch& watch, std::span<const float> gradients = {});
  /// As look(), with the question's inside seen while the model reads another's input, so that the
  /// two can be compared number by number.
  Snapshot lookAlong(const ProbeInput& input, const ModelState& state, const Watch& watch);

 private:
  void lookInside(const ModelState& state, const Watch& watch, Snapshot& snapshot);

  std::shared_ptr<const data::TextCodec> codec_;
  std::unique_ptr<Backend<float>> backend_;
  ModelConfig config_;  ///< that the probe was built for
  std::unique_ptr<observe::Probe> probe_;
};

/// `a` minus `b`: parameters, observed tensors and norms of the same name. Of parameters that have
/// grown, the cells that both have are subtracted, head by head; cells of `a` without a partner are
/// NaN. Observed tensors of another shape are left out. Whatever has not all its partners is named
/// in `unmatched`. Everything else is that of `a`.
Snapshot difference(const Snapshot& a, const Snapshot& b);

}  // namespace tfm::train
