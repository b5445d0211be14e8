// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ui/style/forward.h"
#include "ui/views/flow/flow_run.h"
#include "ui/widgets/forward.h"
#include "ui/widgets/section.h"

namespace tfm::ui {

/// The path of a number: from one number to a source or a reader of it, and so on. Between two is
/// the factor that leads from one to the other: a weight, or an attention probability. Numbers
/// visited from the middle of the path, or not connected to its end, are listed indented below the
/// one that was left, and the path stays.
class FlowTrail : public Section {
  Q_OBJECT

 public:
  explicit FlowTrail(const Style& style, QWidget* parent = nullptr);

  /// Goes to a number. A path of one number is replaced by a number not connected to it.
  void add(const observe::NumberPlace& place) { add(std::span(&place, 1)); }
  /// Goes to these numbers, one after the other.
  void add(std::span<const observe::NumberPlace> places);
  /// Drops what follows the present number, if that is on the path itself.
  void endHere();
  void clear();
  /// Begins anew with the present number.
  void restart();
  /// No number is shown any more; the path stays.
  void release();
  /// Goes to a row of the list, as its links name them.
  void goTo(int row);
  /// The numbers of the path, without factors and asides.
  std::vector<observe::NumberPlace> places() const;
  /// The indented numbers, in the order of the list.
  std::vector<observe::NumberPlace> indented() const;
  std::optional<observe::NumberPlace> present() const;
  /// The path on one line, from the present number back to the first.
  QString line() const;
  /// A summary of a path from a logit to a token: "logit of u, after g ← cross-attention, head 7,
  /// looks at h (0.99) ← h", as links to rows. Empty for other paths. `brief`: only "u ← head 7
  /// looks at h (0.99) ← h".
  QString summary(bool brief = false) const;
  /// Another run: shows the same numbers with its values; the path ends before the first one that
  /// it lacks.
  void setRun(const std::shared_ptr<FlowRun>& run);
  /// To the number that was shown before, and back again.
  void back() { goBy(-1); }
  void forward() { goBy(1); }

 signals:
  /// Another number of the list was chosen.
  void chosen(const tfm::observe::NumberPlace& place);
  /// The path, or the present number on it, has changed.
  void changed();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  enum class Kind { Way, Factor, Aside };
  struct Row {
    observe::NumberPlace place;
    Kind kind = Kind::Way;
  };

  int rowOf(const observe::NumberPlace& place) const;
  void insert(const observe::NumberPlace& place);
  /// Makes a row the present one, and the newest of the history.
  void visit(int row);
  void goBy(int direction);
  /// The factors that lead from one number to the other, whichever comes first; none if neither
  /// is computed from the other.
  std::optional<std::vector<observe::NumberPlace>> factorsBetween(
      const observe::NumberPlace& a, const observe::NumberPlace& b) const;
  void scrollToPresent();
  QString textOf(const Row& row) const;
  void fillList();
  void refresh();

  std::shared_ptr<FlowRun> run_;
  std::vector<Row> rows_;
  int at_ = -1;
  bool shows_ = false;  ///< whether the present number is shown
  int scrolled_to_ = -1;
  std::vector<observe::NumberPlace> history_;  ///< numbers in the order in which they were shown
  int when_ = -1;                              ///< the present one in it
  QLabel* why_;
  QListWidget* list_;
  QPushButton* back_;
  QPushButton* forward_;
  QPushButton* clear_;
};

}  // namespace tfm::ui
