// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>
#include <string>

namespace tfm::ui {

/// A cell of an attention map.
struct ChosenCell {
  std::string attention;  ///< path of the attention, as observe::AttentionSite::path
  int head = 0;
  int query = 0, key = 0;
  bool operator==(const ChosenCell&) const = default;
};

/// What all views have chosen together: a choice in one is followed by the others.
class Selection : public QObject {
  Q_OBJECT

 public:
  const std::optional<ChosenCell>& cell() const { return cell_; }
  /// Emits changed() if it is another one.
  void choose(const std::optional<ChosenCell>& cell);

 signals:
  void changed();

 private:
  std::optional<ChosenCell> cell_;
};

}  // namespace tfm::ui
