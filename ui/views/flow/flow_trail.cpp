// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_trail.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/model/build_program.h"
#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/views/flow/flow_words.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

using observe::NumberPlace;

constexpr int kRowData = Qt::UserRole;
constexpr std::size_t kMostFactors = 3;

/// What `source` is multiplied by in the largest term of `number` that it is in; nullopt if it is
/// in no term.
std::optional<std::vector<NumberPlace>> othersOf(const observe::ExplainedNumber& number,
                                                 const NumberPlace& source) {
  const observe::PlacedTerm* largest = nullptr;
  for (const observe::StepPart& part : number.parts)
    for (const observe::PlacedTerm& term : part.terms)
      if (std::ranges::find(term.sources, source) != term.sources.end() &&
          (largest == nullptr || std::abs(term.amount) > std::abs(largest->amount)))
        largest = &term;
  if (largest == nullptr) return std::nullopt;
  const auto end = largest->sources.begin() + std::ptrdiff_t(largest->factors);
  std::vector<NumberPlace> others(largest->sources.begin(), end);
  if (std::erase(others, source) == 0 || others.size() > kMostFactors) others.clear();
  return others;
}

}  // namespace

FlowTrail::FlowTrail(const Style& style, QWidget* parent)
    : Section(style, tr("The path of a number"), {}, parent),
      why_(linkLabel()),
      list_(new QListWidget),
      back_(pushButton(tr("Back"), tr("The number that you saw before (Alt+Left)"))),
      forward_(pushButton(tr("Forward"), tr("The number that you saw after this one (Alt+Right)"))),
      clear_(pushButton(tr("Clear"), tr("Start a path from this number"))) {
  list_->setAccessibleName(tr("The path of a number"));
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setTextElideMode(Qt::ElideMiddle);
  list_->setFrameShape(QFrame::NoFrame);
  auto* buttons = new QWidget;
  addParts(bareLayout<QHBoxLayout>(buttons), {back_, forward_, clear_});
  for (QWidget* part : std::initializer_list<QWidget*>{why_, list_, buttons}) Section::add(part);
  connect(back_, &QPushButton::clicked, this, &FlowTrail::back);
  connect(forward_, &QPushButton::clicked, this, &FlowTrail::forward);
  connect(clear_, &QPushButton::clicked, this, &FlowTrail::restart);
  connect(
      why_, &QLabel::linkActivated, this, [this](const QString& row) { goTo(row.toInt()); },
      Qt::QueuedConnection);
  connect(list_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
    if (item != nullptr) goTo(item->data(kRowData).toInt());
  });
  style.follow(this, [this, &style] { list_->setMinimumHeight(style.px(220)); });
  refresh();
}

int FlowTrail::rowOf(const NumberPlace& place) const {
  const auto known = std::ranges::find(rows_, place, &Row::place);
  return known == rows_.end() ? -1 : int(known - rows_.begin());
}

void FlowTrail::add(std::span<const NumberPlace> places) {
  bool moved = false;
  for (const NumberPlace& place : places) {
    if (shows_ && present() == place) continue;
    if (rowOf(place) < 0) insert(place);
    visit(rowOf(place));
    moved = true;
  }
  if (moved) refresh();
}

void FlowTrail::insert(const NumberPlace& place) {
  if (at_ < 0) return rows_.push_back({place});
  const auto is_way = [](Kind kind) { return kind == Kind::Way; };
  const bool at_end =
      rows_[std::size_t(at_)].kind == Kind::Way &&
      std::ranges::none_of(rows_.begin() + at_ + 1, rows_.end(), is_way, &Row::kind);
  const auto factors = at_end ? factorsBetween(rows_[std::size_t(at_)].place, place) : std::nullopt;
  if (factors) {
    for (const NumberPlace& factor : *factors) rows_.push_back({factor, Kind::Factor});
    rows_.push_back({place});
  } else if (at_end && places().size() == 1) {
    rows_ = {{place}};
  } else {
    rows_.insert(rows_.begin() + at_ + 1, {place, Kind::Aside});
  }
}

void FlowTrail::visit(int row) {
  at_ = row;
  shows_ = true;
  history_.resize(std::size_t(when_ + 1));
  history_.push_back(rows_[std::size_t(row)].place);
  ++when_;
}

void FlowTrail::endHere() {
  if (at_ >= 0 && rows_[std::size_t(at_)].kind == Kind::Way) rows_.resize(std::size_t(at_ + 1));
  refresh();
}

void FlowTrail::clear() {
  rows_.clear();
  history_.clear();
  at_ = when_ = -1;
  shows_ = false;
  refresh();
}

void FlowTrail::restart() {
  const auto kept = shows_ ? present() : std::nullopt;
  clear();
  if (kept) add(*kept);
}

void FlowTrail::release() {
  shows_ = false;
  refresh();
}

std::vector<NumberPlace> FlowTrail::places() const {
  std::vector<NumberPlace> places;
  for (const Row& row : rows_)
    if (row.kind == Kind::Way) places.push_back(row.place);
  return places;
}

std::vector<NumberPlace> FlowTrail::indented() const {
  std::vector<NumberPlace> places;
  for (const Row& row : rows_)
    if (row.kind != Kind::Way) places.push_back(row.place);
  return places;
}

std::optional<NumberPlace> FlowTrail::present() const {
  return at_ < 0 ? std::nullopt : std::optional(rows_[std::size_t(at_)].place);
}

std::optional<std::vector<NumberPlace>> FlowTrail::factorsBetween(const NumberPlace& a,
                                                                  const NumberPlace& b) const {
  if (!run_) return std::nullopt;
  auto& explainer = run_->explained().explainer();
  const auto factors = othersOf(explainer.explain(a), b);
  return factors ? factors : othersOf(explainer.explain(b), a);
}

