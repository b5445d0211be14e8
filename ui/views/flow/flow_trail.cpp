// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_trail.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>

#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/views/flow/flow_words.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {

FlowTrail::FlowTrail(const Style& style, QWidget* parent)
    : Section(style, tr("The way of a number"), {}, parent),
      list_(new QListWidget),
      back_(new QPushButton(tr("Back"))),
      forward_(new QPushButton(tr("Forward"))) {
  list_->setAccessibleName(tr("The way of a number"));
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setTextElideMode(Qt::ElideMiddle);
  list_->setFrameShape(QFrame::NoFrame);
  back_->setToolTip(tr("The number that you came from (Alt+Left)"));
  forward_->setToolTip(tr("The number that you went to from here (Alt+Right)"));
  auto* buttons = new QWidget;
  auto* row = bareLayout<QHBoxLayout>(buttons);
  row->addWidget(back_);
  row->addWidget(forward_);
  Section::add(list_);
  Section::add(buttons);
  connect(back_, &QPushButton::clicked, this, &FlowTrail::back);
  connect(forward_, &QPushButton::clicked, this, &FlowTrail::forward);
  connect(list_, &QListWidget::currentRowChanged, this, &FlowTrail::go);
  style.follow(this, [this, &style] { list_->setMinimumHeight(style.px(220)); });
  refresh();
}

void FlowTrail::add(const observe::NumberPlace& place) {
  if (present() == place) return;
  places_.resize(std::size_t(at_ + 1));
  places_.push_back(place);
  ++at_;
  refresh();
}

void FlowTrail::clear() {
  places_.clear();
  at_ = -1;
  refresh();
}

std::optional<observe::NumberPlace> FlowTrail::present() const {
  return at_ < 0 ? std::nullopt : std::optional(places_[std::size_t(at_)]);
}

void FlowTrail::setRun(const std::shared_ptr<FlowRun>& run) {
  // With another intervention in force, a program has other steps, but the same numbers.
  const auto found = [&](observe::NumberPlace& place) {
    if (!run || !run_) return false;
    place.tensor = run->program().find(run_->info(place.tensor).name);
    if (place.tensor == kNoTensor) return false;
    const TensorInfo& t = run->info(place.tensor);
    return place.row < t.rows && place.col < t.cols && (!place.gradient || run->hasGradients());
  };
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (!found(places_[i])) {
      places_.resize(i);
      at_ = std::min(at_, int(i) - 1);
    }
  run_ = run;
  refresh();
}

void FlowTrail::go(int index) {
  if (index < 0 || index >= int(places_.size()) || index == at_) return;
  at_ = index;
  refresh();
  emit chosen(places_[std::size_t(index)]);
}

void FlowTrail::refresh() {
  const QSignalBlocker quiet(list_);
  list_->clear();
  for (const observe::NumberPlace& place : places_) {
    const double value = run_ ? run_->explained().explainer().value(place) : 0.0;
    if (!run_) continue;
    const bool token = run_->info(place.tensor).role == Role::Ids;
    const QString name = FlowWords::number(*run_, place);
    auto* item = new QListWidgetItem(
        token ? name : QStringLiteral("%1   %2").arg(name, shortNumber(value)), list_);
    item->setToolTip(FlowWords::sentence(*run_, place, value));
  }
  list_->setCurrentRow(at_);
  back_->setEnabled(at_ > 0);
  forward_->setEnabled(at_ + 1 < int(places_.size()));
  emit changed();
}

QString FlowTrail::line() const {
  QStringList names;
  for (int i = run_ ? at_ : -1; i >= 0; --i)
    names << FlowWords::number(*run_, places_[std::size_t(i)]);
  return names.join(QStringLiteral(" ‹ "));
}

}  // namespace tfm::ui
