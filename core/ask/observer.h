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

using StatePtr = std::shared_ptr<const ModelState>;

/// What is looked at: a model, what it reads, with which changes, and what is needed of it. Nothing
/// else is computed.
struct Looking {
  StatePtr state;   ///< a kept moment; null: the present of a training
  StatePtr minus;   ///< subtracted from `state`; null: nothing
  StatePtr beside;  ///< what it does with the same input is Snapshot::beside; null: none

  bool parameters = false;
  bool moments = false;  ///< of the optimizer, with the parameters
  bool norms = false;    ///< of parameters and gradients
  std::string question;  ///< to read; empty: none
  /// Read with the question in one padded batch, by `state` alone.
  std::vector<std::string> others = {};
  ReadAnswer read = ReadAnswer::Own;  ///< the answer that a decoder reads
  std::string pattern;  ///< tensors of the forward pass, see observe/selector.h; empty: no pass
  std::vector<std::string> samples;  ///< questions to answer
  bool logits = false;               ///< of their answers
  /// In force for everything that is observed; see withInterventions().
  std::vector<observe::Intervention> interventions = {};

  bool needsNothing() const { return !parameters && !norms && question.empty() && samples.empty(); }
  bool operator==(const Looking&) const = default;
};

/// A text that was read, and what was observed of it.
struct SeenText {
  ProbeInput probe;
  observe::Observations observed;
};

/// What was seen. Immutable once published.
struct Snapshot {
  std::int64_t step = 0;
  /// If parameters are needed, otherwise null; without the interventions, as it is planned and
  /// extracted from.
  StatePtr state;
  /// With them, if parameters are needed and interventions in force; null in a difference.
  StatePtr changed;
  std::vector<observe::ParameterNorm> norms;
  ProbeInput probe;
  std::vector<observe::AttentionSite> sites;
  observe::Observations observed;
  std::vector<SeenText> others;  ///< those looked at, in order; none in a difference
  std::vector<AnsweredQuestion> samples;
  std::string problem;  ///< why the question could not be probed; empty: none
  /// Those in force; if any, everything here is of the changed model.
  std::vector<observe::Intervention> interventions;

  /// Of Looking::beside, which reads what this snapshot read; without samples and norms.
  std::shared_ptr<const Snapshot> beside;

  /// Whether all numbers are differences of two moments, minuend - subtrahend; see difference().
  bool is_difference = false;
  std::shared_ptr<const Snapshot> minuend, subtrahend;
  std::int64_t minus_step = 0;         ///< of the moment that was subtracted
  std::vector<std::string> unmatched;  ///< names of tensors without a complete counterpart
  /// The parameters in `unmatched`.
  std::vector<ParameterInfo> unmatchedParameters() const;
};

/// Looks inside models that read texts in one way, of any config. Not for two threads at once.
class Observer {
 public:
  explicit Observer(std::shared_ptr<const data::TextCodec> codec);

  /// `state`: Looking::state or, if that is null, the present. `gradients`: of its parameters; if
  /// empty, their norms are NaN. Errors of the question's text or the model's answer are returned
  /// in `problem`. The subtrahend reads the input of the minuend, so that both can be compared
  /// number by number.
  std::shared_ptr<const Snapshot> look(const Looking& looking, const StatePtr& state,
                                       std::span<const float> gradients = {});

 private:
  /// A changed model that needed runs to compute, for the next look at the same model.
  struct Kept {
    std::vector<observe::Intervention> interventions;
    std::int64_t step = 0;
    ModelConfig config;
    AlignedVector<float> parameters;
    StatePtr changed;
  };
  /// The last snapshot beside another one, for the next look that wants the same.
  struct Beside {
    Looking looking;  ///< of no state
    Batch batch;
    std::shared_ptr<const Snapshot> seen;
  };

  /// Looks at one model. `input`: what it reads, in place of the texts.
  Snapshot lookAt(const Looking& looking, const StatePtr& state, std::span<const float> gradients,
                  const ProbeInput* input = nullptr);
  /// Looks at Looking::beside.
  std::shared_ptr<const Snapshot> lookBeside(Looking looking, const ProbeInput& input);
  /// The state with the interventions, the state itself without.
  StatePtr changed(const Looking& looking, const StatePtr& state);
  /// Observes the snapshot's question and its other texts as one batch.
  void lookInside(const ModelState& state, const Looking& looking, Snapshot& snapshot);
  /// The inputs of the question and of the other texts, padded.
  void readTexts(const ModelState& state, const Looking& looking, Snapshot& snapshot);

  std::shared_ptr<const data::TextCodec> codec_;
  std::unique_ptr<Backend<float>> backend_;
  std::optional<Kept> kept_;
  std::optional<Beside> beside_;
  ModelConfig config_;  ///< of the probe
  std::unique_ptr<observe::Probe> probe_;
};

}  // namespace tfm::train
