// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/data_summary.h"

#include <QLocale>
#include <algorithm>
#include <numeric>

#include "core/data/task_tokenizer.h"
#include "ui/style/style.h"
#include "ui/views/experiment/data_words.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/section.h"

namespace tfm::ui {
namespace {

constexpr std::size_t kMaxClasses = 12;  // shown; rarer ones are summed up

/// The classes from most to least frequent on the training side.
std::vector<std::size_t> byFrequency(const std::vector<std::int64_t>& classes) {
  std::vector<std::size_t> order(classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return classes[i]; });
  return order;
}

/// How many examples of a side are in each of some groups.
struct Side {
  QString name;
  std::vector<std::int64_t> counts;
};

std::vector<Side> bothSides() {
  return {{DataSummary::tr("training"), {}}, {DataSummary::tr("held-out"), {}}};
}

/// For each group and side a bar as long as its share of the side, so that sides of different sizes
/// can be compared, and the numbers behind them. `kind`: what the groups are. Returns the shares.
std::vector<BarRow> shareRows(BarList& bars, const QString& kind, const QStringList& groups,
                              const std::vector<Side>& sides) {
  std::vector<BarRow> rows;
  DataTable table{{kind}, {}};
  for (const QString& group : groups) {
    rows.push_back({group});
    table.rows.push_back({group});
  }
  QStringList names;
  for (const Side& side : sides) {
    const auto total = std::accumulate(side.counts.begin(), side.counts.end(), std::int64_t{0});
    names << side.name;
    table.columns << side.name << DataSummary::tr("%1 share").arg(side.name);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double share = total == 0 ? 0 : double(side.counts[i]) / double(total);
      if (&side == &sides.front())
        rows[i].value = share;
      else
        rows[i].more.push_back(share);
      table.rows[i] << QString::number(side.counts[i]) << fullPrecision(share);
    }
  }
  bars.setSeries(names);
  bars.setData(std::move(table));
  return rows;
}

QString percentText(double share) {
  return DataSummary::tr("%1 %").arg(QLocale().toString(100 * share, 'f', 1));
}

}  // namespace

DataSummary::DataSummary(const Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      amount_(wrappedLabel("muted")),
      notice_(wrappedLabel("muted")),
      guess_(wrappedLabel("muted")),
      samples_(new QLabel),
      classes_(new BarList(style)),
      lengths_(new BarList(style)),
      classes_section_(new Section(style, tr("Class balance"))),
      lengths_section_(new Section(style, tr("Lengths"))),
      samples_section_(new Section(style, tr("Real examples"))) {
  classes_->setTitle(tr("Class balance"));
  classes_->setColumns({QString(), QString()});  // count and share of each side
  lengths_->setTitle(tr("Lengths of the examples"));
  lengths_->setColumns({tr("training"), tr("held-out")});
  notice_->setAccessibleName(tr("What the model does not see"));
  samples_->setWordWrap(true);
  samples_->setTextFormat(Qt::RichText);
  samples_->setAccessibleName(tr("Real examples"));
  samples_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  classes_section_->add(classes_);
  classes_section_->add(guess_);
  classes_section_->setFigure(
      classes_,
      tr("The number of examples of each **class** on both sides, and its share. Held-out examples "
         "are never trained on.\n\nIf the classes are unbalanced, always answering the largest one "
         "looks good: an accuracy is meaningful only above that."));
  lengths_section_->add(lengths_);
  lengths_section_->setFigure(
      lengths_, tr("The length of the questions in **tokens**, after truncation: the share of each "
                   "side's examples in each range. Longer questions take more time and memory."));
  auto* facts = new Section(style, tr("The data"));
  facts->add(amount_);
  facts->add(notice_);
  auto* card = new QFrame;
  setRole(*card, "card");
  addParts(new QVBoxLayout(card), {samples_});
  samples_section_->add(card);
  setLayout(columnOf(style, 16, {facts, classes_section_, lengths_section_, samples_section_}));
  clear();
}

void DataSummary::setData(const data::Task& task, const data::TaskStatistics& statistics) {
  amount_->setText(amountText(task, statistics));
  const DataNotice notice = dataNotice(task, statistics);
  notice_->setText(notice.text);
  notice_->setVisible(!notice.text.isEmpty());
  setRole(*notice_, notice.matters ? "bad" : "muted");
  const bool words =
      task.form() == data::TaskForm::Classes || task.form() == data::TaskForm::Masked;
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
  std::vector<Side> sides = bothSides();
  const std::vector<std::size_t> order = byFrequency(statistics.training.classes);
  const bool all = order.size() <= kMaxClasses;
  const std::size_t named = all ? order.size() : kMaxClasses - 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i <= named) {
      const std::string& name = task.targetVocabulary().tokens()[order[i]];
      names << (i < named ? QString::fromStdString(name)
                          : tr("%n other(s)", nullptr, int(order.size() - named)));
      for (Side& side : sides) side.counts.push_back(0);
    }
    sides[0].counts.back() += statistics.training.classes[order[i]];
    sides[1].counts.back() += statistics.evaluation.classes[order[i]];
  }
  std::vector<BarRow> rows = shareRows(*classes_, tr("group"), names, sides);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Side& side : sides)
      rows[i].numbers << QLocale().toString(qlonglong(side.counts[i]))
                      << percentText(&side == &sides.front() ? rows[i].value : rows[i].more[0]);
  classes_->setRows(std::move(rows));
  guess_->setText(guessText(task, statistics));
}

void DataSummary::showLengths(const data::Task& task, const data::TaskStatistics& statistics) {
  const bool alike = statistics.training.shortest == statistics.training.longest &&
                     statistics.evaluation.shortest == statistics.evaluation.longest;
  lengths_section_->setVisible(!alike);
  if (alike) return;
  QStringList bins;
  std::vector<Side> sides = bothSides();
  for (std::size_t i = 0; i < statistics.training.lengths.size(); ++i) {
    const data::LengthBin& bin = statistics.training.lengths[i];
    bins << (bin.first == bin.last ? QString::number(bin.first)
                                   : QStringLiteral("%1–%2").arg(bin.first).arg(bin.last));
    sides[0].counts.push_back(bin.count);
    sides[1].counts.push_back(statistics.evaluation.lengths[i].count);
  }
  const bool tokens = data::usesTokenizer(task.config());
  const QString unit = tokens ? tr("tokens") : tr("characters");
  lengths_->setHeading(unit);
  std::vector<BarRow> rows = shareRows(*lengths_, unit, bins, sides);
  for (BarRow& row : rows) row.numbers = {percentText(row.value), percentText(row.more[0])};
  lengths_->setRows(std::move(rows));
}

}  // namespace tfm::ui
