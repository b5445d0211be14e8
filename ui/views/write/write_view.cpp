// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/write/write_view.h"

#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <algorithm>

#include "ui/document/model_document.h"
#include "ui/style/style.h"
#include "ui/views/write/beam_panel.h"
#include "ui/views/write/next_token.h"
#include "ui/views/write/sampling_sliders.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/prompt_field.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/side_zone.h"
#include "ui/widgets/token_line.h"

namespace tfm::ui {
namespace {

constexpr int kRevealMilliseconds = 45;      // per token, about reading speed
constexpr int kLookAgainMilliseconds = 400;  // during training, which changes what would come next
constexpr int kUsualLength = 300, kPaneLength = 150, kMaxLength = 100'000;
constexpr qint64 kBetweenTexts = 2000;     // milliseconds at least, during training
constexpr qint64 kTrainingShare = 19;      // times longer than writing, which it waits for
constexpr double kAside = 330;             // width at scale 1
constexpr double kAsideHeight = 350;       // of a pane, with bars beside the text
constexpr double kPace = 600, kOne = 400;  // widths of a pane, with these controls

enum Pace { kTokenByToken, kAtOnce };

}  // namespace

WriteView::WriteView(Style& style, ModelDocument& document, Form form, QWidget* parent)
    : View(document.observing(), parent),
      style_(style),
      document_(document),
      form_(form),
      answers_(form == Form::Screen ? document.answers() : document.liveAnswers()),
      panel_(new Panel(style)),
      // In a pane, the whole of it is read in the text below.
      input_(new PromptField(tr("Say something"), form == Form::Pane ? 1 : 6)),
      write_(pushButton(tr("Write"), tr("Continue the text above (Return in it)"), "primary")),
      one_(pushButton(tr("One token"), tr("Continue by one token"))),
      stop_(pushButton(tr("Stop"), tr("Stop writing; the text so far stays"))),
      pace_(new Segmented(style, {tr("Token by token"), tr("At once")})),
      length_(numberBox(style, tr("Tokens to write"), 1, kMaxLength, kUsualLength)),
      length_name_(new QLabel(tr("tokens"))),
      state_(new QLabel),
      problem_(wrappedLabel("bad")),
      tools_(makeTools()),
      text_(new TokenLine(style, TokenLine::Look::Prose)),
      scroll_(new QScrollArea),
      aside_(new QWidget),
      next_(new NextToken(style)),
      next_section_(new Section(style, tr("Next token"))),
      beams_(new BeamPanel(style, document)),
      beam_section_(new Section(style, tr("Best answers"))) {
  panel_->setBody(makeBody());
  if (form_ == Form::Pane) panel_->addTool(state_);  // beside the title: lines are scarce
  panel_->setFigure(text_);
  panel_->setExplanation(
      tr("The text you typed is plain. The background of each token that the model adds shows the "
         "probability it gave it (cividis, 0 to 1), whatever the temperature.\n\nHover a token, or "
         "use the arrow keys, to see what it was chosen from; a click locks it, Esc unlocks it. "
         "The **temperature** divides the logits before softmax; **top-k** and **top-p** leave out "
         "the less probable tokens. Changes affect the bars at once, and the text with the next "
         "*Write*."));
  text_->setTitle(tr("What the model writes"));
  next_section_->add(next_);
  next_section_->setFigure(&next_->bars());
  auto* zone = new SideZone(style, 290);
  beam_section_->add(beams_);
  beam_section_->setFigure(&beams_->beams());
  zone->add(next_section_);
  zone->add(beam_section_);
  setSides(zone);
  addParts(new QVBoxLayout(this), {panel_});
  reveal_.setInterval(kRevealMilliseconds);
  look_again_.setInterval(kLookAgainMilliseconds);
  write_again_.setSingleShot(true);
  if (form_ == Form::Pane) length_->setValue(kPaneLength);
  connectAll();
  updateSizes();
  showModel();
}

QWidget* WriteView::makeTools() {
  auto* tools = new QWidget;
  setRole(*state_, "muted");
  pace_->setAccessibleName(tr("Display speed"));
  length_name_->setBuddy(length_);
  tools->setLayout(rowOf(style_, 8, {write_, one_, stop_, length_, length_name_, pace_, kStretch}));
  return tools;
}

QWidget* WriteView::makeBody() {
  auto* name = new QLabel(tr("Say something"));
  setRole(*name, "muted");
  name->setBuddy(input_);
  input_->setToolTip(tr("The text that the model continues (Shift+Return begins a new line)"));
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);  // so that lines never rewrap
  scroll_->setWidgetResizable(true);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setWidget(text_);
  aside_->setLayout(columnOf({}));
  aside_->hide();
  auto* body = new QWidget;
  body->setLayout(columnOf(style_, 10,
                           {rowOf({{name, 0, Qt::AlignTop}, {input_, 1}}),
                            problem_,
                            tools_,
                            state_,
                            {rowOf({{scroll_, 1}, aside_}), 1}}));
  return body;
}

