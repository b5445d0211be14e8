// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <string>
#include <variant>

#include "core/program/parameter_layout.h"

namespace tfm::ui {

/// A cell of an attention map, or a head as a whole.
struct ChosenCell {
  std::string attention;  ///< path of the attention, as observe::AttentionSite::path
  int head = 0;
  int query = -1, key = -1;  ///< -1: the head
  bool isHead() const { return query < 0; }
  bool operator==(const ChosenCell&) const = default;
};

/// A number of a parameter.
struct ChosenWeight {
  std::string parameter;
  std::int64_t row = 0, col = 0;  ///< a vector has one row
  bool operator==(const ChosenWeight&) const = default;
};

/// A token that a stack reads.
struct ReadToken {
  Stack stack = Stack::Encoder;
  std::int64_t position = 0;
  std::int32_t id = 0;  ///< its row of the embedding
  bool operator==(const ReadToken&) const = default;
};

using Chosen = std::variant<std::monostate, ChosenCell, ChosenWeight, ReadToken>;

/// A choice as text, counted from 0: "head encoder.layers.0.self_attention 2",
/// "cell encoder.layers.0.self_attention 2 0 3", "number output.weight 1 2",
/// "token decoder 3 17"; "": none. Reading throws Error.
std::string textOf(const Chosen& choice);
Chosen chosenFrom(const std::string& text);

/// What all views have chosen together: a choice in one is followed by the others.
class Selection : public QObject {
  Q_OBJECT

 public:
  using Choice = Chosen;

  const Choice& choice() const { return choice_; }
  /// Null unless one is chosen.
  const ChosenCell* cell() const { return std::get_if<ChosenCell>(&choice_); }
  const ChosenWeight* weight() const { return std::get_if<ChosenWeight>(&choice_); }
  const ReadToken* token() const { return std::get_if<ReadToken>(&choice_); }
  bool isEmpty() const { return std::holds_alternative<std::monostate>(choice_); }
  /// Emits changed() if it is another one.
  void choose(const Choice& choice);
  void clear() { choose({}); }

 signals:
  void changed();

 private:
  Choice choice_;
};

}  // namespace tfm::ui
