// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/data_summary.h"

#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

#include "core/data/labelled_task.h"
#include "ui/style/style.h"
#include "ui/views/experiment/data_words.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/section.h"
#include "ui/widgets/share_bars.h"
#include "ui/widgets/share_histogram.h"

namespace tfm::ui {
namespace {

constexpr std::size_t kMaxClasses = 12;  // shown; the rarer ones are added up

/// The classes from the most frequent to the rarest one of the training side.
std::vector<std::size_t> byFrequency(const std::vector<std::int64_t>& classes) {
  std::vector<std::size_t> order(classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return classes[i]; });
  return order;
}

std::vector<SideCounts> bothSides() {
  return {{DataSummary::tr("training"), {}}, {DataSummary::tr("held-out"), {}}};
}

}  // namespace

DataSummary::DataSummary(const Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      amount_(wrappedLabel("muted")),
      notice_(wrappedLabel("muted")),
      guess_(wrappedLabel("muted")),
      samples_(new QLabel),
      classes_(new ShareBars(style)),
      lengths_(new ShareHistogram(style)),
      classes_section_(new Section(style, tr("Class balance"))),
      lengths_section_(new Section(style, tr("Lengths"))),
      samples_section_(new Section(style, tr("Real examples"))) {
  classes_->setTitle(tr("Class balance"));
  lengths_->setTitle(tr("Lengths of the examples"));
  notice_->setAccessibleName(tr("What the model will not see"));
  samples_->setWordWrap(true);
  samples_->setTextFormat(Qt::RichText);
  samples_->setAccessibleName(tr("Real examples"));
  samples_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  classes_section_->add(classes_);
  classes_section_->add(guess_);
  classes_section_->setFigure(
      classes_, tr("How many examples each **class** has on both sides, and which share of its "
                   "side that is. Held-out examples are never trained on.\n\nWhere the classes are "
                   "unequal, answering the largest one every time looks good: an accuracy says "
                   "something only above that."));
  lengths_section_->add(lengths_);
  lengths_section_->setFigure(
      lengths_, tr("How long the questions are, in **tokens**, after cutting: the share of each "
                   "side's examples in each range. Longer questions take more time and memory."));
  auto* facts = new Section(style, tr("The data"));
  facts->add(amount_);
  facts->add(notice_);
  auto* card = new QFrame;
  setRole(*card, "card");
  (new QVBoxLayout(card))->addWidget(samples_);
  samples_section_->add(card);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(style.px(16));
  for (QWidget* part : {facts, classes_section_, lengths_section_, samples_section_})
    column->addWidget(part);
  clear();
}

void DataSummary::setData(const data::Task& task, const data::TaskStatistics& statistics) {
  amount_->setText(amountText(task, statistics));
  const DataNotice notice = dataNotice(task, statistics);
  notice_->setText(notice.text);
  notice_->setVisible(!notice.text.isEmpty());
  setRole(*notice_, notice.matters ? "bad" : "muted");
  const bool words = task.form() == data::TaskForm::Classes;
  samples_->setFont(words ? style_.textFont(12) : style_.numberFont(12));
  samples_->setText(samplesText(task, statistics.samples));
  samples_section_->show();
  showClasses(task, statistics);
  showLengths(task, statistics);
}

void DataSummary::clear() {
  amount_->setText(tr("No examples yet."));
  notice_->hide();
  for (Section* section : {classes_section_, lengths_section_, samples_section_}) section->hide();
}

void DataSummary::showClasses(const data::Task& task, const data::TaskStatistics& statistics) {
  classes_section_->setVisible(!statistics.training.classes.empty());
  if (statistics.training.classes.empty()) return;
  QStringList names;
  std::vector<SideCounts> sides = bothSides();
  const std::vector<std::size_t> order = byFrequency(statistics.training.classes);
  const bool all = order.size() <= kMaxClasses;
  const std::size_t named = all ? order.size() : kMaxClasses - 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i <= named) {
      const std::string& name = task.targetVocabulary().tokens()[order[i]];
      names << (i < named ? QString::fromStdString(name)
                          : tr("%n other(s)", nullptr, int(order.size() - named)));
      for (SideCounts& side : sides) side.counts.push_back(0);
    }
    sides[0].counts.back() += statistics.training.classes[order[i]];
    sides[1].counts.back() += statistics.evaluation.classes[order[i]];
  }
  classes_->setGroups(names, sides);
  guess_->setText(guessText(task, statistics));
}

void DataSummary::showLengths(const data::Task& task, const data::TaskStatistics& statistics) {
  const bool alike = statistics.training.shortest == statistics.training.longest &&
                     statistics.evaluation.shortest == statistics.evaluation.longest;
  lengths_section_->setVisible(!alike);
  if (alike) return;
  std::vector<WholeBin> bins;
  std::vector<SideCounts> sides = bothSides();
  for (std::size_t i = 0; i < statistics.training.lengths.size(); ++i) {
    const data::LengthBin& bin = statistics.training.lengths[i];
    bins.push_back({bin.first, bin.last});
    sides[0].counts.push_back(bin.count);
    sides[1].counts.push_back(statistics.evaluation.lengths[i].count);
  }
  const bool tokens = data::takesLabelledTexts(task.config().kind);
  lengths_->setBins(std::move(bins), std::move(sides), tokens ? tr("tokens") : tr("characters"));
}

}  // namespace tfm::ui
