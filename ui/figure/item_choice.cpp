// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/item_choice.h"

#include <QCoreApplication>
#include <QStringList>
#include <QWidget>
#include <algorithm>
#include <utility>

namespace tfm::ui {

ItemChoice::ItemChoice(QWidget& picture, std::function<int()> count,
                       std::function<QString(int)> text, int read_at_once)
    : picture_(picture),
      count_(std::move(count)),
      text_(std::move(text)),
      read_at_once_(read_at_once) {}

bool ItemChoice::setCurrent(int item) {
  const int inside = item < count_() ? std::max(item, -1) : -1;
  if (std::exchange(current_, inside) == inside) return false;
  describe();
  return true;
}

bool ItemChoice::setHovered(int item) { return std::exchange(hovered_, item) != item; }

void ItemChoice::renew(int current, int hovered) {
  current_ = current;
  hovered_ = hovered;
  describe();
}

ItemChoice::Taken ItemChoice::takeKey(int key) {
  const int last = count_() - 1;
  if (key == Qt::Key_Left || key == Qt::Key_Up)
    setCurrent(std::min(std::max(current_ - 1, 0), last));
  else if (key == Qt::Key_Right || key == Qt::Key_Down)
    setCurrent(std::min(current_ + 1, last));
  else if (key == Qt::Key_Home || key == Qt::Key_End)
    setCurrent(key == Qt::Key_Home ? std::min(0, last) : last);
  else if (current_ < 0)
    return Taken::No;
  else if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space)
    return Taken::Chosen;
  else if (key == Qt::Key_Escape)
    setCurrent(-1);
  else
    return Taken::No;
  return Taken::Walked;
}

void ItemChoice::describe() {
  const int count = count_();
  QStringList words;
  if (current_ >= 0)
    words << text_(current_);
  else if (count > read_at_once_)
    words << QCoreApplication::translate(
        "ItemChoice", "%n value(s); use the arrow keys to go through them", nullptr, count);
  else if (count == 0)
    words << QCoreApplication::translate("ItemChoice", "No data yet");
  else
    for (int item = 0; item < count; ++item) words << text_(item);
  picture_.setAccessibleDescription(words.join(QStringLiteral("; ")));
}

}  // namespace tfm::ui
