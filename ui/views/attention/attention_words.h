// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

#include "ui/document/task_words.h"
#include "ui/figure/explanation.h"
#include "ui/heatmap/cell_grid.h"
#include "ui/views/attention/attention_maps.h"

namespace tfm::ui {

/// All texts about attention maps. Every statement is derived from the numbers.
struct AttentionWords {
  Q_DECLARE_TR_FUNCTIONS(AttentionWords)

 public:
  /// "encoder self", "decoder self", "cross".
  static QString groupName(observe::AttentionKind kind);
  /// The same with layers and lengths where a kind is divided into several groups: "encoder self ·
  /// layer 3 · 8 × 16".
  static QString groupName(const AttentionGroup& group, bool divided);
  /// The axis titles, e.g. "writes (decoder)".
  static QString rowTitle(observe::AttentionKind kind);
  static QString columnTitle(observe::AttentionKind kind);
  /// "Decoder looks at encoder · layer 1, head 4"; counted from 1; a single layer is not numbered.
  static QString title(const AttentionGroup& group, const AttentionChoice& choice);
  /// "÷ √5"; "÷ √k" if layers differ.
  static QString scaling(int key_size);
  /// What is shown, in one or two sentences.
  static QString sentence(const AttentionGroup& group, const AttentionChoice& choice,
                          const TaskWords& words);
  /// What the matrices of a batch are.
  static QString batchSentence();
  /// "step 600 − step 0"; "text 2 − text 1" where other texts were read.
  static QString difference(const AttentionMaps& maps, const AttentionMaps& minus);
  /// Whether maps are of two texts, not of two moments of one.
  static bool areTexts(const AttentionMaps& maps, const AttentionMaps& other);
  /// What a moment or text is called beside the other one: "step 600", "text 1".
  static QString nameBeside(const AttentionMaps& maps, const AttentionMaps& other);
  /// What a difference shows, and which answer both models read: where the right one is not known,
  /// that of step `answered`.
  static QString differenceSentence(const AttentionMaps& maps, const AttentionMaps& minus,
                                    std::int64_t answered);
  /// Why no map of one moment has a counterpart in the other.
  static QString nothingShared(const AttentionMaps& maps, const AttentionMaps& minus);
  /// Why maps cannot be subtracted.
  static QString notComparable(const AttentionMaps& pinned);

  /// What a row does: "writes", "reads" or "at".
  static QString rowVerb(observe::AttentionKind kind);
  /// A label, or "position 3" if there is none.
  static QString label(const QStringList& labels, int index);
  /// What a number of a stage is: "attention (softmax)", "score (query · key)".
  static QString stageName(const AttentionChoice& choice, int key_size);
  /// What the row looks at, and what the head does in most rows, from its softmax.
  static QString explain(const AttentionGroup& group, const AttentionChoice& choice,
                         const std::vector<float>& softmax, const Cell& cell);
  /// What a row reads more and less than `minus` ("at step 0", "in text 1"), from differences of
  /// its softmax.
  static QString explainDifference(const AttentionGroup& group, const std::vector<float>& softmax,
                                   int row, const QString& minus);
  /// Where the rows of `maps` are, for explainDifference().
  static QString whereIn(const AttentionMaps& maps, const AttentionMaps& other);
  /// Why a masked cell has no value.
  static QString whyMasked(const AttentionGroup& group, const Cell& cell);
  /// The page behind "Explain", in Markdown.
  static QString page();
  /// The parts of the screen named in the explanation.
  static std::vector<ExplainedPart> parts(QWidget& grid, QWidget& map, QWidget& question,
                                          QWidget& tools, QWidget& inspector);
};

}  // namespace tfm::ui
