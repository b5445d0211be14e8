// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/lesson/lesson_panel.h"

#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>
#include <algorithm>
#include <limits>

#include "ui/document/model_document.h"
#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

constexpr int kMilliseconds = 200;  // between two looks
constexpr double kWidth = 310;
constexpr double kEdge = 14;
constexpr double kBar = 12;  ///< of the scroll bar

QString textOf(const std::string& text) { return QString::fromStdString(text); }

/// A text with its live values; as it is written where the open model does not have them.
QString textOf(const std::string& text, const lesson::ValueSource& source) {
  QString shown = textOf(text);
  (void)problemOf([&] { shown = textOf(lesson::withValues(text, source)); });
  return shown;
}

/// The text of a page with the hints that were asked for.
QString markdownOf(const lesson::Page& page, std::int64_t hints,
                   const lesson::ValueSource& source) {
  QString markdown = textOf(page.markdown, source);
  const std::int64_t written = std::ssize(page.hints);
  for (std::int64_t i = 0; i < std::min(hints, written); ++i)
    markdown += LessonPanel::tr("\n\n**Hint:** %1").arg(textOf(page.hints[std::size_t(i)], source));
  if (hints > written)
    markdown += LessonPanel::tr("\n\n**Solution:** %1").arg(textOf(page.solution, source));
  return markdown;
}

}  // namespace

LessonPanel::LessonPanel(const Style& style, ModelDocument& document, QWidget* parent)
    : View(document.observing(), parent),
      style_(style),
      document_(document),
      steps_(document),
      page_(new QScrollArea),
      name_(new ElidedLabel("label", 1)),
      clock_(new QLabel),
      place_(new QLabel),
      title_(wrappedLabel("title")),
      close_(iconButton(style, "close", tr("Close the lesson"), "flat")),
      text_(new QTextBrowser),
      prediction_(new LessonQuestion(style, LessonQuestion::Form::Prediction)),
      question_(new LessonQuestion(style, LessonQuestion::Form::Answer)),
      deed_(new QFrame),
      sign_(new QLabel),
      deed_text_(wrappedLabel("")),
      hint_(pushButton(tr("Hint"), tr("Show the next hint, at last the solution"), "small")),
      back_(pushButton(tr("Back"), tr("The page before (Page Up)"), "small")),
      next_(pushButton(tr("Next"), tr("The next page (Page Down)"), "primary")) {
  setAccessibleName(tr("Lesson"));
  setRole(*clock_, "clock");
  clock_->setAccessibleName(tr("Time of the exam"));
  clock_->hide();
  setRole(*place_, "muted");
  setRole(*deed_, "card");
  setRole(*text_, "page");
  text_->setFrameShape(QFrame::NoFrame);
  text_->document()->setDocumentMargin(0);
  text_->setOpenLinks(false);
  text_->setAccessibleName(tr("Text of the page"));
  text_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // it is as high as its text
  auto* deed = rowOf(style_, 8, {{sign_, 0, Qt::AlignTop}, {deed_text_, 1}});
  deed_->setLayout(deed);
  auto* page = new QWidget;
  auto* parts = columnOf(style_, 10, {title_, text_, prediction_, deed_, question_, kStretch});
  page->setLayout(parts);
  page_->setWidget(page);
  page_->setWidgetResizable(true);
  page_->setFrameShape(QFrame::NoFrame);
  page_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* head = rowOf(style_, 8, {{name_, 1}, clock_, place_, close_});
  auto* foot = rowOf(style_, 8, {hint_, kStretch, back_, next_});
  setLayout(columnOf(style_, 10, {head, {page_, 1}, foot}));
  style_.follow(this, [this, head, foot, parts, deed] {
    const int edge = style_.px(kEdge), inner = style_.px(10);
    head->setContentsMargins(edge, inner, edge, 0);
    foot->setContentsMargins(edge, 0, edge, inner);
    parts->setContentsMargins(edge, 0, edge, 0);
    deed->setContentsMargins(inner, inner, inner, inner);
    setFixedWidth(style_.px(kWidth));
    text_->setFont(style_.textFont(13));
    shown_.clear();
  });
  connect(text_, &QTextBrowser::anchorClicked, this, &LessonPanel::linkClicked);
  connect(close_, &QToolButton::clicked, this, &LessonPanel::closeAsked);
  connect(back_, &QPushButton::clicked, this, [this] { goTo(progress_.page - 1); });
  connect(next_, &QPushButton::clicked, this, [this] { goTo(progress_.page + 1); });
  connect(hint_, &QPushButton::clicked, this, &LessonPanel::addHint);
  connect(prediction_, &LessonQuestion::answered, this, [this](const QString& given) {
    now().prediction = given.toStdString();
    emit advanced();
    look();
  });
  connect(question_, &LessonQuestion::answered, this, [this](const QString& given) {
    now().answer = given.toStdString();
    look();
    if (now().done) return;
    ++now().attempts;
    emit advanced();
  });
  timer_.setInterval(kMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &LessonPanel::look);
}

void LessonPanel::open(const lesson::Lesson& lesson, lesson::Progress progress) {
  lesson_ = lesson;
  progress_ = std::move(progress);
  progress_.pages.resize(lesson_.pages.size());
  goTo(progress_.page);
}

void LessonPanel::setProgress(const lesson::Progress& progress) {
  progress_ = progress;
  emit advanced();
}

void LessonPanel::setClock(const QString& time) {
  clock_->setText(time);
  clock_->setVisible(!time.isEmpty());
}

const lesson::PageProgress& LessonPanel::pageProgress() const {
  return progress_.pages[std::size_t(progress_.page)];
}

