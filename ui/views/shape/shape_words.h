// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QStringList>
#include <vector>

#include "core/observe/catalog.h"
#include "core/observe/stack_stages.h"
#include "ui/views/shape/strand_layout.h"

namespace tfm::ui {

/// All texts about lengths and widths. Every statement is derived from the program.
struct ShapeWords {
  Q_DECLARE_TR_FUNCTIONS(ShapeWords)

 public:
  using Stages = std::vector<observe::StackStage>;

  /// "encoder, input", "encoder layer 3".
  static QString stageName(const observe::StackStage& stage);
  /// The same without the stack.
  static QString shortStageName(const observe::StackStage& stage);
  /// "pool ÷ 2", "repeat × 4"; empty where the length stays.
  static QString change(std::int64_t before, std::int64_t after);
  /// "+ the states after layer 4".
  static QString added(const observe::StackStage& stage);
  /// The token of a position, "(the, film)" where it holds two, "position 3" without tokens.
  static QString held(const QStringList& tokens, const Stages& stages, std::size_t stage,
                      std::int64_t position);
  /// What a position was made from.
  static QString made(const Stages& stages, std::size_t stage, std::int64_t position);
  /// How the length changes in a stack.
  static QString lengthSentence(const Stages& stages);
  /// How the width changes in its layers.
  static QString widthSentence(const std::vector<StrandChain>& chains);
  /// "layer 3", "input".
  static QString chainName(const StrandChain& chain);
  /// "64 → 128 → 64".
  static QString widths(const StrandChain& chain);
  /// What a group of a map reads and where what it writes goes.
  static QString strand(const StrandChain& chain, std::size_t map, std::int64_t group);
  /// How a shuffle of groups distributes the features: "[x1 x2 | y1 y2] → [x1 y1 | x2 y2]".
  static QString shuffle(std::int64_t groups, std::int64_t features);
  /// How many keys a position of this stage attends to, as a sentence with a space before it; empty
  /// if none of `sites` is of it.
  static QString asked(const std::vector<observe::AttentionSite>& sites,
                       const observe::StackStage& stage);
  /// The page behind "Explain", in Markdown.
  static QString page();
};

}  // namespace tfm::ui
