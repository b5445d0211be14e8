// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_changes.h"

#include <QMenu>
#include <QShortcut>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/model/build_program.h"
#include "core/observe/attention_stage.h"
#include "ui/document/model_document.h"
#include "ui/figure/number_text.h"
#include "ui/figure/token_text.h"
#include "ui/views/change_menu.h"
#include "ui/views/flow/flow_diagram.h"
#include "ui/views/flow/flow_inspector.h"
#include "ui/views/flow/flow_otherwise.h"
#include "ui/views/flow/flow_trail.h"
#include "ui/widgets/bar_list.h"

namespace tfm::ui {
namespace {

constexpr std::size_t kAnswersTried = 4;  // most probable, before and now

/// The number that can be set: of an attention cell its share, which its scores become.
std::optional<observe::NumberPlace> settable(const FlowRun& run, observe::NumberPlace place) {
  const Step* attention = observe::attentionOf(run.program(), place.tensor);
  if (attention == nullptr) return place;
  place.tensor = observe::tensorAt(*attention, observe::AttentionStage::Probabilities);
  return place.tensor == kNoTensor ? std::nullopt : std::optional(place);
}

}  // namespace

FlowChanges::FlowChanges(ModelDocument& document, FlowDiagram& diagram, FlowInspector& numbers,
                         const FlowTrail& trail, Source source, QWidget* parent)
    : QObject(parent),
      document_(document),
      diagram_(diagram),
      numbers_(numbers),
      trail_(trail),
      source_(std::move(source)),
      window_(parent) {
  const auto parts_of_item = [this](int item) {
    return partsOf(diagram_.numberOf(item), diagram_.partOf(item));
  };
  auto* off = new QShortcut(Qt::Key_O, parent);
  off->setWhatsThis(tr("Switch what is locked off, or on again"));
  connect(off, &QShortcut::activated, this, [this, parts_of_item] {
    // Not what the pointer happens to be over.
    const bool locked = diagram_.lockedItem() >= 0 || !diagram_.hasFocus();
    const auto parts = parts_of_item(locked ? diagram_.lockedItem() : diagram_.currentItem());
    if (!parts.empty()) document_.interventions().toggle(parts.front().target);
  });
  connect(&diagram_, &CellGrid::menuRequested, this,
          [this, parts_of_item](int item, const QPoint& place) {
            showMenu(parts_of_item(item), diagram_.numberOf(item), place);
          });
  connect(&numbers_, &FlowInspector::whatIfRequested, this, [this](const QPoint& place) {
    const auto& now = numbers_.shownPlace();
    showMenu(partsOf(now, observe::kNoNode), now, place);
  });
  FlowOtherwise& otherwise = numbers_.otherwise();
  connect(&otherwise, &FlowOtherwise::tryRequested, this, &FlowChanges::tryNumber);
  connect(&otherwise, &FlowOtherwise::dropped, this, [this] { tries_.forget(); });
  connect(&otherwise, &FlowOtherwise::kept, this, [this](double value) {
    tries_.forget();
    document_.interventions().putInForce(
        changeOf(attempt_.target, observe::Intervention::Kind::Set, value));
  });
}

void FlowChanges::setRun(std::shared_ptr<FlowRun> run, FlowAnswers answers) {
  run_ = std::move(run);
  answers_ = std::move(answers);
  if (!run_) tries_.forget();
}

std::vector<FlowPart> FlowChanges::possible(std::vector<FlowPart> parts) const {
  std::erase_if(parts, [this](const FlowPart& part) {
    return problemOf([&] { document_.interventions().require(changeOf(part.target)); }).has_value();
  });
  return parts;
}

std::vector<FlowPart> FlowChanges::partsOf(const std::optional<observe::NumberPlace>& number,
                                           std::size_t node) const {
  if (!run_ || (!number && node == observe::kNoNode)) return {};
  return possible(number ? partsAt(*run_, *number) : partsAt(*run_, node));
}

void FlowChanges::showMenu(const std::vector<FlowPart>& parts,
                           const std::optional<observe::NumberPlace>& number, const QPoint& place) {
  if (parts.empty()) return;
  auto* menu = new QMenu(window_);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  // A style sheet draws a section without its text.
  menu->addAction(tr("What if it were different?"))->setEnabled(false);
  menu->addSeparator();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    QString name = parts[i].name;
    name.replace(0, 1, name.first(1).toUpper());
    QMenu* part = menu->addMenu(name);
    // A number becomes another from what it is; a larger part from 0.
    const auto set = i == 0 && number ? settable(*run_, *number) : std::nullopt;
    addChangeActions(*part, document_, parts[i].target, tr("Switch it off"),
                     set ? FlowInspector::valueAt(run_, *set) : 0.0);
  }
  menu->popup(place);
}