void FlowTrail::setRun(const std::shared_ptr<FlowRun>& run) {
  // With another intervention in force, a program has other steps, but the same numbers.
  const auto found = [&](NumberPlace& place) {
    if (!run || !run_) return false;
    const std::optional<NumberPlace> now = run->sameNumber(*run_, place);
    place = now.value_or(place);
    return now.has_value();
  };
  const auto lost = std::ranges::find_if_not(rows_, found, &Row::place);
  rows_.erase(lost, rows_.end());
  at_ = std::min(at_, int(rows_.size()) - 1);
  std::erase_if(history_, [&](NumberPlace& place) { return !found(place); });
  when_ = std::min(when_, int(history_.size()) - 1);
  run_ = run;
  refresh();
}

void FlowTrail::goTo(int row) {
  if (row < 0 || row >= int(rows_.size()) || (shows_ && row == at_)) return;
  visit(row);
  refresh();
  emit chosen(rows_[std::size_t(row)].place);
}

void FlowTrail::goBy(int direction) {
  for (int when = when_ + direction; when >= 0 && when < int(history_.size()); when += direction) {
    const int row = rowOf(history_[std::size_t(when)]);
    if (row < 0 || row == at_) continue;  // that way was dropped
    when_ = when;
    at_ = row;
    shows_ = true;
    refresh();
    return emit chosen(rows_[std::size_t(row)].place);
  }
}

void FlowTrail::resizeEvent(QResizeEvent* event) {
  Section::resizeEvent(event);
  const QRect present = list_->visualItemRect(list_->currentItem());  // before the list is laid out
  if (list_->viewport()->rect().intersects(present)) scrollToPresent();
}

void FlowTrail::scrollToPresent() {  // once the list has its height
  QTimer::singleShot(0, list_, [this] { list_->scrollToItem(list_->currentItem()); });
}

QString FlowTrail::textOf(const Row& row) const {
  const QString name = row.kind == Kind::Factor ? FlowWords::factor(*run_, row.place)
                                                : FlowWords::number(*run_, row.place);
  const QString text = run_->info(row.place.tensor).role == Role::Ids
                           ? name
                           : QStringLiteral("%1   %2").arg(
                                 name, shortNumber(run_->explained().explainer().value(row.place)));
  const QString indent(4, QLatin1Char(' '));
  return row.kind == Kind::Way      ? text
         : row.kind == Kind::Factor ? indent + QStringLiteral("× ") + text
                                    : indent + QStringLiteral("– ") + text;
}

void FlowTrail::fillList() {
  const QSignalBlocker quiet(list_);
  int count = 0;
  QListWidgetItem* current = nullptr;
  // In place: while a model learns, only values change, and the list stays where it is.
  const auto add = [&](const QString& text, int row, const QString& tip) {
    if (count == list_->count()) list_->addItem(QString());
    QListWidgetItem* item = list_->item(count++);
    item->setText(text);
    item->setToolTip(tip);
    item->setData(kRowData, row);
    item->setFlags(row < 0 ? Qt::NoItemFlags : Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    if (row == at_ && shows_) current = item;
  };
  QString around;  // what the numbers above are in
  for (std::size_t i = 0; run_ && i < rows_.size(); ++i) {
    const NumberPlace& at = rows_[i].place;
    const QString place = FlowWords::place(*run_, at);
    if (rows_[i].kind == Kind::Way && place != around) add(place, -1, {});
    if (rows_[i].kind == Kind::Way) around = place;
    add(textOf(rows_[i]), int(i),
        FlowWords::sentence(*run_, at, run_->explained().explainer().value(at)));
  }
  while (list_->count() > count) delete list_->takeItem(count);
  list_->setCurrentItem(current);
}

void FlowTrail::refresh() {
  fillList();
  setOrHide(*why_, summary());
  back_->setEnabled(when_ > 0);
  forward_->setEnabled(when_ + 1 < int(history_.size()));
  clear_->setEnabled(rows_.size() > 1);
  if (std::exchange(scrolled_to_, at_) != at_) scrollToPresent();
  emit changed();
}

QString FlowTrail::line() const {
  QStringList names;
  for (int i = run_ ? at_ : -1; i >= 0; --i)
    if (i == at_ || rows_[std::size_t(i)].kind == Kind::Way)
      names << FlowWords::number(*run_, rows_[std::size_t(i)].place);
  return names.join(QStringLiteral(" ‹ "));
}

QString FlowTrail::summary(bool brief) const {
  if (!run_ || rows_.empty()) return {};
  const TensorId output = run_->program().find(names::kOutput);
  const auto last = std::ranges::find(rows_.rbegin(), rows_.rend(), Kind::Way, &Row::kind);
  if (rows_.front().place.tensor != output || rows_.front().place.gradient ||
      run_->info(last->place.tensor).role != Role::Ids)
    return {};
  QStringList stations;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    const bool end = i == 0 || &row == &*last;
    if (!end && (row.kind == Kind::Aside || run_->attentionOf(row.place.tensor) == nullptr))
      continue;
    const double value = run_->explained().explainer().value(row.place);
    const QString name =
        i == 0 && !brief ? FlowWords::number(*run_, row.place)
        : end            ? FlowWords::token(*run_, row.place)
        : brief ? tr("%1 (%2)").arg(FlowWords::factor(*run_, row.place), shortNumber(value))
                : FlowWords::look(*run_, row.place, value);
    stations << QStringLiteral("<a href=\"%1\">%2</a>").arg(i).arg(name.toHtmlEscaped());
  }
  const QString way = stations.join(QStringLiteral(" ← "));
  return brief ? way : tr("By the largest term at each step: %1").arg(way);
}

}  // namespace tfm::ui
