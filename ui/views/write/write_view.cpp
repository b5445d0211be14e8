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

constexpr int kUsualLength = 300, kPaneLength = 150, kMaxLength = 100'000;
constexpr double kAside = 330;             // width at scale 1
constexpr double kAsideHeight = 350;       // of a pane, with bars beside the text
constexpr double kPace = 600, kOne = 400;  // widths of a pane, with these controls

enum Pace { kTokenByToken, kAtOnce };

}  // namespace

WriteView::Parts WriteView::makeParts(Style& style, ModelDocument& document, Form form) {
  return {
      // In a pane, the whole of it is read in the text below.
      .input = new PromptField(tr("Say something"), form == Form::Pane ? 1 : 6),
      .write = pushButton(tr("Write"), tr("Continue the text above (Return in it)"), "primary"),
      .one = pushButton(tr("One token"), tr("Continue by one token")),
      .stop = pushButton(tr("Stop"), tr("Stop writing; the text so far stays")),
      .pace = new Segmented(style, {tr("Token by token"), tr("At once")}),
      .length = numberBox(style, tr("Tokens to write"), 1, kMaxLength,
                          form == Form::Pane ? kPaneLength : kUsualLength),
      .state = new QLabel,
      .problem = wrappedLabel("bad"),
      .text = new TokenLine(style, TokenLine::Look::Prose),
      .scroll = new QScrollArea,
      .next = new NextToken(style),
      .beams = new BeamPanel(style, document),
  };
}

WriteView::WriteView(Style& style, ModelDocument& document, Form form, QWidget* parent)
    : View(document.observing(), parent),
      style_(style),
      document_(document),
      form_(form),
      parts_(makeParts(style, document, form)),
      writer_(document, form == Form::Pane ? Writer::Kind::KeepsUp : Writer::Kind::OnRequest,
              [this] {
                SamplingOptions options = parts_.next->sliders().options();
                options.max_tokens = parts_.length->value();
                return options;
              }),
      panel_(new Panel(style)),
      tools_(makeTools()),
      aside_(new QWidget),
      next_section_(new Section(style, tr("Next token"))),
      beam_section_(new Section(style, tr("Best answers"))) {
  panel_->setBody(makeBody());
  if (form_ == Form::Pane) panel_->addTool(parts_.state);  // beside the title: lines are scarce
  panel_->setFigure(parts_.text);
  panel_->setExplanation(
      tr("The text you typed is plain. The background of each token that the model adds shows the "
         "probability it gave it (cividis, 0 to 1), whatever the temperature.\n\nHover a token, or "
         "use the arrow keys, to see what it was chosen from; a click locks it, Esc unlocks it. "
         "The **temperature** divides the logits before softmax; **top-k** and **top-p** leave out "
         "the less probable tokens. Changes affect the bars at once, and the text with the next "
         "*Write*."));
  parts_.text->setTitle(tr("What the model writes"));
  next_section_->add(parts_.next);
  next_section_->setFigure(&parts_.next->bars());
  auto* zone = new SideZone(style, 240);
  beam_section_->add(parts_.beams);
  beam_section_->setFigure(&parts_.beams->beams());
  zone->add(next_section_);
  zone->add(beam_section_);
  setSides(zone);
  addParts(new QVBoxLayout(this), {panel_});
  connectParts();
  updateSizes();
  showModel();
  if (form_ == Form::Pane) return;
  const auto kept = [this] {
    SamplingSliders& sliders = parts_.next->sliders();
    return WriteShown{sliders.temperature().value(), sliders.topK().value(), sliders.topP().value(),
                      parts_.length->value(), parts_.pace->current() == 1};
  };
  keepAs(kept, [this](const WriteShown& state) {
    SamplingSliders& sliders = parts_.next->sliders();
    sliders.temperature().setValue(int(state.temperature));
    sliders.topK().setValue(int(state.top_k));
    sliders.topP().setValue(int(state.top_p));
    parts_.length->setValue(int(state.length));
    parts_.pace->setCurrent(int(state.at_once));
  });
}

std::vector<io::Field> fieldsOf(WriteShown& s) {
  constexpr std::int64_t kMost = 100'000;
  return {{"temperature", "Place of the slider", io::IntegerSlot{&s.temperature, 0, kMost}},
          {"top_k", "Place of the slider", io::IntegerSlot{&s.top_k, 0, kMost}},
          {"top_p", "Place of the slider", io::IntegerSlot{&s.top_p, 0, kMost}},
          {"length", "Tokens to write", io::IntegerSlot{&s.length, 1, kMost}},
          {"at_once", "Instead of token by token", io::SwitchSlot{&s.at_once}}};
}

QWidget* WriteView::makeTools() {
  auto* tools = new QWidget;
  setRole(*parts_.state, "muted");
  parts_.pace->setAccessibleName(tr("Display speed"));
  auto* name = new QLabel(tr("tokens"));
  name->setBuddy(parts_.length);
  tools->setLayout(
      rowOf(style_, 8,
            {parts_.write, parts_.one, parts_.stop, parts_.length, name, parts_.pace, kStretch}));
  return tools;
}

