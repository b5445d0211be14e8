// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "ui/document/forward.h"
#include "ui/document/latest_job.h"
#include "ui/views/flow/flow_answers.h"
#include "ui/views/flow/flow_parts.h"
#include "ui/views/flow/flow_run.h"
#include "ui/views/forward.h"

namespace tfm::ui {

/// What if a part of Flow's diagram were different: the menu of a part, the key that switches it
/// off, and the locked number, tried with other values.
class FlowChanges : public QObject {
  Q_OBJECT

 public:
  using Source = std::function<std::optional<FlowSource>()>;

  /// `source`: what a number is tried on. All must outlive this.
  FlowChanges(ModelDocument& document, FlowDiagram& diagram, FlowInspector& numbers,
              const FlowTrail& trail, Source source, QWidget* parent);

  /// The run that is shown and what it answers; null: none, and what is tried is forgotten.
  void setRun(std::shared_ptr<FlowRun> run, FlowAnswers answers);
  /// Lets the number that the inspector locks be tried, if the model can be asked with others.
  void offer();

 private:
  /// A number that is tried with other values, and what is answered without them.
  struct Attempt {
    std::string target;
    FlowAnswers before;
    std::optional<std::int64_t> row;  ///< the position whose answer is shown
  };
  struct Tried {
    FlowAnswers answers;
    std::optional<Error> problem;
  };

  /// Those of some parts that the model lets be changed.
  std::vector<FlowPart> possible(std::vector<FlowPart> parts) const;
  std::vector<FlowPart> partsOf(const std::optional<observe::NumberPlace>& number,
                                std::size_t node) const;
  void showMenu(const std::vector<FlowPart>& parts,
                const std::optional<observe::NumberPlace>& number, const QPoint& place);
  void tryNumber(double value);
  void showAttempt(const FlowAnswers& answers);

  ModelDocument& document_;
  FlowDiagram& diagram_;
  FlowInspector& numbers_;
  const FlowTrail& trail_;
  const Source source_;
  QWidget* window_;  ///< that menus belong to
  std::shared_ptr<FlowRun> run_;
  FlowAnswers answers_;
  LatestJob tries_{this};
  Attempt attempt_;
};

}  // namespace tfm::ui
