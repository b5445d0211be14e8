// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/views/flow/flow_run.h"
#include "ui/widgets/section.h"

class QListWidget;
class QPushButton;

namespace tfm::ui {

class Style;

/// The way of a number: those that were locked, one after the other, with the present one. Going
/// elsewhere from an earlier one drops what followed it.
class FlowTrail : public Section {
  Q_OBJECT

 public:
  explicit FlowTrail(const Style& style, QWidget* parent = nullptr);

  /// The next number on the way; nothing if it is the present one.
  void add(const observe::NumberPlace& place);
  void clear();
  const std::vector<observe::NumberPlace>& places() const { return places_; }
  std::optional<observe::NumberPlace> present() const;
  /// The way on one line, from the present number back to the first.
  QString line() const;
  /// Another run: writes the same numbers with its values; those that it does not have end the way.
  void setRun(const std::shared_ptr<FlowRun>& run);
  void back() { go(at_ - 1); }
  void forward() { go(at_ + 1); }

 signals:
  /// Another number of the way was chosen.
  void chosen(const tfm::observe::NumberPlace& place);
  /// The way, or the present number on it, is another.
  void changed();

 private:
  void go(int index);
  void refresh();

  std::shared_ptr<FlowRun> run_;
  std::vector<observe::NumberPlace> places_;
  int at_ = -1;
  QListWidget* list_;
  QPushButton* back_;
  QPushButton* forward_;
};

}  // namespace tfm::ui