QWidget* WriteView::makeBody() {
  auto* name = new QLabel(tr("Say something"));
  setRole(*name, "muted");
  name->setBuddy(parts_.input);
  parts_.input->setToolTip(
      tr("The text that the model continues (Shift+Return begins a new line)"));
  parts_.scroll->setFrameShape(QFrame::NoFrame);
  parts_.scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  parts_.scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);  // so that lines never rewrap
  parts_.scroll->setWidgetResizable(true);
  parts_.scroll->setFocusPolicy(Qt::NoFocus);
  parts_.scroll->setWidget(parts_.text);
  aside_->setLayout(columnOf({}));
  aside_->hide();
  auto* body = new QWidget;
  body->setLayout(columnOf(style_, 10,
                           {rowOf({{name, 0, Qt::AlignTop}, {parts_.input, 1}}),
                            parts_.problem,
                            tools_,
                            parts_.state,
                            {rowOf({{parts_.scroll, 1}, aside_}), 1}}));
  return body;
}

void WriteView::connectParts() {
  const auto& [input, write, one, stop, pace, length, state, problem, text, scroll, next, beams] =
      parts_;
  connect(input, &PromptField::textEdited, this, [this](const QString& words) {
    if (document_.isOpen()) document_.observing().setQuestion(words);
  });
  connect(input, &PromptField::returnPressed, this, [this] {
    parts_.text->setFocus();  // keys are commands again
    writer_.write();
  });
  connect(write, &QPushButton::clicked, &writer_, &Writer::write);
  connect(one, &QPushButton::clicked, &writer_, &Writer::writeOne);
  connect(stop, &QPushButton::clicked, &writer_, &Writer::stop);
  const auto setPace = [this] {
    writer_.setAtOnce(parts_.pace->current() == kAtOnce || !style_.motion());
  };
  connect(pace, &Segmented::currentChanged, this, setPace);
  setPace();
  connect(text, &TokenLine::hovered, this, &WriteView::showChoice);
  const auto read = [this] {
    showChoice();
    writer_.setReading(parts_.text->lockedItem() >= 0);
  };
  connect(text, &TokenLine::locked, this, read);
  connect(text, &TokenLine::unlocked, this, read);
  QScrollBar* bar = scroll->verticalScrollBar();
  connect(bar, &QScrollBar::rangeChanged, this, [this, bar](int, int most) {
    if (follows_) bar->setValue(most);
  });
  // A user who scrolls back wants to read there.
  connect(bar, &QScrollBar::actionTriggered, this,
          [this, bar] { follows_ = bar->sliderPosition() >= bar->maximum(); });
  connect(&writer_, &Writer::changed, this,
          [this](const Written& before) { render(before, writer_.text()); });
  connect(&document_, &ModelDocument::replaced, this, &WriteView::showModel);
  connect(&style_, &Style::changed, this, [this, setPace] {
    setPace();
    updateSizes();
  });
}

void WriteView::showModel() {
  setEnabled(document_.isOpen());
  if (!document_.isOpen()) return;
  const bool writes = writer_.writesText();
  tools_->setVisible(writes);
  parts_.state->setVisible(writes);
  beam_section_->setVisible(BeamPanel::apply(document_));
  parts_.next->setDrawn(writes);
  parts_.text->setLook(writes ? TokenLine::Look::Prose : TokenLine::Look::Answer);
  panel_->setTitle(writes ? tr("What it writes") : tr("What it answers"));
  showSentence();
  render({}, writer_.text());
  updateNeed();
}

void WriteView::showSentence() {
  // Lines are scarce on a projector and in a pane.
  panel_->setSentence(form_ == Form::Screen && aside_->isHidden()
                          ? tr("Dark blue tokens were guesses, bright yellow ones "
                               "certain. Point at a token to see its alternatives.")
                          : QString());
}

void WriteView::inspectorShown(bool shown) {
  const bool alone = !shown;
  alone ? aside_->layout()->addWidget(parts_.next) : next_section_->add(parts_.next);
  parts_.next->setCompact(alone);
  showAside();
  showSentence();
}

void WriteView::showAside() {
  constexpr double kText = 300;  // too narrow for a text
  const bool alone = aside_->isAncestorOf(parts_.next);
  const bool high = form_ == Form::Screen || height() >= style_.px(kAsideHeight);
  aside_->setVisible(alone && high && width() >= style_.px(kAside + kText));
  if (form_ == Form::Screen) return;
  parts_.pace->setVisible(width() >= style_.px(kPace));
  parts_.one->setVisible(width() >= style_.px(kOne));
}

void WriteView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showAside();
}

Need WriteView::need() const {
  const bool answers = document_.isOpen() && !writer_.writesText();
  return {.answer = answers, .logits = answers};
}

void WriteView::shown() { writer_.setVisible(true); }

void WriteView::hidden() { writer_.setVisible(false); }

QSize WriteView::minimumSizeHint() const {
  return {style_.px(300), style_.px(form_ == Form::Screen ? 300 : 220)};
}

void WriteView::updateSizes() {
  if (form_ == Form::Screen)
    layout()->setContentsMargins(style_.px(18), style_.px(16), style_.px(18), style_.px(12));
  else
    layout()->setContentsMargins(0, 0, 0, 0);
  aside_->setFixedWidth(style_.px(kAside));
  parts_.input->setStyleSheet(QStringLiteral("font-size: %1px").arg(style_.px(15)));
  showAside();
}

}  // namespace tfm::ui