void LessonPanel::goTo(std::int64_t page) {
  const std::int64_t last = std::ssize(lesson_.pages) - 1;
  progress_.page = std::clamp<std::int64_t>(page, 0, last);
  const lesson::Page& open = this->page();
  name_->setText(textOf(lesson_.title));
  place_->setText(tr("%1 of %2").arg(progress_.page + 1).arg(last + 1));
  title_->setText(textOf(open.title));
  prediction_->setQuestion(open.prediction);
  prediction_->showAnswer(textOf(now().prediction));
  question_->setQuestion(open.question);
  question_->showAnswer(textOf(now().answer));
  deed_->setVisible(!open.deed.empty());
  back_->setEnabled(progress_.page > 0);
  next_->setEnabled(progress_.page < last);
  shown_.clear();
  page_->verticalScrollBar()->setValue(0);
  updateNeed();
  emit pageOpened();
  emit advanced();
  look();
}

void LessonPanel::turn(int pages) {
  QScrollBar& bar = *page_->verticalScrollBar();
  const bool forward = pages > 0;
  if (bar.value() != (forward ? bar.maximum() : bar.minimum()))
    return bar.triggerAction(forward ? QScrollBar::SliderPageStepAdd
                                     : QScrollBar::SliderPageStepSub);
  goTo(progress_.page + pages);
}

Need LessonPanel::need() const {
  if (lesson_.pages.empty()) return {};
  const std::string pattern = lesson::patternOf(page());
  const bool weights = !pattern.empty() || !lesson::weightsOf(page()).empty();
  return {.parameters = weights, .reading = true, .pattern = pattern};
}

void LessonPanel::withSource(const std::function<void(const lesson::ValueSource&)>& use) const {
  const Training& training = document_.training();
  const data::Task* task = document_.task();
  const train::WindowState window = document_.window(std::numeric_limits<std::int64_t>::max());
  const lesson::Situation situation{training.model(),
                                    training.config(),
                                    task == nullptr ? nullptr : &task->config(),
                                    training.layout().total,
                                    training.step(),
                                    training.history(),
                                    document_.interventions().list(),
                                    window};
  use({situation, document_.observing().snapshot(),
       [](double value) { return shortNumber(value).toStdString(); },
       [this](const std::string& weight) { return steps_.of(weight); }});
}

void LessonPanel::look() {
  if (lesson_.pages.empty() || !document_.isOpen()) return;
  steps_.want(lesson::weightsOf(page()));
  withSource([this](const lesson::ValueSource& source) {
    if (!now().done && lesson::isDone(page(), source.situation, now(),
                                      lesson::knownAnswer(page().question, source))) {
      now().done = true;
      emit advanced();
    }
    render(source);
  });
}

void LessonPanel::render(const lesson::ValueSource& source) {
  if (const QString markdown = markdownOf(page(), now().hints, source); markdown != shown_) {
    shown_ = markdown;
    text_->setMarkdown(markdown);
    // QTextDocument sets Markdown without space between paragraphs.
    for (QTextBlock block = text_->document()->begin(); block.isValid(); block = block.next()) {
      QTextCursor cursor(block);
      QTextBlockFormat format = cursor.blockFormat();
      format.setBottomMargin(style_.px(6));
      cursor.setBlockFormat(format);
    }
    text_->setVisible(!markdown.trimmed().isEmpty());
    text_->document()->setTextWidth(style_.px(kWidth) - 2 * style_.px(kEdge) - style_.px(kBar));
    text_->setFixedHeight(int(text_->document()->size().height()) + style_.px(2));
  }
  const bool done = now().done;
  sign_->setVisible(page().asks());
  sign_->setPixmap(style_.icon(done ? "check" : "circle").pixmap(style_.px(16), style_.px(16)));
  sign_->setAccessibleName(done ? tr("done") : tr("to do"));
  deed_text_->setTextFormat(Qt::MarkdownText);
  deed_text_->setText(textOf(page().deed, source));
  // First the prediction, then the deed.
  deed_->setEnabled(!page().prediction || !now().prediction.empty());
  renderQuestions(source);
  const std::int64_t written = std::ssize(page().hints) + (page().solution.empty() ? 0 : 1);
  const std::int64_t most = lesson_.exam ? 0 : written;
  hint_->setVisible(most > 0);
  hint_->setEnabled(now().hints < most);
  hint_->setText(now().hints == std::ssize(page().hints) ? tr("Solution") : tr("Hint"));
}

void LessonPanel::renderQuestions(const lesson::ValueSource& source) {
  if (page().prediction) {
    prediction_->setAsk(textOf(page().prediction->ask, source));
    const bool given = !now().prediction.empty();
    prediction_->setOpen(!given);
    const auto truth = lesson::knownAnswer(page().prediction, source);
    QString says;
    if (given) says = tr("You predicted: %1").arg(textOf(now().prediction));
    if (given && now().done && truth && !truth->empty())
      says += tr("\nIt is: %1").arg(textOf(*truth));
    prediction_->say(says, "muted");
  }
  if (!page().question) return;
  question_->setAsk(textOf(page().question->ask, source));
  const bool answered = !now().answer.empty();
  question_->setOpen(!now().done);
  if (now().done)
    question_->say(tr("Right"), "good");
  else
    question_->say(!answered      ? QString()
                   : lesson_.exam ? tr("Not yet. Try again.")
                                  : tr("Not yet. Try again, or take a hint."),
                   "bad");
}

void LessonPanel::addHint() {
  ++now().hints;
  emit advanced();
  look();
}

}  // namespace tfm::ui
