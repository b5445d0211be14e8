// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/data_summary.h"

#include <QString>
#include <QStringList>
#include <algorithm>
#include <numeric>

#include "core/data/task_tokenizer.h"
#include "ui/figure/number_text.h"
#include "ui/figure/token_text.h"
#include "ui/style/style.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/field_text.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/section.h"

namespace tfm::ui {
namespace {

/// What a model does not see of the texts.
struct DataNotice {
  QString text;          ///< "12 % of the tokens are unknown, 34 texts are cut to 64 tokens."
  bool matters = false;  ///< it is a large part
};

constexpr double kMuchUnknown = 0.05;  // of the tokens
constexpr double kMuchLost = 0.1;      // of the examples
constexpr int kLongestText = 150;      // characters shown of a sample
constexpr int kLongestWord = 28;

QString number(std::int64_t count) { return QString::number(count); }

double shareText(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : double(part) / double(whole);
}

/// "12 %", "0.3 %", never broken between lines.
QString roundPercent(double share) {
  const double percent = 100 * share;
  return DataSummary::tr("%1\u00a0%").arg(QString::number(percent, 'f', percent < 9.95 ? 1 : 0));
}

QString shortened(const QString& text, int longest) {
  return text.size() <= longest ? text : text.left(longest) + QStringLiteral("…");
}

QString shown(const QString& text) { return visibleToken(text).toHtmlEscaped(); }

QString sampleText(data::TaskForm form, const data::Sample& sample) {
  const QString source = QString::fromStdString(sample.source);
  const QString target = QString::fromStdString(sample.target);
  if (form == data::TaskForm::Classes)
    return DataSummary::tr("<b>%1</b> %2")
        .arg(target.toHtmlEscaped(), shortened(source, kLongestText).toHtmlEscaped());
  const QString answer = DataSummary::tr("%1 → <b>%2</b>");
  if (form == data::TaskForm::Text)  // only what follows the window is new
    return answer.arg(shown(source.right(kLongestWord)), shown(target.right(1)));
  if (form == data::TaskForm::Masked)
    return answer.arg(shortened(source, kLongestText).toHtmlEscaped(),
                      shortened(target, kLongestText).toHtmlEscaped());
  return answer.arg(shown(shortened(source, kLongestWord)), shown(shortened(target, kLongestWord)));
}

/// How many examples there are: "4,500 examples to learn from, 500 held out."
QString amountText(const data::Task& task, const data::TaskStatistics& statistics) {
  const std::int64_t training = task.exampleCount(data::Split::Training);
  const std::int64_t held_out = task.exampleCount(data::Split::Evaluation);
  if (task.form() == data::TaskForm::Text)
    return DataSummary::tr("%1 windows of %2 characters to train on, %3 held out.")
        .arg(number(training), number(task.maxSourceLength()), number(held_out));
  if (training == 0)
    return DataSummary::tr("Examples are generated as needed; %1 of each side are counted here.")
        .arg(number(statistics.training.examples));
  if (!task.hasHeldOutExamples())
    return DataSummary::tr(
               "%1 facts to learn; evaluation asks the same ones, since no rule predicts others.")
        .arg(number(training));
  return DataSummary::tr("%1 examples to train on, %2 held out.")
      .arg(number(training), number(held_out));
}

/// Empty if the model sees everything: no unknown tokens, nothing truncated or left out. It matters
/// from 5 % of the tokens or 10 % of the examples on.
DataNotice dataNotice(const data::Task& task, const data::TaskStatistics& statistics) {
  const auto& [training, held_out, left_out, samples] = statistics;
  const std::int64_t examples = training.examples + held_out.examples;
  const std::int64_t cut = training.cut + held_out.cut;
  const double unknown =
      shareText(training.unknown + held_out.unknown, training.tokens + held_out.tokens);
  QStringList facts;
  if (unknown > 0)
    facts << DataSummary::tr("%1 of the tokens are unknown").arg(roundPercent(unknown));
  if (cut > 0)
    facts << DataSummary::tr("%1 texts (%2) are truncated to %3 tokens")
                 .arg(number(cut), roundPercent(shareText(cut, examples)),
                      number(task.longestInput()));
  if (left_out > 0)
    facts << DataSummary::tr("%1 rows are left out: too long or empty").arg(number(left_out));
  if (facts.empty()) return {};
  return {facts.join(DataSummary::tr("; ")) + QLatin1Char('.'),
          unknown >= kMuchUnknown || shareText(cut, examples) >= kMuchLost ||
              shareText(left_out, examples + left_out) >= kMuchLost};
}

/// What was assumed to read a file, and the fields of the form that decide it.
QString assumedText(const data::ReadingNotes& notes) {
  QStringList lines;
  for (const data::ReadingNote& note : notes) {
    const QString sentence = QString::fromStdString(note.sentence);
    if (note.field.empty())
      lines << sentence + QLatin1Char('.');
    else if (note.value == "true")
      lines << DataSummary::tr("%1. The field “%2” %3.")
                   .arg(sentence, fieldWord(note.field), QString::fromStdString(note.otherwise));
    else
      lines << DataSummary::tr("%1. The field “%2” with “%3” %4.")
                   .arg(sentence, fieldWord(note.field), QString::fromStdString(note.value),
                        QString::fromStdString(note.otherwise));
  }
  return lines.join(QLatin1Char('\n'));
}

/// The accuracy of always answering the largest training class; empty if answers are sequences.
QString guessText(const data::Task& task, const data::TaskStatistics& statistics) {
  const std::vector<std::int64_t>& classes = statistics.training.classes;
  if (classes.empty()) return {};
  const auto largest = std::max_element(classes.begin(), classes.end()) - classes.begin();
  const std::int64_t right = statistics.evaluation.classes[std::size_t(largest)];
  return DataSummary::tr("Always answering “%1” is right for %2 of the held-out examples.")
      .arg(QString::fromStdString(task.targetVocabulary().tokens()[std::size_t(largest)]),
           roundPercent(shareText(right, statistics.evaluation.examples)));
}

/// The samples as rich text: "hello → <b>uryyb</b>", or the class and its text.
QString samplesText(const data::Task& task, const std::vector<data::Sample>& samples) {
  std::vector<data::Sample> ordered = samples;
  if (task.form() == data::TaskForm::Classes)
    std::ranges::stable_sort(ordered, {}, &data::Sample::target);
  QStringList lines;
  for (const data::Sample& sample : ordered)
    lines += QStringLiteral("<div style='margin-top: 3px'>%1</div>")
                 .arg(sampleText(task.form(), sample));
  return lines.join(QString());
}

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

}  // namespace

DataSummary::DataSummary(const Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      amount_(wrappedLabel("muted")),
      assumed_(wrappedLabel("muted")),
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
  assumed_->setAccessibleName(tr("How the file is read"));
  assumed_->setTextFormat(Qt::PlainText);
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
  facts->add(assumed_);
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
  setOrHide(*assumed_, assumedText(task.notes()));
  const DataNotice notice = dataNotice(task, statistics);
  setOrHide(*notice_, notice.text);
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
  assumed_->hide();
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
      rows[i].numbers << QString::number(side.counts[i])
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
