// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

#include "ui/forward.h"

namespace tfm::ui {

/// Which item of a picture is current, by a click or the keyboard, and which is under the pointer;
/// -1: none. The current one is the accessible description of the picture. For pictures whose items
/// are in one line; those in rows and columns are CellGrids.
class ItemChoice {
 public:
  /// `count` and `text` of the items. While none is current, up to `read_at_once` are all in the
  /// description; of more, only the number.
  ItemChoice(QWidget& picture, std::function<int()> count, std::function<QString(int)> text,
             int read_at_once = 0);

  int current() const { return current_; }
  int hovered() const { return hovered_; }
  /// Return whether something changed. An item that does not exist is none.
  bool setCurrent(int item);
  bool setHovered(int item);
  /// After the items changed: which of the new ones are current and under the pointer.
  void renew(int current, int hovered);

  enum class Taken {
    No,      ///< not a key for items
    Walked,  ///< arrow keys, Home and End walk, Esc leaves the items
    Chosen   ///< Return, Enter and Space confirm the current item
  };
  Taken takeKey(int key);

 private:
  void describe();

  QWidget& picture_;
  std::function<int()> count_;
  std::function<QString(int)> text_;
  int read_at_once_;
  int current_ = -1, hovered_ = -1;
};

}  // namespace tfm::ui
