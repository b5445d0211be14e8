// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ask/explained_run.h"
#include "core/ask/explained_update.h"
#include "core/ask/step_texts.h"
#include "core/data/framing.h"
#include "core/data/text_codec.h"
#include "core/observe/held_positions.h"
#include "core/observe/intervention.h"
#include "core/observe/logit_lens.h"
#include "core/observe/model_map.h"
#include "core/report/numbers.h"
#include "ui/document/asked_texts.h"
#include "ui/document/selection.h"

namespace tfm::ui {

/// Which numbers of a run are shown.
enum class FlowSide { Values, Gradients };

/// What a run is computed from.
struct FlowSource {
  std::shared_ptr<const ModelState> state;
  std::shared_ptr<const ModelState> minus;  ///< of an earlier moment, for a difference; or null
  std::vector<observe::Intervention> interventions;  ///< to put in force in both states
  train::ProbeInput input;
  /// Another text, for the difference of two: as long as the input, whose labels name both.
  std::optional<train::ProbeInput> minus_input = {};
  std::optional<ComparedTexts> texts = {};  ///< their numbers, for words
  /// The run is that of a training step on this text alone: it reads what the loss is on
  /// (train::StepTexts), and goes back from there. Without effect on a text without a loss.
  bool gradients = false;
  /// A weight is shown: what such a step makes of it is computed with the run, not when asked for.
  bool weight = false;
  bool lens = false;  ///< also what the model would answer after each block
  std::shared_ptr<const data::TextCodec> codec;
  data::Framing framing = data::Framing::States;
  train::TrainConfig training;  ///< of the optimizer whose next step is explained
};

/// One text on its way through a model, with the model's map and the names of rows and columns.
/// Made on any thread, then used by one.
class FlowRun {
 public:
  using Labels = std::vector<std::string>;

  /// Runs the model. Throws Error.
  explicit FlowRun(const FlowSource& source);

  const Program& program() const { return run_.program(); }
  const observe::ModelMap& map() const { return map_; }
  train::ExplainedRun<float>& explained() { return run_; }
  std::int64_t step() const { return state_->step; }
  bool hasGradients() const { return run_.hasGradients(); }
  /// Whether the text has a loss, so that a run of it can have gradients.
  bool canGoBack() const { return can_go_back_; }
  /// What the gradients are of, in one sentence; empty without them.
  const std::string& lossSentence() const { return loss_; }
  bool isDifference() const { return minus_ != nullptr; }
  /// The texts of a difference of two; none of any other run.
  const std::optional<ComparedTexts>& texts() const { return texts_; }
  /// Empty unless it was asked for and the model has answers.
  const std::vector<observe::LensAnswer>& lens() const { return lens_; }
  const TensorInfo& info(TensorId id) const { return program().tensors[std::size_t(id)]; }

  /// The optimizer's update of a parameter if this text were the whole batch; none without a loss
  /// or moments, for a difference, and with interventions in force, since training ignores them.
  /// Takes as long as a training step if it is not known yet.
  std::optional<train::ExplainedUpdate> updateOf(TensorId parameter);
  /// Whether a tensor has real numbers, or gradients.
  bool has(TensorId id, FlowSide side) const;
  /// Where a number of another run is in this one; none where this has no such number.
  std::optional<observe::NumberPlace> sameNumber(const FlowRun& other,
                                                 observe::NumberPlace place) const;
  /// A number, minus that of the earlier moment or of the other text, where there is one; NaN where
  /// that has none.
  float number(TensorId id, std::int64_t row, std::int64_t col, FlowSide side);

  /// The tokens of a tensor's rows or columns; empty where they are not tokens.
  const Labels& rowLabels(TensorId id) const { return rows_[std::size_t(id)]; }
  const Labels& columnLabels(TensorId id) const { return columns_[std::size_t(id)]; }
  /// Of the rows of a cross-attention map, for each position of the decoder what it writes, where
  /// rowLabels() has what it reads; empty for other tensors.
  const Labels& writtenLabels(TensorId id) const { return written_[std::size_t(id)]; }
  /// The map of how much is looked at, of the attention with that path; kNoTensor if there is none.
  TensorId sharesOf(std::string_view attention) const;
  /// How many columns of a query, key, value or mixed values are of one head; 0 for other tensors.
  std::int64_t headWidth(TensorId id) const { return head_widths_[std::size_t(id)]; }
  /// The token at whose position a number stands; none if it is not at one position.
  std::optional<ReadToken> tokenOf(const observe::NumberPlace& place);
  /// What rows and columns count: "position", "hidden"; empty where unknown.
  const std::string& rowAxis(TensorId id) const { return row_axes_[std::size_t(id)]; }
  const std::string& columnAxis(TensorId id) const { return column_axes_[std::size_t(id)]; }
  /// The shape of the attention that a map belongs to; null for other tensors.
  const AttentionShape* attentionOf(TensorId id) const;

 private:
  /// What the positions of a tensor's rows are of, and which of them each row holds.
  struct Reads {
    Stack stack = Stack::None;
    std::shared_ptr<const observe::Held> positions = {};
  };

  /// A text as a training step reads it, and the submodels whose losses that adds up.
  struct TrainingStep {
    train::StepTexts texts;
    std::vector<train::WeightedPart> parts;
  };
  static std::optional<TrainingStep> trainingStep(const FlowSource& source,
                                                  const ModelState& state);
  FlowRun(const FlowSource& source, const std::shared_ptr<const ModelState>& state);
  FlowRun(const FlowSource& source, const std::shared_ptr<const ModelState>& state,
          const std::optional<TrainingStep>& step);
  /// The gradients of a training step on this text; empty where there are none.
  AlignedVector<float> stepGradients() const;
  void nameRows();
  void nameColumns(const FlowSource& source);

  train::ExplainedRun<float> run_;
  std::unique_ptr<train::ExplainedRun<float>> minus_;
  observe::ModelMap map_;
  std::shared_ptr<const ModelState> state_;
  train::TrainConfig training_;
  bool can_go_back_ = false;
  std::string loss_;
  FlowSource source_;
  std::optional<AlignedVector<float>> step_gradients_;  ///< see stepGradients(); if known
  std::optional<ComparedTexts> texts_;
  std::vector<observe::LensAnswer> lens_;
  std::vector<Labels> rows_, columns_, written_;     ///< by tensor
  std::vector<Reads> reads_;                         ///< by tensor
  std::vector<std::string> row_axes_, column_axes_;  ///< by tensor
  std::vector<const AttentionShape*> attentions_;    ///< by tensor
  std::vector<std::int64_t> head_widths_;            ///< by tensor
};

/// The tensor that holds the numbers of a window.
TensorId holderOf(const Program& program, TensorId id);

/// Where the tensors of a run come from; nothing for numbers of a training step and for differences
/// of texts.
report::Source tensorSource(FlowRun& run, std::span<const TensorId> tensors);
/// Where a number's explanation comes from; nothing as above, and for gradients.
report::Source numberSource(FlowRun& run, const observe::NumberPlace& place);

}  // namespace tfm::ui
