// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

#include "core/observe/explainer.h"
#include "core/observe/logit_contributions.h"
#include "ui/views/flow/flow_layout.h"
#include "ui/views/flow/flow_run.h"

namespace tfm::ui {

/// All texts of the Flow screen. Layers, heads, rows and columns are counted from 1.
struct FlowWords {
  Q_DECLARE_TR_FUNCTIONS(FlowWords)

 public:
  /// "cross-attention", "layer 1"; "output layer" for the one outside the stacks.
  static QString title(const observe::ModelMap& map, std::size_t node);
  /// "decoder › layer 1 › cross-attention".
  static QString breadcrumb(const observe::ModelMap& map, std::size_t node);
  /// What a number is: "score, head 2, u looks at h"; "the embedding of h, 3".
  static QString number(const FlowRun& run, const observe::NumberPlace& place);
  /// The token that a number is about: of a logit that of its column, else that of its row.
  static QString token(const FlowRun& run, const observe::NumberPlace& place);
  /// Of a number of an attention map: "cross-attention, head 7, looks at h (0.99)".
  static QString look(const FlowRun& run, const observe::NumberPlace& place, double value);
  /// Of a number that another was multiplied by: "head 7 looks at h", "weight of value".
  static QString factor(const FlowRun& run, const observe::NumberPlace& place);
  /// The same as number(), for a bar that shows what a number is computed from: of a row of
  /// attention only "h, 2".
  static QString term(const FlowRun& run, const observe::NumberPlace& number,
                      const observe::NumberPlace& source);
  /// What a term is: "21: -1.00 × 0.167 × 0.996", a product of its factors; "from 0.5 and 0.1",
  /// where the step computes it otherwise; of a single number, its name.
  static QString termLabel(FlowRun& run, const observe::NumberPlace& number,
                           const observe::PlacedTerm& term);
  /// Which of the terms of a product it is: the token that is looked at, or the column.
  static QString which(const FlowRun& run, const observe::PlacedTerm& term);
  /// A tensor by its parts, from the inside: "norm, cross-attention, layer 1".
  static QString named(const FlowRun& run, const std::string& tensor);
  /// Where it stands: "decoder, layer 1, cross-attention".
  static QString place(const FlowRun& run, const observe::NumberPlace& place);
  /// The name of a tensor in its part: "query", "softmax", "weight".
  static QString tensor(const FlowRun& run, TensorId id);
  /// What a dimension counts, in a word: "tokens", "hidden"; of the rows of an attention map "heads
  /// × queries"; empty if unknown. `part`: only one head of it is shown.
  static QString axis(const std::string& name, bool map, bool part);
  /// One sentence for a tooltip and a screen reader: number, place and value.
  static QString sentence(const FlowRun& run, const observe::NumberPlace& place, double value);
  /// What one step does in this model.
  static QString step(const FlowRun& run, std::size_t step, bool backward);
  /// What adds to a logit: "head 2 → h, cross-attention, layer 1". `looks_at`: may be empty.
  static QString contribution(const FlowRun& run, const observe::LogitContribution& part,
                              const QString& looks_at = {});
  /// Behind what the lens reads: "the input", "layer 1, cross-attention".
  static QString lensRow(const FlowRun& run, const observe::LensAnswer& answer);
  static QString lensSentence(const FlowRun& run);
  /// Above an exported diagram.
  static QString figureTitle(const FlowRun* run);
  /// The place of a number, with the moment or text that it is of in a difference.
  static QString whose(const FlowRun& run, const QString& place, double difference, double value);
  /// What the screen shows now.
  static QString shown(const FlowRun& run, FlowSide side);
  /// The page behind "Explain", in Markdown.
  static QString page();
};

}  // namespace tfm::ui