void WriteView::connectAll() {
  connect(input_, &PromptField::textEdited, this, [this](const QString& text) {
    if (document_.isOpen()) document_.observing().setQuestion(text);
  });
  connect(input_, &PromptField::returnPressed, this, [this] {
    text_->setFocus();  // keys are commands again
    if (document_.isOpen() && writesText()) write();
  });
  connect(write_, &QPushButton::clicked, this, &WriteView::write);
  connect(one_, &QPushButton::clicked, this, &WriteView::writeOne);
  connect(stop_, &QPushButton::clicked, this, &WriteView::stop);
  connect(&reveal_, &QTimer::timeout, this, &WriteView::reveal);
  connect(&look_again_, &QTimer::timeout, this, &WriteView::lookAgain);
  connect(pace_, &Segmented::currentChanged, this, &WriteView::reveal);
  connect(text_, &TokenLine::hovered, this, &WriteView::showChoice);
  connect(text_, &TokenLine::currentChanged, this, [this](int token) {
    if (token >= 0)
      scroll_->ensureVisible(text_->tokenRect(token).center().x(),
                             text_->tokenRect(token).center().y());
    showChoice();
    writeAgain();
  });
  QScrollBar* bar = scroll_->verticalScrollBar();
  connect(bar, &QScrollBar::rangeChanged, this, [this, bar](int, int most) {
    if (follows_) bar->setValue(most);
  });
  // A user who scrolls back wants to read there.
  connect(bar, &QScrollBar::actionTriggered, this,
          [this, bar] { follows_ = bar->sliderPosition() >= bar->maximum(); });
  connect(&document_, &ModelDocument::replaced, this, &WriteView::showModel);
  connect(&document_.moments(), &Moments::shapeChanged, this, &WriteView::showState);
  connect(&document_.observing(), &Observing::questionChanged, this, &WriteView::showQuestion);
  connect(&document_.observing(), &Observing::snapshotChanged, this, &WriteView::showLiveAnswer);
  connect(&write_again_, &QTimer::timeout, this, &WriteView::writeAgain);
  connect(&document_.moments(), &Moments::momentChanged, this, &WriteView::modelChanged);
  connect(&document_.interventions(), &Interventions::changed, this, &WriteView::modelChanged);
  connect(&document_.training(), &Training::rewound, this, &WriteView::modelChanged);
  connect(&document_.training(), &Training::measured, this, [this] {
    if (!document_.moments().showsNow()) return;
    outdated_ = true;
    writeAgain();
  });
  connect(&document_.training(), &Training::runningChanged, this, [this](bool running) {
    running ? look_again_.start() : look_again_.stop();
    if (!running) since_written_.invalidate();  // writing now costs no training
    lookAgain();
    writeAgain();
  });
  connect(&answers_, &Answers::answering, this, &WriteView::take);
  connect(&answers_, &Answers::failed, this, [this](const Error& problem) {
    if (asked_ == Asked::Nothing) return;
    end();
    problem_->setText(QString::fromStdString(problem.what()));
    problem_->show();
  });
  connect(&style_, &Style::changed, this, &WriteView::updateSizes);
}

