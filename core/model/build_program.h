// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_config.h"
#include "core/model/submodel.h"
#include "core/program/program.h"

namespace tfm {

struct ProgramOptions {
  bool training = false;  ///< enables dropout
  bool loss = false;      ///< ends with the loss, which reads labels and weights
  /// The loss is the squared error between the output and Batch::label_features, as it always is
  /// without an output.
  bool numbers = false;
  bool scores = false;  ///< keeps attention scores before the softmax
  bool watched = true;  ///< see Program
  /// Sequences of the whole batch if the program runs part of it: the squared error is a mean over
  /// all of them. 0: the program's own.
  std::int64_t batch_sequences = 0;
  /// The submodel to run, on windows of the whole model's parameters.
  Submodel submodel = {};
};

/// Tensor names common to all programs. Inputs exist only if the model reads them.
namespace names {
inline constexpr std::string_view kSourceIds = "source.ids";
inline constexpr std::string_view kSourcePad = "source.pad";
inline constexpr std::string_view kSourceFeatures = "source.features";
inline constexpr std::string_view kTargetIds = "target.ids";
inline constexpr std::string_view kTargetPad = "target.pad";
inline constexpr std::string_view kTargetPlaces = "target.places";  ///< of new positions
inline constexpr std::string_view kMemory = "memory";
inline constexpr std::string_view kLabels = "labels";
inline constexpr std::string_view kLabelWeights = "label_weights";
inline constexpr std::string_view kLabelFeatures = "label_features";
inline constexpr std::string_view kOutput = "output";         ///< logits, or the last hidden states
inline constexpr std::string_view kOutputPad = "output.pad";  ///< of an encoder's states
inline constexpr std::string_view kLoss = "loss";
inline constexpr std::string_view kProbabilities = "loss.probabilities";
}  // namespace names

/// Builds the program of a model for one batch shape, with the config's changes. With
/// shape.kept_length, of a decoder: it reads more positions of texts whose beginnings were read in
/// earlier runs; names::kTargetPlaces says which. The keys and values of its memory are inputs with
/// the names that they have as activations without kept_length. Throws Error for
/// an invalid config, a submodel it does not have, sequences longer than it allows, and changes in
/// training.
Program buildProgram(const ModelConfig& config, const BatchShape& shape,
                     const ProgramOptions& options);

/// The model's parameters, in the order of the program's steps.
ParameterLayout parameterLayout(const ModelConfig& config);

/// One sequence of one position, enough to derive the model's parameters.
BatchShape minimalShape(const ModelConfig& config);
/// The longest shape that the config allows.
BatchShape fullShape(const ModelConfig& config, std::int64_t sequences);

}  // namespace tfm
