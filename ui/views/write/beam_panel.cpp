// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/write/beam_panel.h"

#include <algorithm>
#include <cmath>

#include "ui/document/model_document.h"
#include "ui/style/style.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

constexpr std::int64_t kBeams = 4;
constexpr int kSearchAgainMilliseconds = 400;    // during training
constexpr double kBeamRow = 20, kBeamHead = 50;  // heights at scale 1

enum Decoding { kGreedy, kBeamSearch };

QString scoreText(double value) { return QString::number(value, 'f', 2); }

bool sameTokens(const train::BeamAnswer& a, const train::BeamAnswer& b) {
  return std::ranges::equal(a.tokens, b.tokens, {}, &train::AnswerToken::id,
                            &train::AnswerToken::id);
}

/// What is exported, without rows.
DataTable emptyTable() {
  return {{BeamPanel::tr("answer"), BeamPanel::tr("score"), BeamPanel::tr("log p"),
           BeamPanel::tr("probability")},
          {}};
}

/// An answer in a list; one that was cut at the limit goes on.
QString wholeAnswer(const train::BeamAnswer& beam) {
  return QString::fromStdString(beam.answer) + (beam.ended ? QString() : QStringLiteral(" …"));
}

}  // namespace

BeamPanel::BeamPanel(Style& style, ModelDocument& document, QWidget* parent)
    : QWidget(parent),
      style_(style),
      document_(document),
      choice_(new Segmented(style, {tr("Greedy"), tr("Beam %1").arg(kBeams)})),
      beams_(new BarList(style)),
      words_(wrappedLabel("muted")) {
  choice_->setAccessibleName(tr("Decoding"));
  choice_->setChoiceToolTip(kGreedy, tr("Choose the most probable token each time"));
  choice_->setChoiceToolTip(kBeamSearch, tr("Follow the best %1 answers at a time").arg(kBeams));
  beams_->setTitle(tr("Best answers"));
  beams_->setDecimals(std::nullopt);
  beams_->setLimit(1.0);
  beams_->setColumns({tr("score"), tr("log p")});
  setLayout(columnOf(style, 10, {choice_, beams_, words_}));
  again_.setInterval(kSearchAgainMilliseconds);
  connect(&again_, &QTimer::timeout, this, &BeamPanel::searchAgain);
  connect(choice_, &Segmented::currentChanged, this, &BeamPanel::search);
  connect(&document_, &ModelDocument::replaced, this, &BeamPanel::search);
  connect(&document_.observing(), &Observing::questionChanged, this, &BeamPanel::search);
  connect(&document_.moments(), &Moments::momentChanged, this, &BeamPanel::search);
  connect(&document_.interventions(), &Interventions::changed, this, &BeamPanel::search);
  connect(&document_.training(), &Training::rewound, this, &BeamPanel::search);
  connect(&document_.training(), &Training::runningChanged, this, [this](bool running) {
    running ? again_.start() : again_.stop();
    search();
  });
  connect(&document_.answers(), &Answers::found, this, &BeamPanel::take);
  connect(&document_.answers(), &Answers::failed, this, [this](const Error& problem) {
    if (searching_) clear(QString::fromStdString(problem.what()));
  });
  style_.follow(
      this, [this] { beams_->setMinimumHeight(style_.px(kBeamHead + kBeamRow * double(kBeams))); });
  search();
}

bool BeamPanel::apply(const ModelDocument& document) {
  if (!document.isOpen() || document.codec().form() == data::TaskForm::Text) return false;
  const data::Framing framing = document.framing();
  return framing == data::Framing::Seq2Seq || framing == data::Framing::NextToken;
}

bool BeamPanel::wanted() const {
  return isVisible() && choice_->current() == kBeamSearch && apply(document_);
}

void BeamPanel::search() {
  if (searching_) document_.answers().forget();
  searching_ = false;
  beams_->setVisible(choice_->current() == kBeamSearch);
  if (!wanted())
    return clear(
        tr("Greedy decoding chooses the most probable token each time. A beam search "
           "may find a more probable answer."));
  if (document_.observing().questionProblem()) return clear({});
  searching_ = true;
  BeamOptions options;
  options.beams = kBeams;
  document_.answers().search(document_.observing().question(), options);
}

void BeamPanel::searchAgain() {
  if (!searching_ && wanted()) search();
}

void BeamPanel::take(const FoundBeams& found) {
  if (!searching_) return;
  searching_ = false;
  std::vector<BarRow> rows;
  DataTable data = emptyTable();
  int greedy = -1;
  for (const train::BeamAnswer& beam : found.beams) {
    const double probability = std::exp(beam.log_probability);
    if (sameTokens(beam, found.greedy)) greedy = int(rows.size());
    rows.push_back({wholeAnswer(beam),
                    probability,
                    {},
                    {scoreText(beam.score), scoreText(beam.log_probability)}});
    data.rows.push_back({QString::fromStdString(beam.answer), fullPrecision(beam.score),
                         fullPrecision(beam.log_probability), fullPrecision(probability)});
  }
  beams_->setHeading(tr("score = log p / ((5 + tokens) / 6)^%1").arg(found.options.length_penalty));
  beams_->setRows(std::move(rows));
  beams_->setData(std::move(data));
  beams_->setChosen(greedy);
  const QString best = wholeAnswer(found.beams.front());
  words_->setText(
      greedy == 0 ? tr("“%1” is the best answer found, and greedy decoding finds it, too. Bars are "
                       "the probabilities of whole answers.")
                        .arg(best)
                  : tr("“%1” is the best answer found. Greedy decoding writes “%2”, score %3. Bars "
                       "are the probabilities of whole answers.")
                        .arg(best, wholeAnswer(found.greedy), scoreText(found.greedy.score)));
}

void BeamPanel::clear(const QString& words) {
  searching_ = false;
  beams_->setRows({});
  beams_->setData(emptyTable());
  beams_->setChosen(-1);
  words_->setText(words);
}

void BeamPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  search();
}

void BeamPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  search();
}

}  // namespace tfm::ui
