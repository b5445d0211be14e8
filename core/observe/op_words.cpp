// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/op_words.h"

#include <algorithm>
#include <any>
#include <array>

#include "core/program/ops/ops.h"
#include "core/program/ops/update_ops.h"

namespace tfm::observe {
namespace {

/// What a sentence is about.
struct Told {
  const Program& program;
  const Step& step;
  const TensorNamer& namer;

  const TensorInfo& in(std::size_t i) const { return program.tensors[std::size_t(step.inputs[i])]; }
  const TensorInfo& out(std::size_t i = 0) const {
    return program.tensors[std::size_t(step.outputs[i])];
  }
  std::string name(TensorId id) const {
    return namer ? namer(id) : program.tensors[std::size_t(id)].name;
  }
  std::string inName(std::size_t i) const { return name(step.inputs[i]); }
  bool has(std::size_t i) const { return i < step.inputs.size() && step.inputs[i] != kNoTensor; }
  template <class Arguments>
  const Arguments& get() const {
    return std::any_cast<const Arguments&>(step.arguments);
  }
};

/// "1 number", "8 numbers".
std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}
std::string numbers(std::int64_t count) { return counted(count, "number"); }
/// "At each of 5 positions, ".
std::string atEach(const TensorInfo& t) {
  return t.rows == 1 ? "Once, " : "At each of " + counted(t.rows, "position") + ", ";
}

std::string embeddingSentence(const Told& t) {
  return "Each of " + counted(t.in(0).rows, "token") + " becomes its row of " + t.inName(1) + ", " +
         numbers(t.out().cols) + ": a lookup, not a product";
}
std::string positionsSentence(const Told& t) {
  if (t.get<SequenceArguments>().length == 1 && t.out().rows > 1)
    return atEach(t.out()) + "the same " + numbers(t.out().cols) + " of " + t.inName(1) +
           " are added";
  return atEach(t.out()) + numbers(t.out().cols) + " that stand for the place are added";
}
std::string padSentence(const Told& t) {
  return atEach(t.out()) + numbers(t.in(0).cols) + " are followed by zeros, " +
         std::to_string(t.out().cols) + " in all";
}
std::string linearSentence(const Told& t) {
  return atEach(t.out()) + numbers(t.in(0).cols) + " become " + std::to_string(t.out().cols) +
         ": each is a sum of them all, weighted by a row of " + t.inName(1) +
         (t.has(2) ? ", and a bias" : "");
}
std::string groupedSentence(const Told& t) {
  const auto& [groups, shuffle] = t.get<GroupedLinearArguments>();
  return atEach(t.out()) + numbers(t.in(0).cols) + " become " + std::to_string(t.out().cols) +
         " in " + counted(groups, "group") + ": each is a weighted sum of the " +
         std::to_string(t.in(0).cols / groups) + " of its group" +
         (shuffle ? "; then the groups are shuffled" : "");
}
std::string joinSentence(const Told& t) {
  return atEach(t.out()) + numbers(t.in(0).cols) + " and " + std::to_string(t.in(1).cols) +
         " more stand side by side, in " + counted(t.get<JoinGroupsArguments>().groups, "group");
}
std::string activationSentence(const Told& t) {
  const bool relu = t.get<Activation>() == Activation::Relu;
  return "Each of " + numbers(t.out().rows * t.out().cols) +
         (relu ? " stays if it is positive and otherwise becomes 0"
               : " stays if it is large, and comes close to 0 if it is far below");
}
std::string addSentence(const Told& t) {
  return atEach(t.out()) + numbers(t.out().cols) + " of " + t.inName(1) +
         " are added to those of " + t.inName(0);
}
std::string gateSentence(const Told& t) {
  return "A gate, " + t.inName(2) + ", mixes " + t.inName(0) + " (where it is 0) and " +
         t.inName(1) + " (where it is 1)";
}
std::string affineSentence(const Told& t) {
  return "An intervention changes numbers of " + t.name(t.step.outputs.front()) +
         ": each is scaled by a factor, 1 where it stays, and a number is added";
}
std::string dropoutSentence(const Told& t) {
  return "Some of " + numbers(t.out().rows * t.out().cols) +
         ", drawn at random, become 0; the others grow to make up for them";
}
std::string normSentence(const Told& t) {
  const std::int64_t groups = t.out(1).cols / 2;
  return atEach(t.out()) +
         (groups > 1 ? counted(groups, "group") + " of " + numbers(t.out().cols / groups) + " are"
                     : numbers(t.out().cols) + " are") +
         " brought to mean 0 and deviation 1, then stretched and shifted by learned numbers";
}
std::string maskedNormSentence(const Told& t) {
  return normSentence(t) + "; only the first " + std::to_string(t.get<MaskedNormArguments>().size) +
         " count fully so far";
}
std::string rmsSentence(const Told& t) {
  return atEach(t.out()) + numbers(t.out().cols) +
         " are brought to mean square 1, then stretched by learned numbers";
}
std::string attentionSentence(const Told& t) {
  const AttentionShape& s = t.get<AttentionArguments>().shape;
  const std::string with = "with queries and keys of " + numbers(s.key_size);
  return (s.heads == 1 ? "1 head, " + with + ", compares "
                       : std::to_string(s.heads) + " heads, each " + with + ", compare ") +
         "each of " + counted(s.queries, "position") + " with each of " + std::to_string(s.keys) +
         (s.causal ? " that is not later" : "") + ", and " + (s.heads == 1 ? "mixes" : "mix") +
         " values of " + numbers(s.value_size) + " by how well they fit";
}
std::string relativeSentence(const Told& t) {
  return "Each query is compared with what stands for its distance from each key: " +
         numbers(t.out().rows * t.out().cols) + " to add to the scores";
}
std::string segmentSentence(const Told& t) {
  return "Each query is compared with what stands for being in the same text as a key, or in "
         "another: added to " +
         counted(t.out().rows * t.out().cols, "score");
}
std::string poolSentence(const Told& t) {
  const bool mean = t.get<SequencePoolArguments>().kind == Pooling::Mean;
  return counted(t.in(0).rows, "position") + " become " + std::to_string(t.out().rows) +
         ": two neighbours are replaced by their " + (mean ? "mean" : "maximum");
}
std::string poolIdsSentence(const Told& t) {
  return "What is known of " + counted(t.in(0).rows, "position") + " is handed on to the " +
         std::to_string(t.out().rows) + " that hold them";
}
std::string upsampleSentence(const Told& t) {
  return counted(t.in(0).rows, "position") + " become " + std::to_string(t.out().rows) +
         ": each is repeated";
}
std::string meanPoolSentence(const Told& t) {
  return counted(t.in(0).rows, "position") + " become " + std::to_string(t.out().rows) +
         ": their mean, without padding";
}
std::string crossEntropySentence(const Told& t) {
  return atEach(t.in(0)) + counted(t.in(0).cols, "logit") +
         " become probabilities; the loss is how surprising the right answers are";
}
std::string squaredErrorSentence(const Told& t) {
  return "The loss is how far " + numbers(t.in(0).rows * t.in(0).cols) +
         " are from those wanted, squared";
}
std::string updateSentence(const Told&) {
  return "The optimizer moves each weight against its gradient";
}

/// The symbols of outputs and of inputs, parted by spaces; "|" parts several for one, "~" is a
/// space in one and "*" marks a statistic.
struct Row {
  const Op* op;
  std::string_view outputs, inputs;
  std::string (*sentence)(const Told&);
};

constexpr std::array kRows{
    Row{&ops::kEmbedding, "y", "ids table", embeddingSentence},
    Row{&ops::kAddPositions, "y", "x positions", positionsSentence},
    Row{&ops::kPadColumns, "y", "x", padSentence},
    Row{&ops::kLinear, "y", "x W b", linearSentence},
    Row{&ops::kGroupedLinear, "y", "x W b", groupedSentence},
    Row{&ops::kJoinGroups, "y", "a b", joinSentence},
    Row{&ops::kActivation, "y", "x", activationSentence},
    Row{&ops::kAdd, "y", "a b", addSentence},
    Row{&ops::kGate, "y", "x f g", gateSentence},
    Row{&ops::kAffine, "y", "x m a", affineSentence},
    Row{&ops::kDropout, "y", "x", dropoutSentence},
    Row{&ops::kLayerNorm, "y mean*|scale*", "x gain bias", normSentence},
    Row{&ops::kMaskedLayerNorm, "y mean*|scale*", "x gain bias", maskedNormSentence},
    Row{&ops::kRmsNorm, "y scale*", "x gain", rmsSentence},
    Row{&ops::kAttention, "mixed probabilities|p dropped scores masked~scores", "q k v pad bias",
        attentionSentence},
    Row{&ops::kRelativeScores, "y", "q r", relativeSentence},
    Row{&ops::kSegmentScores, "y", "scores q e", segmentSentence},
    Row{&ops::kSequencePool, "y", "x", poolSentence},
    Row{&ops::kPoolIds, "y", "x", poolIdsSentence},
    Row{&ops::kUpsample, "y", "x", upsampleSentence},
    Row{&ops::kMeanPool, "y", "x pad", meanPoolSentence},
    Row{&ops::kCrossEntropy, "loss probabilities", "logits label weight", crossEntropySentence},
    Row{&ops::kSquaredError, "loss", "x target", squaredErrorSentence},
    Row{&ops::kSgd, "next v g factor", "p gradient v_before rate norm", updateSentence},
    Row{&ops::kAdam, "next m v g factor", "p gradient m_before v_before rate norm",
        updateSentence}};

const Row* rowOf(const Op& op) {
  const auto row = std::ranges::find(kRows, &op, &Row::op);
  return row == kRows.end() ? nullptr : &*row;
}

void addSymbols(std::string_view all, bool output, std::vector<OpSymbol>& symbols) {
  std::size_t index = 0;
  for (std::size_t i = 0; i < all.size();) {
    const std::size_t end = std::min(all.find_first_of(" |", i), all.size());
    OpSymbol symbol{std::string(all.substr(i, end - i)), output, index};
    std::ranges::replace(symbol.text, '~', ' ');
    symbol.statistic = symbol.text.ends_with('*');
    if (symbol.statistic) symbol.text.pop_back();
    symbols.push_back(std::move(symbol));
    if (end < all.size() && all[end] == ' ') ++index;
    i = end + 1;
  }
}

}  // namespace

std::vector<OpSymbol> symbolsOf(const Op& op) {
  std::vector<OpSymbol> symbols;
  if (const Row* row = rowOf(op)) {
    addSymbols(row->outputs, true, symbols);
    addSymbols(row->inputs, false, symbols);
  }
  return symbols;
}

std::string sentenceOf(const Program& program, const Step& step, const TensorNamer& namer) {
  const Row* row = rowOf(*step.op);
  return row == nullptr ? "" : row->sentence({program, step, namer}) + '.';
}

std::string backwardSentenceOf(const Program& program, const Step& step, const TensorNamer& namer) {
  const Told told{program, step, namer};
  if (step.op->double_precision.backward == nullptr) return {};
  std::vector<std::string> names;
  for (const TensorId id : step.inputs) {
    if (id == kNoTensor) continue;
    const TensorInfo& t = program.tensors[std::size_t(id)];
    if (t.role == Role::Activation || t.role == Role::Parameter) names.push_back(told.name(id));
  }
  if (names.empty()) return {};
  std::string text = "The gradient of " + told.name(step.outputs.front()) + " is handed on to ";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
  return text + '.';
}

}  // namespace tfm::observe