void FlowChanges::offer() {
  FlowOtherwise& otherwise = numbers_.otherwise();
  const auto& place = numbers_.shownPlace();
  const auto parts =
      place && run_ && !run_->isDifference() ? partsAt(*run_, *place) : std::vector<FlowPart>{};
  // Of a number that is no token or block, the first part is itself.
  const Role role = parts.empty() ? Role::Ids : run_->info(place->tensor).role;
  const bool single = role == Role::Activation || role == Role::Parameter;
  const bool other = !single || parts.front().target != attempt_.target;
  if (other) otherwise.withdraw();
  if (!single) {
    attempt_ = {};
    return;
  }
  if (other) {
    attempt_ = {};
    if (possible({parts.front()}).empty()) return;
    attempt_.target = parts.front().target;
  }
  if (otherwise.isTrying()) return;
  attempt_.before = answers_;
  if (attempt_.before.rows == 0) return otherwise.withdraw();
  const auto number = settable(*run_, *place);
  if (!number) return otherwise.withdraw();
  const double value = FlowInspector::valueAt(run_, *number);
  if (run_->attentionOf(number->tensor) != nullptr) return otherwise.offer(value, 0.0, 1.0);
  const double reach = std::max(1.0, 2.0 * std::abs(value));
  otherwise.offer(value, -reach, reach);
}

void FlowChanges::tryNumber(double value) {
  auto from = source_();
  if (!from || attempt_.target.empty()) return;
  if (run_ && run_->hasGradients()) from->input = run_->explained().input();  // what is shown
  tries_.start(
      [source = std::move(*from),
       what = changeOf(attempt_.target, observe::Intervention::Kind::Set, value)] {
        try {
          return Tried{answersIf(source, what), std::nullopt};
        } catch (const Error& problem) {
          return Tried{{}, problem};
        }
      },
      [this](const Tried& tried) {
        if (tried.problem)
          return numbers_.otherwise().showProblem(QString::fromUtf8(tried.problem->what()));
        showAttempt(tried.answers);
      });
}

void FlowChanges::showAttempt(const FlowAnswers& answers) {
  const FlowAnswers& before = attempt_.before;
  if (!run_ || answers.rows != before.rows || answers.cols != before.cols) return;
  const TensorId output = run_->program().find(names::kOutput);
  // The answer that was asked about, else the one that changes; the same for all of a drag.
  if (!attempt_.row) {
    const auto& way = trail_.places();
    attempt_.row = !way.empty() && way.front().tensor == output ? way.front().row
                                                                : mostChanged(before, answers);
  }
  const std::int64_t row = std::clamp<std::int64_t>(*attempt_.row, 0, answers.rows - 1);
  const auto& labels = run_->columnLabels(output);
  std::vector<std::int64_t> shown;
  for (const FlowAnswers* side : {&before, &answers}) {
    const auto ranked = side->ranked(row);
    for (std::size_t i = 0; i < std::min(kAnswersTried, ranked.size()); ++i)
      if (std::ranges::find(shown, ranked[i]) == shown.end()) shown.push_back(ranked[i]);
  }
  std::vector<BarRow> rows;
  for (const std::int64_t col : shown)
    rows.push_back(
        {visibleToken(QString::fromStdString(labels[std::size_t(col)])),
         before.at(row, col),
         {answers.at(row, col)},
         {tr("%1 → %2").arg(shortNumber(before.at(row, col)), shortNumber(answers.at(row, col)))}});
  numbers_.otherwise().showAnswers(tr("Answer %1").arg(row + 1), std::move(rows));
}

}  // namespace tfm::ui