bool WriteView::writesText() const { return document_.codec().form() == data::TaskForm::Text; }

void WriteView::showModel() {
  setEnabled(document_.isOpen());
  if (!document_.isOpen()) return;
  tools_->setVisible(writesText());
  state_->setVisible(writesText());
  beam_section_->setVisible(BeamPanel::apply(document_));
  panel_->setTitle(writesText() ? tr("What it writes") : tr("What it answers"));
  showSentence();
  showQuestion();
  updateNeed();
}

void WriteView::showQuestion() {
  if (!document_.isOpen()) return;
  if (input_->text() != document_.observing().question())
    input_->setText(document_.observing().question());
  const std::optional<Error> problem = document_.observing().questionProblem();
  setOrHide(*problem_, problem ? QString::fromStdString(problem->what()) : QString());
  input_->setAccessibleDescription(problem_->text());
  if (asked_ != Asked::Nothing) answers_.forget();
  asked_ = Asked::Nothing;
  arriving_ = false;
  forgetText();
  look();
  modelChanged();
}

void WriteView::forgetText() {
  answer_ = {};
  shown_ = known_ = 0;
  wanted_ = 0;
  reveal_.stop();
  follows_ = true;
  text_->setCurrent(-1);
  showText();
  showState();
}

void WriteView::look() {
  if (form_ == Form::Screen && isVisible() && writesText() &&
      !document_.observing().questionProblem())
    ask(Asked::Look, 1);
}

void WriteView::lookAgain() {
  if (asked_ == Asked::Nothing && answer_.tokens.empty() && document_.isOpen()) look();
}

void WriteView::modelChanged() {
  lookAgain();
  outdated_ = true;
  since_written_.invalidate();
  writeAgain();
}

void WriteView::writeAgain() {
  if (form_ == Form::Screen || !outdated_ || asked_ != Asked::Nothing || !isVisible()) return;
  if (!document_.isOpen() || !writesText() || document_.observing().questionProblem()) return;
  if (text_->current() >= 0) return;  // its choice is being read
  const qint64 wait = since_written_.isValid()
                          ? std::max(kBetweenTexts, kTrainingShare * writing_milliseconds_) -
                                since_written_.elapsed()
                          : 0;
  if (wait > 0) return write_again_.start(int(wait));
  ask(Asked::Again, length_->value());
}

void WriteView::write() {
  if (!document_.isOpen() || !writesText() || document_.observing().questionProblem()) return;
  ++seed_;  // another text each time
  forgetText();
  ask(Asked::Text, length_->value());
}

void WriteView::writeOne() {
  if (!document_.isOpen() || !writesText() || document_.observing().questionProblem()) return;
  if (asked_ == Asked::Text) stop();
  ask(Asked::Text, 1);
}

void WriteView::ask(Asked asked, std::int64_t tokens) {
  const bool again = asked == Asked::Again;
  asked_ = asked;
  arriving_ = !again;
  known_ = again ? 0 : answer_.tokens.size();
  if (asked != Asked::Look) outdated_ = false;
  since_asked_.start();
  SamplingOptions options = next_->sliders().options();
  options.max_tokens = tokens;
  options.seed = seed_;
  options.keep_logits = true;
  data::Ids before;
  for (std::size_t i = 0; i < known_; ++i) before.push_back(answer_.tokens[i].id);
  if (asked == Asked::Text) {
    wanted_ = std::int64_t(known_) + tokens;
    reveal_.start();
  }
  answers_.ask(document_.observing().question(), options, before);
  showState();
}

