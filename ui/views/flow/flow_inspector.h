// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/observe/logit_contributions.h"
#include "ui/figure/figure.h"
#include "ui/heatmap/color_scale.h"
#include "ui/style/forward.h"
#include "ui/views/flow/flow_run.h"
#include "ui/views/forward.h"
#include "ui/widgets/forward.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {

/// A number in words: its formula with the numbers in it, its terms by size, the numbers that a
/// term is computed from, and what reads it, as links.
class FlowInspector : public SideZone {
  Q_OBJECT

 public:
  explicit FlowInspector(const Style& style, QWidget* parent = nullptr);

  /// Shows a number of a run. `locked`: with its links, not just a preview. Nothing without run or
  /// place.
  void show(const std::shared_ptr<FlowRun>& run, const std::optional<observe::NumberPlace>& place,
            bool locked);
  /// The number that is shown and locked; none for a preview.
  const std::optional<observe::NumberPlace>& shownPlace() const { return shown_place_; }
  /// The value of a number of a run; not its gradient.
  static double valueAt(const std::shared_ptr<FlowRun>& run, observe::NumberPlace place);
  /// The scale of the picture that contains the number.
  void showScale(const ColorScale& scale);
  FlowOtherwise& otherwise() { return *otherwise_; }
  /// Its terms, by decreasing size.
  const std::vector<observe::PlacedTerm>& terms() const { return terms_; }

 signals:
  /// A link was chosen.
  void followed(const tfm::observe::NumberPlace& place);
  /// The path to the input was requested.
  void traceRequested();
  void freed();
  /// The possible changes of the locked number were requested, at a place on the screen.
  void whatIfRequested(const QPoint& place);

 private:
  void showTerms();
  void showSources(int term);
  void showReaders();
  /// The scroll area that contains the inspector; null outside a window.
  QScrollArea* scrollArea() const;
  /// Where the name and value of another number are.
  void scrollToTop();
  void showContributions();
  DataTable partTable() const;
  /// Of a head, what it looks at most; of everything else, its largest number.
  std::optional<observe::NumberPlace> placeOf(const observe::LogitContribution& part) const;
  QString partLabel(const observe::LogitContribution& part) const;
  void followPart(int row);
  void showUpdate();
  /// Links to numbers, one below the other.
  struct Links {
    QVBoxLayout* column = nullptr;
    std::vector<observe::NumberPlace> places;
  };
  void fill(Links& links, const std::vector<observe::NumberPlace>& places, const QString& none);
  /// All terms with their sources, for exports.
  DataTable termTable() const;
  double valueOf(const observe::NumberPlace& place) const;

  const Style& style_;
  std::shared_ptr<FlowRun> run_;
  observe::ExplainedNumber number_;
  std::vector<observe::PlacedTerm> terms_;
  int shown_ = 0;  ///< how many terms are shown

  observe::LogitContributions contributions_;  ///< of the shown logit
  std::optional<observe::NumberPlace> shown_place_;

  PinChip* kept_;
  QLabel* name_;
  QLabel* place_;
  QLabel* scale_;
  NumberLabel* value_;
  FlowOtherwise* otherwise_;
  Section* made_;
  QLabel* formula_;
  QLabel* numbers_;
  BarList* bars_;
  QPushButton* more_;
  QPushButton* copy_;
  QPushButton* copy_text_;
  QPushButton* trace_;
  QPushButton* what_if_;
  Section* update_;
  QLabel* update_lines_;
  Links update_links_;
  Section* parts_;
  BarList* part_bars_;
  QLabel* held_;
  Section* sources_;
  Links source_links_;
  Section* readers_;
  Links reader_links_;
};

/// For each step that reads this number, the number to which it contributes most. Examines no more
/// than a few thousand terms, except for a product.
std::vector<observe::NumberPlace> readersOf(FlowRun& run, const observe::NumberPlace& place);

/// The terms of a number, by decreasing size.
std::vector<observe::PlacedTerm> termsOf(const observe::ExplainedNumber& number);

/// The source that leads on towards the input, an activation before a weight, of the largest of
/// these terms that has one; none at the end of the path.
std::optional<observe::NumberPlace> leadingSource(const FlowRun& run,
                                                  const std::vector<observe::PlacedTerm>& terms);

}  // namespace tfm::ui
