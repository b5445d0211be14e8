// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_words.h"

#include <algorithm>

#include "core/ask/step_program.h"
#include "core/base/index_label.h"
#include "core/model/build_program.h"
#include "core/observe/attention_stage.h"
#include "core/observe/op_words.h"
#include "core/program/ops/ops.h"
#include "core/program/program_builder.h"
#include "ui/figure/number_text.h"
#include "ui/figure/token_text.h"

namespace tfm::ui {
namespace {

using observe::kNoNode;
using observe::MapLevel;
using observe::MapNode;
using observe::NumberPlace;

QString text(std::string_view words) {
  return QString::fromUtf8(words.data(), qsizetype(words.size()));
}

/// The label of a row or column: its token, or "5" counted from 1.
QString labelOr(const FlowRun::Labels& labels, std::int64_t index) {
  if (std::size_t(index) < labels.size()) return visibleToken(text(labels[std::size_t(index)]));
  return QString::number(labelOf(index));
}

/// The tokens at the positions of a tensor, as one text: "t-h-e-r-e"; empty if it has none.
QString tokensAt(const FlowRun& run, TensorId id) {
  constexpr qsizetype kMostTold = 12, kFirst = 8, kLast = 2;
  QStringList tokens;
  for (const std::string& label : run.rowLabels(id)) tokens << visibleToken(text(label));
  if (tokens.size() > kMostTold)
    tokens = tokens.first(kFirst) + QStringList{QStringLiteral("…")} + tokens.last(kLast);
  return tokens.join(QLatin1Char('-'));
}

/// Whether a step keeps a tensor for its backward pass: of a norm, its means and scales.
bool isStatistics(const Step& step, TensorId id) {
  return step.op->kind == OpKind::Norm && id != step.outputs.front();
}

}  // namespace

QString FlowWords::title(const observe::ModelMap& map, std::size_t at) {
  const MapNode& node = map.nodes[at];
  if (node.level == MapLevel::Model) return tr("model");
  if (node.title == "end") return tr("last norm");
  return text(node.title);
}

QString FlowWords::breadcrumb(const observe::ModelMap& map, std::size_t node) {
  QStringList parts;
  for (const std::size_t one : map.wayTo(node)) parts << title(map, one);
  return parts.join(QStringLiteral(" › "));
}

QString FlowWords::tensor(const FlowRun& run, TensorId id) {
  const TensorInfo& t = run.info(id);
  if (t.name == names::kLabels) return tr("label");
  if (t.name == names::kLabelWeights) return tr("weight of the position");
  if (t.role == Role::Ids)
    return t.name == names::kSourceIds || t.name == names::kTargetIds ? tr("token")
           : t.name.ends_with("pad")                                  ? tr("padding")
                                                                      : tr("segment");
  if (t.role == Role::Input) return tr("input");
  if (t.role == Role::Constant) return tr("position table");
  if (t.role == Role::Parameter) {
    const ParameterInfo* parameter = run.program().parameters.find(t.name);
    if (parameter == nullptr) return text(t.name);
    const bool norm = parameter->tag.ofNorm();
    const bool answers =
        parameter->tag.part == ParameterPart::Output && parameter->tag.site.block < 0;
    const QString part =
        answers ? tr("output layer")
                : text(partName(parameter->tag.part)).replace(QLatin1Char('_'), QLatin1Char(' '));
    switch (parameter->tag.term) {
      case Term::Bias:
        return tr("bias of %1").arg(part);
      case Term::Gain:
        return tr("gain of %1").arg(part);
      case Term::Shift:
        return tr("shift of %1").arg(part);
      case Term::Weight:
        break;
    }
    return norm ? part : tr("weight of %1").arg(part);
  }
  if (t.name == names::kProbabilities) return tr("probability");
  if (t.name == names::kLoss) return tr("loss");
  if (t.name == train::kOwnLoss || t.name.ends_with(".loss")) return tr("loss of one size");
  if (t.name.starts_with("loss.")) return tr("part of the loss");
  const std::size_t step = run.map().makers[std::size_t(id)];
  if (step == kNoNode) return text(t.name);
  const Step& maker = run.program().steps[step];
  if (const auto stage = observe::attentionStageOf(run.program(), id)) switch (*stage) {
      case observe::AttentionStage::Scores:
        return tr("score");
      case observe::AttentionStage::Masked:
        return tr("masked");
      case observe::AttentionStage::Softmax:
        return tr("softmax");
      case observe::AttentionStage::Probabilities:
      case observe::AttentionStage::Dropped:
        return tr("attention");
      case observe::AttentionStage::Mixed:
        return tr("mixed values");
    }
  if (isStatistics(maker, id)) return t.cols > 1 ? tr("mean and scale") : tr("scale");
  if (maker.op == &ops::kAdd) return tr("stream");
  const std::size_t leaf = run.map().leaves[step];
  if (maker.site.stack == Stack::None && maker.site.block < 0 && maker.op == &ops::kLinear)
    return run.columnLabels(id).empty() ? tr("output") : tr("logit");
  return title(run.map(), leaf);
}

namespace {

/// The part of the step that computes a tensor, or else reads it; kNoNode if none does.
std::size_t partOf(const FlowRun& run, TensorId tensor) {
  std::size_t step = run.map().makers[std::size_t(tensor)];
  for (std::size_t i = 0; step == kNoNode && i < run.program().steps.size(); ++i)
    for (const TensorId id : run.program().steps[i].inputs)
      if (id != kNoTensor && holderOf(run.program(), id) == tensor) step = i;
  return step == kNoNode ? kNoNode : run.map().leaves[step];
}

/// The parts around a part of the model, from the stack to the block.
std::vector<std::size_t> partsAround(const observe::ModelMap& map, std::size_t part) {
  if (part == kNoNode) return {};
  std::vector<std::size_t> parts = map.wayTo(part);
  std::erase_if(parts, [&](std::size_t node) {
    return map.nodes[node].level == MapLevel::Model || map.nodes[node].level == MapLevel::Step;
  });
  return parts;
}

/// Whether a part is the only layer of its stack.
bool isOnlyLayer(const observe::ModelMap& map, std::size_t part) {
  const MapNode& node = map.nodes[part];
  const auto is_layer = [&](std::size_t one) { return map.nodes[one].site.layer >= 0; };
  return node.level == MapLevel::Layer && node.site.layer >= 0 &&
         std::ranges::count_if(map.nodes[node.parent].children, is_layer) == 1;
}

/// The titles from the block to the layer, without the stack that answers and a layer that is the
/// only one: what tells one from the others comes first, as there may be no room for the rest.
QStringList titlesOutwards(const observe::ModelMap& map, std::size_t part) {
  std::vector<std::size_t> parts = partsAround(map, part);
  if (parts.size() > 1) parts.erase(parts.begin());
  if (parts.size() > 1 && isOnlyLayer(map, parts.front())) parts.erase(parts.begin());
  std::ranges::reverse(parts);
  QStringList titles;
  for (const std::size_t one : parts) titles << FlowWords::title(map, one);
  return titles;
}

}  // namespace

QString FlowWords::place(const FlowRun& run, const NumberPlace& place) {
  QStringList titles;
  for (const std::size_t part : partsAround(run.map(), partOf(run, place.tensor)))
    titles << title(run.map(), part);
  return titles.join(QStringLiteral(", "));
}

QString FlowWords::axis(const std::string& name, bool map, bool part) {
  const std::string of_heads = "head x ";
  const bool heads = name.starts_with(of_heads);
  const std::string inner = heads ? name.substr(of_heads.size()) : name;
  const QString word = inner != "position" ? text(inner) : map ? tr("queries") : tr("tokens");
  return heads && !part ? tr("(heads × %1)").arg(word) : word;
}

QString FlowWords::number(const FlowRun& run, const NumberPlace& at) {
  const TensorInfo& t = run.info(at.tensor);
  const QString gradient = at.gradient ? tr("gradient of ") : QString();
  const QString name = gradient + tensor(run, at.tensor);
  const auto& rows = run.rowLabels(at.tensor);
  const auto& columns = run.columnLabels(at.tensor);
  if (t.role == Role::Ids) return tr("%1 %2").arg(tensor(run, at.tensor), labelOr(rows, at.row));
  if (const AttentionShape* shape = run.attentionOf(at.tensor)) {
    const auto& written = run.writtenLabels(at.tensor);
    const QString reads = labelOr(rows, at.row), key = labelOr(columns, at.col);
    const QString ways =
        written.empty()
            ? tr("%1 looks at %2").arg(reads, key)
            : tr("%1, after %2, looks at %3")
                  .arg(labelOr(written, at.row % std::int64_t(written.size())), reads, key);
    return shape->heads > 1 ? tr("%1, head %2, %3")
                                  .arg(name)
                                  .arg(at.row / std::max<std::int64_t>(1, shape->queries) + 1)
                                  .arg(ways)
                            : tr("%1, %2").arg(name, ways);
  }
  if (t.rows == 1 && t.cols == 1) return name;
  const std::size_t step = run.map().makers[std::size_t(at.tensor)];
  if (step != kNoNode && isStatistics(run.program().steps[step], at.tensor) && !rows.empty()) {
    const bool mean = at.col == 0 && t.cols > 1;
    return (mean ? tr("%1mean of %2") : tr("%1scale of %2")).arg(gradient, labelOr(rows, at.row));
  }
  if (!columns.empty() && t.rows == std::int64_t(rows.size())) {
    // The token of a decoder's row is the last one that it has read.
    const bool writes = (t.name == names::kOutput || t.name == names::kProbabilities) &&
                        run.program().find(names::kTargetIds) != kNoTensor;
    return (writes ? tr("%1 of %2, after %3") : tr("%1 of %2, at %3"))
        .arg(name, labelOr(columns, at.col), labelOr(rows, at.row));
  }
  if (!columns.empty()) return tr("%1 of %2").arg(name, labelOr(columns, at.col));
  if (const std::int64_t width = run.headWidth(at.tensor); width > 0 && !rows.empty())
    return tr("%1 of %2, head %3, %4")
        .arg(name, labelOr(rows, at.row))
        .arg(labelOf(at.col / width))
        .arg(labelOf(at.col % width));
  if (!rows.empty())
    return tr("%1 of %2, %3").arg(name, labelOr(rows, at.row)).arg(labelOf(at.col));
  if (t.rows == 1) return tr("%1, %2").arg(name).arg(labelOf(at.col));
  return tr("%1, row %2, column %3").arg(name).arg(labelOf(at.row)).arg(labelOf(at.col));
}

QString FlowWords::token(const FlowRun& run, const NumberPlace& at) {
  const auto& columns = run.columnLabels(at.tensor);
  return columns.empty() ? labelOr(run.rowLabels(at.tensor), at.row) : labelOr(columns, at.col);
}

QString FlowWords::look(const FlowRun& run, const NumberPlace& at, double value) {
  const QString part = titlesOutwards(run.map(), partOf(run, at.tensor)).value(0);
  const QString key = labelOr(run.columnLabels(at.tensor), at.col);
  const AttentionShape& shape = *run.attentionOf(at.tensor);
  return shape.heads > 1 ? tr("%1, head %2, looks at %3 (%4)")
                               .arg(part)
                               .arg(labelOf(at.row / shape.queries))
                               .arg(key, shortNumber(value))
                         : tr("%1 looks at %2 (%3)").arg(part, key, shortNumber(value));
}

QString FlowWords::factor(const FlowRun& run, const NumberPlace& at) {
  if (const AttentionShape* shape = run.attentionOf(at.tensor))
    return tr("head %1 looks at %2")
        .arg(labelOf(at.row / shape->queries))
        .arg(labelOr(run.columnLabels(at.tensor), at.col));
  return run.info(at.tensor).role == Role::Parameter ? tensor(run, at.tensor) : number(run, at);
}

QString FlowWords::term(const FlowRun& run, const NumberPlace& of, const NumberPlace& source) {
  const AttentionShape* shape = run.attentionOf(source.tensor);
  if (shape == nullptr || shape != run.attentionOf(of.tensor) || source.row != of.row)
    return number(run, source);
  return tr("%1, %2", "token and its position")
      .arg(labelOr(run.columnLabels(source.tensor), source.col))
      .arg(labelOf(source.col));
}

QString FlowWords::which(const FlowRun& run, const observe::PlacedTerm& term) {
  if (term.sources.size() < 2) return {};
  for (const NumberPlace& source : term.sources)
    if (run.attentionOf(source.tensor) != nullptr)
      return labelOr(run.columnLabels(source.tensor), source.col);
  for (const NumberPlace& source : term.sources)
    if (const TensorInfo& t = run.info(source.tensor);
        t.role == Role::Activation && t.rows * t.cols > 1) {
      const std::int64_t width = run.headWidth(source.tensor);
      return width == 0 ? QString::number(labelOf(source.col))
                        : tr("head %1, %2")
                              .arg(labelOf(source.col / width))
                              .arg(labelOf(source.col % width));
    }
  return {};
}

QString FlowWords::termLabel(FlowRun& run, const NumberPlace& of, const observe::PlacedTerm& term) {
  if (term.sources.empty()) return tr("constant");
  if (term.sources.size() == 1 && (term.factors == 0 || term.factor == 1.0))
    return FlowWords::term(run, of, term.sources.front());
  QStringList values;
  if (term.factors > 0 && term.factor != 1.0) values << shortNumber(term.factor);
  const std::size_t shown = term.factors > 0 ? term.factors : term.sources.size();
  for (std::size_t i = 0; i < shown; ++i)
    values << shortNumber(run.explained().explainer().value(term.sources[i]));
  const QString from = term.factors > 0 ? values.join(QStringLiteral(" × "))
                                        : tr("from %1").arg(values.join(tr(" and ")));
  const QString name = which(run, term);
  return name.isEmpty() ? from : QStringLiteral("%1: %2").arg(name, from);
}

QString FlowWords::named(const FlowRun& run, const std::string& name) {
  const TensorId id = run.program().find(name);
  if (id == kNoTensor) return text(name);
  QStringList names = titlesOutwards(run.map(), partOf(run, id));
  names.prepend(tensor(run, id));
  return names.join(QStringLiteral(", "));
}

QString FlowWords::sentence(const FlowRun& run, const NumberPlace& at, double value) {
  const QString where = place(run, at);
  return where.isEmpty() ? tr("%1, %2").arg(number(run, at), shortNumber(value))
                         : tr("%1: %2, %3").arg(where, number(run, at), shortNumber(value));
}

QString FlowWords::step(const FlowRun& run, std::size_t index, bool backward) {
  const Step& step = run.program().steps[index];
  const std::size_t leaf = run.map().leaves[index];
  const QString where = breadcrumb(run.map(), leaf);
  const auto name = [&](TensorId id) { return "the " + tensor(run, id).toStdString(); };
  const std::string says = backward ? observe::backwardSentenceOf(run.program(), step, name)
                                    : observe::sentenceOf(run.program(), step, name);
  if (says.empty()) return where;
  const TensorId made = step.outputs.empty() ? kNoTensor : step.outputs.front();
  const QString tokens = made == kNoTensor ? QString() : tokensAt(run, made);
  return tokens.isEmpty() ? tr("%1: %2").arg(where, text(says))
                          : tr("%1, for %2: %3").arg(where, tokens, text(says));
}

QString FlowWords::contribution(const FlowRun& run, const observe::LogitContribution& part,
                                const QString& looks_at) {
  // A head is named by its attention, everything else by a tensor.
  const TensorId id = run.program().find(part.name);
  const std::size_t node = id == kNoTensor ? run.map().find(part.name) : partOf(run, id);
  QStringList names = titlesOutwards(run.map(), node);
  if (id != kNoTensor && (part.bias || part.site.block < 0)) names.prepend(tensor(run, id));
  const QString name = names.join(QStringLiteral(", "));
  if (part.head < 0) return name;
  // What it looks at comes first, as there may be no room for the rest.
  return looks_at.isEmpty() ? tr("head %1, %2").arg(labelOf(part.head)).arg(name)
                            : tr("head %1 → %2, %3").arg(labelOf(part.head)).arg(looks_at, name);
}

QString FlowWords::lensRow(const FlowRun& run, const observe::LensAnswer& answer) {
  if (answer.site.layer < 0) return tr("the input");
  const QString layer = tr("layer %1").arg(labelOf(answer.site.layer));
  if (answer.site.block < 0) return layer;
  const TensorId states = run.program().find(answer.states);
  const std::size_t step = states == kNoTensor ? kNoNode : run.map().makers[std::size_t(states)];
  const std::size_t block =
      step == kNoNode ? kNoNode : run.map().nodes[run.map().leaves[step]].parent;
  return block == kNoNode ? layer : tr("%1, %2").arg(layer, title(run.map(), block));
}

QString FlowWords::lensSentence(const FlowRun& run) {
  return run.lens().empty()
             ? tr("This model has no output layer that could read its states.")
             : tr("What the model would answer if it ended there: the output layer reads the "
                  "stream after each block. The last row is its answer.");
}

QString FlowWords::figureTitle(const FlowRun* run) {
  if (run == nullptr || !run->texts()) return tr("Flow");
  return tr("Flow · text %1 − text %2").arg(run->texts()->second + 1).arg(run->texts()->first + 1);
}

QString FlowWords::whose(const FlowRun& run, const QString& place, double difference,
                         double value) {
  if (!run.isDifference()) return place;
  if (!run.texts()) return tr("%1, at the later step").arg(place);
  return tr("%1, in text %2. In text %3 it is %4, so the difference is %5.")
      .arg(place)
      .arg(run.texts()->second + 1)
      .arg(run.texts()->first + 1)
      .arg(shortNumber(value - difference), shortNumber(difference));
}

QString FlowWords::shown(const FlowRun& run, FlowSide side) {
  if (run.texts())
    return tr("Text %1 minus text %2, number by number: each cell shows by how much it is larger "
              "in text %1. Where the tokens differ, both are named, that of text %1 first.")
        .arg(run.texts()->second + 1)
        .arg(run.texts()->first + 1);
  if (run.isDifference())
    return side == FlowSide::Values
               ? tr("What has changed between the two pinned steps, number by number.")
               : tr("How the gradients have changed between the two pinned steps.");
  if (side == FlowSide::Gradients)
    return tr("How the loss would change with each number. Click one to see what its gradient is "
              "made of. %1")
        .arg(QString::fromStdString(run.lossSentence()));
  if (run.hasGradients())
    return tr("The model in that training step: every cell is one of its numbers. %1")
        .arg(QString::fromStdString(run.lossSentence()));
  return tr(
      "The model as it runs on your text: every cell is one of its numbers. Click a part to open "
      "it, a cell to see how its number is computed.");
}

QString FlowWords::page() {
  return tr(
      "### What is shown\n\n"
      "From left to right, the model as it reads your text. The band is the *residual stream*: "
      "each block reads the states on it, and what it computes is added to them at **+**. Colours "
      "are numbers: orange below zero, blue above; in attention, brighter is more.\n\n"
      "Click a part to open it where it stands; in an open attention, *Head* chooses what is "
      "shown. A step with weights opens, too: then its matrix stands over the result, so that a "
      "column of the matrix makes the column of the result below it. The wheel zooms, dragging the "
      "background pans; cells that are large enough show their numbers.\n\n"
      "### Where a number comes from\n\n"
      "Click a cell: on the right is how it is computed, its terms by size. Click a term and then "
      "one of its sources to continue from there; on the left is the path that you took, with what "
      "each number was multiplied by. *To the input* follows the largest term at each step, down "
      "to a token, and sums the path up in one line. *Read by* leads in the other direction. In "
      "words and formulas, rows, columns and heads are counted from 1. With "
      "*Gradients*, the same pictures show how the loss would change with each number, and the "
      "loss can be followed to the weights in the same way.\n\n"
      "### What if?\n\n"
      "Drag the slider under *If it were different* to see what the model would answer with "
      "another "
      "number; release it to keep the change, Esc drops it. Right-click a cell or the title of a "
      "part, or press *What if...*, to switch off or set the number, its token, neuron, head, "
      "block or layer; O switches the locked number off. What is changed has a mark.\n\n"
      "### Try\n\n"
      "- Why that letter? Click a token of the answer, on the left, and then *To the input*.\n"
      "- Page Down begins a walk through the steps of the run and then backwards through those of "
      "the gradients. During the walk, Space and the arrow keys move from step to step, and Esc "
      "ends it.\n"
      "- Press Space and watch the numbers while the model learns.");
}

}  // namespace tfm::ui