void WriteView::take(const train::AnsweredQuestion& part, bool finished) {
  if (asked_ == Asked::Nothing) return;
  if (finished) writing_milliseconds_ = since_asked_.elapsed();
  if (asked_ == Asked::Again) {  // the previous text is read meanwhile
    if (!finished) return;
    follows_ = false;
    answer_ = part;
    shown_ = answer_.tokens.size();
    return end();
  }
  answer_.step = part.step;
  answer_.logits.resize(known_);  // the model now knows better what would follow
  answer_.logits.insert(answer_.logits.end(), part.logits.begin(), part.logits.end());
  if (asked_ == Asked::Look) {
    // One token was drawn only to show what it would be drawn from.
    answer_.logits.resize(std::min<std::size_t>(answer_.logits.size(), 1));
    arriving_ = false;
    asked_ = Asked::Nothing;
    showState();
    return showChoice();
  }
  answer_.tokens.resize(known_);
  answer_.tokens.insert(answer_.tokens.end(), part.tokens.begin(), part.tokens.end());
  arriving_ = !finished;
  if (finished) wanted_ = std::int64_t(answer_.tokens.size());
  if (pace_->current() == kAtOnce || finished) reveal();
}

void WriteView::reveal() {
  if (asked_ != Asked::Text) return;
  const bool all = pace_->current() == kAtOnce || !style_.motion();
  shown_ = all ? answer_.tokens.size() : std::min(shown_ + 1, answer_.tokens.size());
  if (!arriving_ && shown_ == answer_.tokens.size()) return end();
  showText();
  showState();
}

void WriteView::stop() {
  if (asked_ != Asked::Text) return;
  answers_.stop();
  answer_.tokens.resize(shown_);
  answer_.logits.resize(std::min(answer_.logits.size(), shown_ + 1));
  end();
}

void WriteView::end() {
  asked_ = Asked::Nothing;
  arriving_ = false;
  reveal_.stop();
  since_written_.start();
  showText();
  showState();
  writeAgain();
}

void WriteView::showSentence() {
  // Lines are scarce on a projector and in a pane.
  panel_->setSentence(form_ == Form::Screen && aside_->isHidden()
                          ? tr("Dark blue tokens were guesses, bright yellow ones "
                               "certain. Hover one to see what it was chosen from.")
                          : QString());
}

void WriteView::inspectorShown(bool shown) {
  const bool alone = !shown;
  alone ? aside_->layout()->addWidget(next_) : next_section_->add(next_);
  next_->setCompact(alone);
  showAside();
  showSentence();
}

void WriteView::showAside() {
  constexpr double kText = 300;  // too narrow for a text
  const bool alone = aside_->isAncestorOf(next_);
  const bool high = form_ == Form::Screen || height() >= style_.px(kAsideHeight);
  aside_->setVisible(alone && high && width() >= style_.px(kAside + kText));
  if (form_ == Form::Screen) return;
  pace_->setVisible(width() >= style_.px(kPace));
  one_->setVisible(width() >= style_.px(kOne));
}

void WriteView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showAside();
}

Need WriteView::need() const {
  const bool answers = document_.isOpen() && !writesText();
  return {.answer = answers, .logits = answers};
}

void WriteView::shown() {
  if (!document_.isOpen()) return;
  showLiveAnswer();
  lookAgain();
  writeAgain();
}

QSize WriteView::minimumSizeHint() const {
  return {style_.px(300), style_.px(form_ == Form::Screen ? 300 : 220)};
}

void WriteView::updateSizes() {
  if (form_ == Form::Screen)
    layout()->setContentsMargins(style_.px(18), style_.px(16), style_.px(18), style_.px(12));
  else
    layout()->setContentsMargins(0, 0, 0, 0);
  aside_->setFixedWidth(style_.px(kAside));
  input_->setStyleSheet(QStringLiteral("font-size: %1px").arg(style_.px(15)));
  showAside();
}

}  // namespace tfm::ui
