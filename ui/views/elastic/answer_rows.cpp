// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/answer_rows.h"

#include <QGridLayout>
#include <QLineEdit>
#include <QStackedWidget>
#include <algorithm>
#include <cmath>

#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

constexpr int kAnswer = 1;
constexpr double kAnswerWidth = 420.0;  // longer answers are cut off

double probabilityOf(const train::AnsweredQuestion& answer) {
  double product = 1.0;
  for (const train::AnswerToken& token : answer.tokens) product *= double(token.probability);
  return product;
}

/// Per character: the probability of a whole text is meaningless, as it falls with every character.
QString probabilityText(const train::AnsweredQuestion& answer, bool goes_on) {
  if (!goes_on) return fixedNumber(probabilityOf(answer), 3);
  double logs = 0.0;
  for (const train::AnswerToken& token : answer.tokens) logs += std::log(double(token.probability));
  const double mean = std::exp(logs / double(std::max<std::size_t>(1, answer.tokens.size())));
  return AnswerRows::tr("%1 per character").arg(fixedNumber(mean, 3));
}

/// Reports the height of its pages without wrapped text, which would make the scroll area use
/// everything's preferred height.
class Pages : public QStackedWidget {
 public:
  bool hasHeightForWidth() const override { return false; }
};

}  // namespace

AnswerRows::AnswerRows(const Style& style, QWidget* parent)
    : QFrame(parent),
      style_(style),
      question_(new QLineEdit),
      pages_(new Pages),
      problem_(wrappedLabel("bad")),
      grid_(bareLayout<QGridLayout>()) {
  setRole(*this, "card");
  auto* name = new QLabel(tr("The same input, answered by all:"));
  name->setBuddy(question_);
  question_->setAccessibleName(tr("Input for all submodels"));
  problem_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  problem_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
  grid_->setHorizontalSpacing(style_.px(14));
  grid_->setVerticalSpacing(style_.px(2));
  grid_->setColumnStretch(kColumns, 1);
  auto* rows = new QWidget;
  rows->setLayout(grid_);
  pages_->addWidget(rows);
  pages_->addWidget(problem_);
  setLayout(columnOf(style, 6, {rowOf({name, {question_, 1}}), pages_}));
  layout()->setContentsMargins(style.px(12), style.px(8), style.px(12), style.px(8));
  connect(question_, &QLineEdit::textEdited, this, &AnswerRows::asked);
}

void AnswerRows::setQuestion(const QString& question) {
  if (question_->hasFocus() || question_->text() == question) return;
  question_->setText(question);
  question_->setCursorPosition(0);
}

void AnswerRows::needRows(int count) {
  while (int(rows_.size()) < count) {
    std::vector<QLabel*> row;
    for (int column = 0; column < kColumns; ++column) {
      auto* label = new QLabel;
      grid_->addWidget(label, int(rows_.size()), column);
      row.push_back(label);
    }
    setRole(*row[0], "strong");
    setRole(*row[3], "muted");
    setRole(*row[kAnswer], "number");
    setRole(*row[2], "number");
    row[kAnswer]->setTextInteractionFlags(Qt::TextSelectableByMouse);
    rows_.push_back(std::move(row));
  }
}

void AnswerRows::showAnswers(const ElasticAnswers& answers, int whole) {
  problem_->setText(answers.problem ? QString::fromStdString(answers.problem->what()) : QString());
  pages_->setCurrentIndex(answers.problem ? 1 : 0);
  shown_ = int(answers.answers.size());
  // A width between the granularities takes an extra row, so that nothing moves when it comes and
  // goes.
  const int kept = std::max(shown_, whole + 2);
  needRows(kept);
  for (int i = 0; i < int(rows_.size()); ++i)
    for (QLabel* label : rows_[std::size_t(i)]) {
      label->setVisible(i < kept);
      if (i >= shown_) label->setText(QStringLiteral(" "));  // as high as the others
    }
  for (int i = 0; i < shown_; ++i) {
    const SubmodelAnswer& one = answers.answers[std::size_t(i)];
    auto& row = rows_[std::size_t(i)];
    const QString answer = QString::fromStdString(one.answer.answer);
    row[0]->setText(one.name);
    row[kAnswer]->setText(row[kAnswer]->fontMetrics().elidedText(
        answer.simplified(), Qt::ElideRight, style_.px(kAnswerWidth)));
    row[kAnswer]->setToolTip(answer);
    row[kAnswer]->setAccessibleName(tr("Answer of %1").arg(one.name));
    row[2]->setText(probabilityText(one.answer, answers.goes_on));
    row[2]->setToolTip(answers.goes_on ? tr("The geometric mean of its characters' probabilities")
                                       : tr("The probability of all tokens of this answer"));
    const bool is_whole = i == whole || whole < 0 || whole >= shown_;
    const bool same =
        !is_whole && one.answer.answer == answers.answers[std::size_t(whole)].answer.answer;
    row[3]->setText(is_whole ? tr("the whole model") : same ? tr("same") : tr("differs"));
    setRole(*row[3], is_whole ? "muted" : same ? "good" : "bad");
  }
}

QString AnswerRows::text(int row, int column) const {
  return rows_[std::size_t(row)][std::size_t(column)]->text();
}

}  // namespace tfm::ui
