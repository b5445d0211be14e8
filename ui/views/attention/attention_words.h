// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <optional>

#include "ui/document/task_words.h"
#include "ui/figure/explanation.h"
#include "ui/heatmap/cell_grid.h"
#include "ui/views/attention/attention_maps.h"

namespace tfm::ui {

/// All that is said about attention maps. Every claim is read off the numbers.
struct AttentionWords {
  Q_DECLARE_TR_FUNCTIONS(AttentionWords)

 public:
  /// "encoder self", "decoder self", "cross".
  static QString groupName(observe::AttentionKind kind);
  /// "writes (decoder)" and so on: the titles of the axes.
  static QString rowTitle(observe::AttentionKind kind);
  static QString columnTitle(observe::AttentionKind kind);
  /// "Decoder looks at encoder · layer 1, head 4"; counted from 1; a stack of one layer does not
  /// count its layers.
  static QString title(const AttentionGroup& group, const AttentionChoice& choice);
  /// "÷ √5"; "÷ √k" for layers that differ.
  static QString scaling(int key_size);
  /// What is seen, in one or two sentences.
  static QString sentence(const AttentionGroup& group, const AttentionChoice& choice,
                          const TaskWords& words);
  /// "step 600 − step 0".
  static QString difference(std::int64_t step, std::int64_t minus);
  /// What is seen of a difference, and which answer both models read meanwhile.
  static QString differenceSentence(const AttentionMaps& maps, const AttentionMaps& minus);
  /// Why no map of one moment has a partner in another.
  static QString nothingShared(const AttentionMaps& maps, const AttentionMaps& minus);
  /// Why maps cannot be subtracted.
  static QString notComparable(const AttentionMaps& now, const AttentionMaps& pinned);

  /// "writes", "reads" or "at": what a row does.
  static QString rowVerb(observe::AttentionKind kind);
  /// A label, or "position 3" where there is none.
  static QString label(const QStringList& labels, int index);
  /// What the number of a stage is: "attention (softmax)", "score (query · key)".
  static QString stageName(const AttentionChoice& choice, int key_size);
  /// Where the row looks, and what the head does in most rows, from its softmax.
  static QString explain(const AttentionGroup& group, const AttentionChoice& choice,
                         const std::vector<float>& softmax, const Cell& cell);
  /// What a row reads more and what less than at step `minus`, from differences of its softmax.
  static QString explainDifference(const AttentionGroup& group, const std::vector<float>& softmax,
                                   int row, std::int64_t minus);
  /// The page behind "Explain", in Markdown.
  static QString page();
  /// What the explanation calls the parts of the screen.
  static std::vector<ExplainedPart> parts(QWidget& grid, QWidget& map, QWidget& question,
                                          QWidget& tools, QWidget& inspector);
};

}  // namespace tfm::ui
