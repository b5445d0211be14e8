// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_pictures.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/program/ops/ops.h"
#include "ui/figure/number_box.h"
#include "ui/views/flow/flow_diagram.h"
#include "ui/views/flow/flow_lens.h"
#include "ui/views/flow/flow_parts.h"
#include "ui/views/flow/flow_stepper.h"
#include "ui/views/flow/flow_trail.h"
#include "ui/views/flow/flow_words.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

using observe::kNoNode;
using observe::NumberPlace;

std::int64_t mostHeads(const FlowRun& run, const FlowOpen& open) {
  std::int64_t most = 1;
  for (std::size_t i = 0; i < run.program().steps.size(); ++i) {
    const Step& step = run.program().steps[i];
    if (step.op != &ops::kAttention || shownFor(run.map(), open, i) != run.map().leaves[i])
      continue;
    most = std::max(most, std::any_cast<const AttentionArguments&>(step.arguments).shape.heads);
  }
  return most;
}

/// The part around the locked number, else the one that was opened last.
std::size_t shownNode(const FlowRun& run, const FlowShown& shown) {
  const std::size_t step = shown.number ? stepAt(run, shown.number->tensor) : kNoNode;
  return step != kNoNode ? run.map().nodes[run.map().leaves[step]].parent
                         : shown.opened.last(run.map());
}

}  // namespace

FlowPictures::FlowPictures(const Style& style, const FlowTrail& trail, QWidget* parent)
    : QWidget(parent),
      trail_(trail),
      place_(new QWidget),
      back_(new QToolButton),
      way_(linkLabel("muted")),
      head_name_(new QLabel(tr("&Head"))),
      head_(new NumberBox),
      pictures_(new QStackedWidget),
      diagram_(new FlowDiagram(style)),
      lens_(new FlowLens(style)),
      stepper_(new FlowStepper(style)),
      modes_(new Segmented(style, {tr("Diagram"), tr("Logit lens")})) {
  modes_->setAccessibleName(tr("What is shown"));
  pictures_->addWidget(diagram_);
  pictures_->addWidget(lens_);
  way_->setObjectName("flow-way");
  way_->setWordWrap(false);
  way_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  head_name_->setBuddy(head_);
  head_->setSpecialValueText(tr("all"));
  head_->setToolTip(tr("The head that open attentions show"));
  head_->setAccessibleName(tr("Head"));
  for (QWidget* part : std::initializer_list<QWidget*>{head_name_, head_}) {
    QSizePolicy policy = part->sizePolicy();
    policy.setRetainSizeWhenHidden(true);  // nothing moves when a part with heads is opened
    part->setSizePolicy(policy);
  }
  back_->setText(QStringLiteral("◂"));
  back_->setAccessibleName(tr("The number that you came from"));
  back_->setToolTip(tr("The number that you came from (Alt+Left)"));
  back_->hide();
  place_->setLayout(rowOf({back_, {way_, 1}, head_name_, head_}));
  setLayout(columnOf({place_, {pictures_, 1}, rowOf({{stepper_, 1}, modes_})}));

  connect(modes_, &Segmented::currentChanged, this,
          [this](int mode) { emit lensToggled(mode == 1); });
  connect(head_, &QSpinBox::valueChanged, this, [this](int head) { emit headChosen(head - 1); });
  connect(back_, &QToolButton::clicked, this, &FlowPictures::backRequested);
  connect(
      way_, &QLabel::linkActivated, this, [this](const QString& at) { emit wayChosen(at.toInt()); },
      Qt::QueuedConnection);
}

QWidget& FlowPictures::picture() const { return *pictures_->currentWidget(); }

const Figure& FlowPictures::figure() const {
  return pictures_->currentWidget() == lens_ ? static_cast<const Figure&>(*lens_) : *diagram_;
}

report::Source FlowPictures::source() const {
  return pictures_->currentWidget() == lens_ ? report::Source() : diagram_->source();
}

void FlowPictures::setRun(const std::shared_ptr<FlowRun>& run) {
  run_ = run;
  stepper_->setRun(run);
  diagram_->setRun(run);
  lens_->setRun(run);
}

void FlowPictures::render(const FlowShown& shown, bool fits) {
  const QSignalBlocker quiet(modes_);
  modes_->setCurrent(shown.lens ? 1 : 0);
  pictures_->setCurrentIndex(shown.lens ? 1 : 0);
  stepper_->setBrief(!shown.left);
  diagram_->setOpen(shown.opened.open);
  const bool has_gradients = run_ && run_->hasGradients();
  if (fits || !has_gradients) diagram_->setSide(has_gradients ? shown.side() : FlowSide::Values);
  showHeads(shown.opened.open);
  showWay(shown);
}

void FlowPictures::showHeads(const FlowOpen& open) {
  const auto heads = run_ ? int(mostHeads(*run_, open)) : 1;
  head_name_->setVisible(heads > 1);
  head_->setVisible(heads > 1);
  const QSignalBlocker quiet(head_);
  head_->setRange(0, std::max(1, heads));
  head_->setValue(open.head + 1);
}

void FlowPictures::showWay(const FlowShown& shown) {
  const bool line = !shown.left && trail_.present().has_value();
  back_->setVisible(!shown.left);
  back_->setEnabled(line);
  place_->setVisible(!shown.lens);  // also at first: nothing moves when a number is locked
  if (line) {
    const QString summary = trail_.summary(true);
    return way_->setText(summary.isEmpty() ? trail_.line().toHtmlEscaped() : summary);
  }
  if (!run_) return way_->setText(tr("model"));
  const std::size_t node = shownNode(*run_, shown);
  QStringList parts;
  for (const std::size_t one : run_->map().wayTo(node)) {
    const QString title = FlowWords::title(run_->map(), one).toHtmlEscaped();
    parts << (one == node ? title : QStringLiteral("<a href=\"%1\">%2</a>").arg(one).arg(title));
  }
  way_->setText(parts.join(QStringLiteral(" › ")));
}

bool FlowPictures::isDrawn(const NumberPlace& place) const {
  return diagram_->flowLayout().tileOf(place.tensor, place.row, place.col) >= 0;
}

bool FlowPictures::openFor(FlowOpened& opened, const NumberPlace& place) {
  if (isDrawn(place)) return true;
  const std::size_t step = stepAt(*run_, place.tensor);
  if (step == kNoNode) return false;
  opened.openAround(run_->map(), step);
  diagram_->setOpen(opened.open);
  const std::int64_t heads = mostHeads(*run_, opened.open);
  for (opened.open.head = 0; !isDrawn(place) && opened.open.head < heads; ++opened.open.head)
    diagram_->setOpen(opened.open);
  opened.open.head = diagram_->open().head;
  return isDrawn(place);
}

void FlowPictures::addAnswer(QWidget& answer) {
  static_cast<QHBoxLayout*>(place_->layout())->insertWidget(0, &answer, 1);
}

}  // namespace tfm::ui
