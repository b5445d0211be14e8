// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ask/answering.h"
#include "core/observe/intervention.h"
#include "core/observe/parameter_norms.h"
#include "core/observe/probe.h"

namespace tfm::train {

/// What the visible views need. Nothing else is computed.
struct Watch {
  bool parameters = false;
  bool moments = false;  ///< of the optimizer, with the parameters
  bool norms = false;    ///< of parameters and gradients
  std::string question;  ///< to probe; empty: none
  /// Texts that are read with the question in one padded batch. Not by lookAlong().
  std::vector<std::string> others = {};
  ReadAnswer read = ReadAnswer::Own;  ///< the answer that a decoder reads
  std::string pattern;                ///< selects tensors; see observe/selector.h
  std::vector<std::string> samples;   ///< questions to answer
  bool logits = false;                ///< of their answers
  /// In force for everything that is observed; see withInterventions().
  std::vector<observe::Intervention> interventions = {};
  bool operator==(const Watch&) const = default;
};

/// A text that was read, and what was observed of it.
struct SeenText {
  ProbeInput probe;
  observe::Observations observed;
};

/// The observations for a watch at one moment. Immutable once published.
struct Snapshot {
  std::int64_t step = 0;
  /// If parameters are watched, otherwise null; without the interventions, as it is planned and
  /// extracted from.
  std::shared_ptr<const ModelState> state;
  /// With them, if parameters are watched and interventions in force; null in a difference.
  std::shared_ptr<const ModelState> changed;
  std::vector<observe::ParameterNorm> norms;
  ProbeInput probe;
  std::vector<observe::AttentionSite> sites;
  observe::Observations observed;
  std::vector<SeenText> others;  ///< those of the watch, in order; none in a difference
  std::vector<AnsweredQuestion> samples;
  std::string problem;  ///< why the question could not be probed; empty: none
  /// Those in force; if any, everything here is of the changed model.
  std::vector<observe::Intervention> interventions;

  /// Whether all numbers are differences of two moments; see difference().
  bool is_difference = false;
  std::int64_t minus_step = 0;         ///< of the moment that was subtracted
  std::vector<std::string> unmatched;  ///< names of tensors without a complete counterpart
  /// The parameters in `unmatched`.
  std::vector<ParameterInfo> unmatchedParameters() const;
};

/// Looks inside models that read texts in one way, of any config. Not for two threads at once.
class Observer {
 public:
  explicit Observer(std::shared_ptr<const data::TextCodec> codec);

  /// `gradients`: of the state's parameters; if empty, their norms are NaN. Errors of the
  /// question's text or the model's answer are returned in `problem`.
  Snapshot look(const ModelState& state, const Watch& watch, std::span<const float> gradients = {});
  /// Like look(), but probes the model on the input of another snapshot, so that both can be
  /// compared number by number.
  Snapshot lookAlong(const ProbeInput& input, const ModelState& state, const Watch& watch);

 private:
  /// A changed model that needed runs to compute, for the next look at the same model.
  struct Kept {
    std::vector<observe::Intervention> interventions;
    std::int64_t step = 0;
    ModelConfig config;
    AlignedVector<float> parameters;
    std::shared_ptr<const ModelState> changed;
  };

  /// The state with the watch's interventions, the state itself without, or null and a problem.
  std::shared_ptr<const ModelState> changed(const ModelState& state, const Watch& watch,
                                            Snapshot& snapshot);
  /// The state with them. Throws as withInterventions().
  std::shared_ptr<const ModelState> with(const std::vector<observe::Intervention>& interventions,
                                         const ModelState& state);
  void lookAt(const ModelState& state, const Watch& watch, std::span<const float> gradients,
              Snapshot& snapshot);
  /// Observes the snapshot's question and its other texts as one batch.
  void lookInside(const ModelState& state, const Watch& watch, Snapshot& snapshot);
  /// The inputs of the question and of the other texts, padded.
  void readTexts(const ModelState& state, const Watch& watch, Snapshot& snapshot);

  std::shared_ptr<const data::TextCodec> codec_;
  std::unique_ptr<Backend<float>> backend_;
  std::optional<Kept> kept_;
  ModelConfig config_;  ///< of the probe
  std::unique_ptr<observe::Probe> probe_;
};

}  // namespace tfm::train
