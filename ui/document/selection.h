// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <string>
#include <variant>

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

/// What all views have chosen together: a choice in one is followed by the others.
class Selection : public QObject {
  Q_OBJECT

 public:
  using Choice = std::variant<std::monostate, ChosenCell, ChosenWeight>;

  /// Null unless one is chosen.
  const ChosenCell* cell() const { return std::get_if<ChosenCell>(&choice_); }
  const ChosenWeight* weight() const { return std::get_if<ChosenWeight>(&choice_); }
  /// Emits changed() if it is another one.
  void choose(const Choice& choice);
  void clear() { choose({}); }

 signals:
  void changed();

 private:
  Choice choice_;
};

}  // namespace tfm::ui
