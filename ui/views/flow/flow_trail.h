// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/views/flow/flow_run.h"
#include "ui/widgets/section.h"

class QLabel;
class QListWidget;
class QPushButton;

namespace tfm::ui {

class Style;

/// The way of a number: those that were gone to, one after the other, with the present one. Between
/// two numbers stands what the one was multiplied by to make the other: a weight, or how much is
/// looked at. Numbers gone to from the middle of the way stand there, indented, and the way stays.
class FlowTrail : public Section {
  Q_OBJECT

 public:
  explicit FlowTrail(const Style& style, QWidget* parent = nullptr);

  /// Goes to a number: the next on the way at its end, an aside before that.
  void add(const observe::NumberPlace& place);
  /// Drops what follows the present number.
  void endHere();
  void clear();
  /// The numbers of the way, without factors and asides.
  std::vector<observe::NumberPlace> places() const;
  /// The numbers that stand indented, in the order of the list.
  std::vector<observe::NumberPlace> indented() const;
  std::optional<observe::NumberPlace> present() const;
  /// The way on one line, from the present number back to the first.
  QString line() const;
  /// What a way from an answer to a token says in short: "u ← cross-attention, head 7, looks at h
  /// (0.99) ← the token h". Empty for other ways.
  QString summary() const;
  /// Another run: writes the same numbers with its values; the way ends before the first that it
  /// does not have.
  void setRun(const std::shared_ptr<FlowRun>& run);
  void back() { goBy(-1); }
  void forward() { goBy(1); }

 signals:
  /// Another number of the list was chosen.
  void chosen(const tfm::observe::NumberPlace& place);
  /// The way, or the present number on it, is another.
  void changed();

 private:
  enum class Kind { Way, Factor, Aside };
  struct Row {
    observe::NumberPlace place;
    Kind kind = Kind::Way;
  };

  void go(int row);
  void goBy(int direction);
  /// The next row in a direction that was gone to, from the present one; -1 for none.
  int visited(int direction) const;
  /// What the one number was multiplied by to make the other, whichever comes first.
  std::vector<observe::NumberPlace> factorsBetween(const observe::NumberPlace& a,
                                                   const observe::NumberPlace& b) const;
  QString textOf(const Row& row) const;
  void fillList();
  void refresh();

  std::shared_ptr<FlowRun> run_;
  std::vector<Row> rows_;
  int at_ = -1;
  int scrolled_to_ = -1;
  QLabel* why_;
  QListWidget* list_;
  QPushButton* back_;
  QPushButton* forward_;
  QPushButton* clear_;
};

}  // namespace tfm::ui
