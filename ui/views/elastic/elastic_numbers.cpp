// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/elastic_numbers.h"

#include <QGridLayout>

#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

using train::SubmodelScore;

constexpr double kLeastName = 52;  // of a number; longer names are cut in a narrow panel

struct Row {
  QString name;
  QString hint;
  QString (*text)(const SubmodelScore&);
};

std::array<Row, 8> makeRows(bool by_position) {
  return {{
      {accuracyText(by_position),
       by_position ? ElasticNumbers::tr("Share of right tokens")
                   : ElasticNumbers::tr("Share of right answers"),
       [](const SubmodelScore& s) { return percentText(s.accuracy()); }},
      {ElasticNumbers::tr("95 % interval"),
       ElasticNumbers::tr("Wilson's interval, from the number of answers"),
       [](const SubmodelScore& s) {
         const train::Interval i = train::wilsonInterval(s.answers);
         const QString high = i.high < 0.9995 ? fixedNumber(100.0 * i.high, 1) : QString("100");
         return fixedNumber(100.0 * i.low, 1) + QStringLiteral("–") + high;
       }},
      {ElasticNumbers::tr("loss"), ElasticNumbers::tr("Mean over counted positions, in nats"),
       [](const SubmodelScore& s) { return shortNumber(s.loss); }},
      {ElasticNumbers::tr("parameters"),
       ElasticNumbers::tr("Parameters used, including shared ones"),
       [](const SubmodelScore& s) { return QString::number(s.cost.parameters); }},
      {ElasticNumbers::tr("operations"),
       ElasticNumbers::tr("For one forward pass of the longest sequence"),
       [](const SubmodelScore& s) { return QString::number(s.cost.flops); }},
      {ElasticNumbers::tr("ms per example"),
       ElasticNumbers::tr("Measured on this computer, in batches, while other work may be running"),
       [](const SubmodelScore& s) { return shortNumber(s.milliseconds); }},
      {ElasticNumbers::tr("same as whole"),
       ElasticNumbers::tr("Agreement: share of positions where the most likely answer is the whole "
                          "model's, right or wrong"),
       [](const SubmodelScore& s) { return percentText(s.agreement); }},
      {ElasticNumbers::tr("KL divergence"),
       ElasticNumbers::tr(
           "Mean distance of its probabilities from the whole model's, in nats; 0 is equal"),
       [](const SubmodelScore& s) { return shortNumber(s.divergence); }},
  }};
}

const std::array<Row, 8>& rows(bool by_position) {
  static const std::array<Row, 8> of_answers = makeRows(false), of_positions = makeRows(true);
  return by_position ? of_positions : of_answers;
}

}  // namespace

ElasticNumbers::ElasticNumbers(const Style& style, QWidget* parent)
    : QWidget(parent), style_(style), name_(new QLabel), measured_(wrappedLabel("muted")) {
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(style_.px(10));
  grid->setVerticalSpacing(style_.px(3));
  grid->setColumnStretch(0, 1);
  auto* whole = new QLabel(tr("whole"));
  setRole(*name_, "strong");
  setRole(*whole, "muted");
  grid->addWidget(name_, 0, 1, Qt::AlignRight);
  grid->addWidget(whole, 0, 2, Qt::AlignRight);
  for (std::size_t row = 0; row < kRows; ++row) {
    auto* name = names_[row] = new ElidedLabel("muted", 1);
    grid->addWidget(name, int(row) + 1, 0);
    for (int col = 0; col < 2; ++col) {
      auto* number = new QLabel;
      number->setTextInteractionFlags(Qt::TextSelectableByMouse);
      number->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
      grid->addWidget(number, int(row) + 1, col + 1);
      numbers_[row][std::size_t(col)] = number;
    }
  }
  showNames(false);
  setLayout(columnOf(style, 4, {grid, measured_}));
  style_.follow(this, [this] {
    // Reserves space for all but the largest numbers, so that nothing moves while they change.
    const int room =
        QFontMetrics(style_.numberFont(12)).horizontalAdvance(QStringLiteral("00.0–00.0"));
    for (std::size_t row = 0; row < kRows; ++row) {
      names_[row]->setMinimumWidth(style_.px(kLeastName));
      for (QLabel* number : numbers_[row]) {
        number->setFont(
            style_.numberFont(row == 0 ? 15 : 12, row == 0 ? QFont::DemiBold : QFont::Normal));
        number->setMinimumWidth(room);
      }
    }
  });
}

void ElasticNumbers::showNames(bool by_position) {
  for (std::size_t row = 0; row < kRows; ++row) {
    const Row& r = rows(by_position)[row];
    names_[row]->setText(r.name);
    names_[row]->setToolTip(r.hint);
    numbers_[row][0]->setAccessibleName(r.name);
    numbers_[row][1]->setAccessibleName(tr("%1 of the whole").arg(r.name));
  }
}

void ElasticNumbers::showScores(const QString& choice, const TimedScore* score,
                                const TimedScore* whole) {
  const QFontMetrics metrics(name_->font());
  name_->setText(metrics.elidedText(choice, Qt::ElideRight, style_.px(110)));
  name_->setToolTip(choice);
  if (score != nullptr) showNames(score->score.answers.by_position);
  for (int col = 0; col < 2; ++col) {
    const TimedScore* shown = col == 0 ? score : whole;
    for (std::size_t row = 0; row < kRows; ++row)
      numbers_[row][std::size_t(col)]->setText(
          shown != nullptr ? rows(false)[row].text(shown->score) : QStringLiteral("–"));
  }
  measured_->setText(
      score == nullptr
          ? tr("measuring")
          : (held_out_ ? tr("%1 held-out examples%2, step %3") : tr("%1 examples%2, step %3"))
                .arg(QString::number(score->score.examples),
                     score->complete ? QString() : tr(" so far"), QString::number(score->step)));
}

QString ElasticNumbers::line(const QString& choice, const TimedScore* score) {
  if (score == nullptr) return {};
  QStringList parts;
  for (const Row& row : rows(score->score.answers.by_position))
    parts << row.name + ' ' + row.text(score->score);
  return choice + QStringLiteral(": ") + parts.join(QStringLiteral(" · "));
}

QString ElasticNumbers::text(int row, int column) const {
  return numbers_[std::size_t(row)][std::size_t(column)]->text();
}

}  // namespace tfm::ui
