// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/train_view.h"

#include <QBoxLayout>
#include <algorithm>

#include "ui/document/model_document.h"
#include "ui/style/style.h"
#include "ui/views/train/learning_curves.h"
#include "ui/views/train/sample_stream.h"
#include "ui/views/train/train_inspector.h"
#include "ui/widgets/field_text.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"

namespace tfm::ui {
namespace {

constexpr int kSampleMilliseconds = 400;
// Lengths at scale 1.
constexpr double kCalm = 560;    // with less height, only the pictures are shown
constexpr double kBeside = 720;  // width for curves and samples side by side
constexpr double kWidestSamples = 484;
constexpr double kSamplesShare = 0.36, kTextShare = 0.46;

bool isText(const ModelDocument& document) {
  return document.codec().form() == data::TaskForm::Text;
}

}  // namespace

TrainView::TrainView(Style& style, ModelDocument& document, QWidget* parent)
    : View(document.observing(), parent),
      style_(style),
      document_(document),
      stream_(new SampleStream(style)),
      inspector_(
          new TrainInspector(style, document.training(), document.moments(), document.observing())),
      curves_(new LearningCurves(style, document)),
      samples_(makeSamples()),
      panels_(addParts(new QVBoxLayout(this), {{curves_, 1}, {samples_, 1}})) {
  setSides(inspector_);
  showPane();

  connect(&document_, &ModelDocument::replaced, this, &TrainView::showModel);
  connect(&document_.training(), &Training::rewound, this,
          [this] { stream_->rewindTo(document_.training().step()); });
  connect(&document_.observing(), &Observing::snapshotChanged, this, &TrainView::showSamples);
  // An answer that came too soon after the previous line is added once nothing follows.
  connect(&document_.training(), &Training::runningChanged, this, &TrainView::showSamples);
  connect(&document_.moments(), &Moments::momentChanged, this, &TrainView::showMoment);
  connect(&document_.training(), &Training::configChanged, this, &TrainView::flagChange);
  style_.follow(this, [this] { updateSizes(); });
  if (document_.isOpen()) showModel();
  keepAs(
      [this] {
        return TrainShown{curves_->loss().logarithmic(), curves_->smoothing()};
      },
      [this](const TrainShown& state) {
        curves_->loss().setLogarithmic(state.logarithmic);
        curves_->setSmoothing(int(state.smoothing));
      });
}

std::vector<io::Field> fieldsOf(TrainShown& s) {
  return {{"logarithmic", "The axis of the loss", io::SwitchSlot{&s.logarithmic}},
          {"smoothing", "Of the curves, in percent", io::IntegerSlot{&s.smoothing, 0, 99}}};
}

void TrainView::explain() {
  curves_->setExplanation(
      tr("The **loss** is the cross-entropy per counted position in nats: 0 is perfect, the "
         "logarithm of the vocabulary size is guessing; for a regression, the mean squared error. "
         "The "
         "**accuracy** below counts answers that "
         "are right from the first character to the end token; for language models, single "
         "characters; for hidden tokens, each of them; for classification, right classes.\n\n"
         "Drag a rectangle or turn the wheel to zoom, Shift-drag to move, double-click or press 0 "
         "to see everything again; L switches the loss between linear and logarithmic. Both plots "
         "share zoom and cursor. Dashed lines mark changed settings."),
      {{&curves_->loss(), tr("Loss"), tr("How wrong the model is, step by step.")},
       {&curves_->accuracy(), tr("Accuracy"), tr("How many of its answers are right.")},
       showsText()
           ? ExplainedPart{text_pane_, tr("What it writes"), tr("A text, written as it learns.")}
           : ExplainedPart{stream_, tr("What it answers"),
                           tr("Held-out questions, answered while it learns.")},
       {inspector_, tr("Learning rate and gradient"),
        tr("The size of a step, and the gradient that it follows.")}});
}

Panel* TrainView::makeSamples() {
  auto* panel = new Panel(style_);
  panel->setTitle(tr("What it answers"));
  panel->setExplanation(
      tr("Every line is a held-out question, answered greedily with the weights of the given step. "
         "The colour of a token is the probability the model gave it, on cividis from 0 to 1. · is "
         "the end token. A check marks answers that are right at every position."));
  stream_->setTitle(tr("Answers during training"));
  panel->setBody(stream_);
  panel->setFigure(stream_);
  return panel;
}

void TrainView::setTextPane(QWidget* pane) {
  text_pane_ = pane;
  panels_->addWidget(pane, 1);
  showPane();
}

bool TrainView::showsText() const {
  return text_pane_ != nullptr && document_.isOpen() && isText(document_);
}

void TrainView::showPane() {
  if (text_pane_ != nullptr) text_pane_->setVisible(showsText());
  samples_->setVisible(!showsText());
  explain();
  arrange();
  updateNeed();
}

void TrainView::showModel() {
  showPane();
  training_ = document_.training().config();
  stream_->clear();
  next_sample_ = 0;
  showMoment();
}

void TrainView::showSamples() {
  if (!isVisible() || !document_.observing().snapshot()) return;
  const train::Snapshot& snapshot = *document_.observing().snapshot();
  const auto count = document_.observing().samples().size();
  if (snapshot.samples.size() < count || count == 0) return;
  if (!document_.moments().showsNow()) {
    if (snapshot.step != document_.moments().shownStep()) return;  // another snapshot follows
    std::deque<SampleLine> lines;
    for (std::size_t i = 0; i < count; ++i)
      if (auto line = answerTo(i)) lines.push_back(std::move(*line));
    return stream_->showMoment(std::move(lines));
  }
  if (snapshot.step > document_.training().step()) return;  // of the previous run
  if (stream_->lines().empty()) {
    for (std::size_t i = count; i-- > 0;) addSample(i);
  } else if (snapshot.step > stream_->lines().front().step &&  // else it is still of a past moment
             (!document_.training().isRunning() ||
              since_sample_.elapsed() >= kSampleMilliseconds)) {
    addSample(next_sample_);
    next_sample_ = (next_sample_ + 1) % count;
  } else {
    return;
  }
  since_sample_.start();
}

void TrainView::showMoment() {
  const bool now = document_.moments().showsNow();
  const std::int64_t step = document_.moments().shownStep();
  samples_->setTitle(now ? tr("What it answers") : tr("What step %1 answers").arg(step));
  showSentences();
  // Shows nothing until the moment's snapshot arrives: the present's answers would be wrong.
  if (now)
    stream_->showMoment(std::nullopt);
  else if (stream_->lines().empty() || stream_->lines().front().step != step)
    stream_->showMoment(std::deque<SampleLine>{});
  showSamples();
}

std::optional<SampleLine> TrainView::answerTo(std::size_t index) const {
  const train::Snapshot& snapshot = *document_.observing().snapshot();
  const data::Sample& sample = document_.observing().samples()[index];
  const auto asked = [&](const train::AnsweredQuestion& a) { return a.question == sample.source; };
  const auto found = std::find_if(snapshot.samples.begin(), snapshot.samples.end(), asked);
  if (found == snapshot.samples.end()) return std::nullopt;
  SampleLine line;
  line.step = snapshot.step;
  line.question = QString::fromStdString(sample.source);
  for (const train::AnswerToken& token : found->tokens)
    line.answer.push_back({QString::fromStdString(token.text), double(token.probability)});
  // Numbers are answered as a whole, with no probability.
  if (line.answer.empty() && !found->answer.empty())
    line.answer.push_back({QString::fromStdString(found->answer), std::nan("")});
  // A text has many continuations, none of which is the right one.
  if (!isText(document_)) line.target = QString::fromStdString(sample.target);
  line.right = found->answer == sample.target;
  return line;
}

void TrainView::addSample(std::size_t index) {
  if (auto line = answerTo(index)) stream_->add(std::move(*line));
}

void TrainView::flagChange() {
  train::TrainConfig before = training_, now = document_.training().config();
  training_ = now;
  if (document_.training().step() == 0) return;
  const std::vector<io::Field> old = train::trainFields(before), fresh = train::trainFields(now);
  QStringList changes;
  for (std::size_t i = 0; i < fresh.size(); ++i)
    if (fieldValue(old[i]) != fieldValue(fresh[i]))
      changes +=
          tr("%1 %2 → %3").arg(fieldWord(fresh[i].name), fieldValue(old[i]), fieldValue(fresh[i]));
  if (changes.isEmpty()) return;
  const bool rate = now.schedule != before.schedule;
  document_.training().note(rate ? train::EventKind::LearningRate : train::EventKind::Note,
                            changes.join(", "));
}

Need TrainView::need() const { return {.norms = inspector_->isVisible(), .samples = !showsText()}; }

void TrainView::updateSizes() {
  panels_->setContentsMargins(style_.px(18), style_.px(16), style_.px(18), style_.px(12));
  panels_->setSpacing(style_.px(16));
  arrange();
  updateGeometry();
}

QSize TrainView::minimumSizeHint() const {
  // Side by side, curves and answers need less height.
  const bool beside = width() >= style_.px(kBeside);
  return {style_.px(300), style_.px(beside ? 270 : showsText() ? 384 : 346)};
}

void TrainView::arrange() {
  const bool low = height() < style_.px(kCalm);
  const bool beside = low && width() >= style_.px(kBeside);
  panels_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  QWidget* below = showsText() ? text_pane_ : samples_;
  panels_->setStretchFactor(below, beside ? 3 : 1);
  below->setMaximumWidth(beside ? style_.px(kWidestSamples) : QWIDGETSIZE_MAX);
  curves_->setRoom(width() - (beside ? style_.px(kWidestSamples) : 0));
  // Side by side, both are as high as the view; one below the other, the curves have priority and
  // the answers fill the rest.
  const double wanted = showsText() ? kTextShare : kSamplesShare;
  const int share = std::max(below->minimumSizeHint().height(), int(wanted * height()));
  below->setMaximumHeight(beside ? QWIDGETSIZE_MAX : share);
  below->setMinimumHeight(showsText() && !low ? share : 0);
  showSentences();
}

void TrainView::showSentences() {
  const bool low = height() < style_.px(kCalm);
  const bool held_out = !document_.isOpen() || document_.hasHeldOutExamples();
  curves_->setSentence(low ? QString()
                           : tr("Thin: every training step; thick: their moving average; %1")
                                 .arg(held_out ? tr("held-out examples were never trained on.")
                                               : tr("the questions asked here are the ones it "
                                                    "learns, since no rule predicts others.")));
  const QString colours = tr("dark blue tokens are guesses, bright yellow ones certain.");
  const bool now = !document_.isOpen() || document_.moments().showsNow();
  samples_->setSentence(
      low        ? QString()
      : !now     ? tr("All of the shown moment: %1").arg(colours)
      : held_out ? tr("Questions it never trained on, answered as it learns: %1").arg(colours)
                 : tr("What it should remember, asked as it learns: %1").arg(colours));
}

void TrainView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

}  // namespace tfm::ui
