// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/elastic_view.h"

#include <QComboBox>
#include <QEvent>
#include <QKeyEvent>
#include <QScrollArea>
#include <QSplitter>
#include <algorithm>
#include <utility>

#include "core/train/counted_answers.h"
#include "ui/document/model_document.h"
#include "ui/document/submodel_explorer.h"
#include "ui/elastic/accuracy_scatter.h"
#include "ui/elastic/granularity_curves.h"
#include "ui/elastic/width_bars.h"
#include "ui/elastic/width_slider.h"
#include "ui/style/style.h"
#include "ui/views/elastic/answer_rows.h"
#include "ui/views/elastic/draft_row.h"
#include "ui/views/elastic/elastic_inspector.h"
#include "ui/views/elastic/elastic_numbers.h"
#include "ui/views/elastic/elastic_pictures.h"
#include "ui/views/elastic/elastic_setup.h"
#include "ui/views/elastic/elastic_words.h"
#include "ui/views/elastic/plot_pair.h"
#include "ui/views/elastic/twins_panel.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

constexpr double kMinHeight = 420;
constexpr double kLow = 560;  // height at scale 1 that pictures above answers need

/// Whether there is too little height for pictures above answers.
bool isLow(const QWidget& view, const Style& style) { return view.height() < style.px(kLow); }

}  // namespace

ElasticView::Parts ElasticView::makeParts(Style& style, ModelDocument& document,
                                          SubmodelExplorer& explorer) {
  return {.pictures = new ElasticPictures(style, explorer),
          .line = wrappedLabel(""),
          .scatter = new AccuracyScatter(style),
          .curves = new GranularityCurves(style),
          .answers = new AnswerRows(style),
          .draft = new DraftRow(style, explorer, document),
          .nest = pushButton(tr("Train as MatFormer"), {}, "primary"),
          .example = pushButton(tr("Open an example"),
                                tr("A trained model that contains four, in place of this one")),
          .setup = new ElasticSetup(style, document, explorer),
          .inspector = new ElasticInspector(style, document, explorer)};
}

ElasticView::ElasticView(Style& style, ModelDocument& document, QWidget* parent)
    : View(document.observing(), parent),
      style_(style),
      document_(document),
      explorer_(new SubmodelExplorer(document, this)),
      parts_(makeParts(style, document, *explorer_)),
      panel_(new Panel(style)) {
  panel_->setTitle(tr("Elastic"));
  panel_->addTool(parts_.pictures->layers());
  panel_->addTool(parts_.pictures->looks());
  panel_->setBody(makeBody());
  panel_->setFigure(parts_.pictures->figure());
  addParts(new QVBoxLayout(this), {panel_});
  setSides(parts_.inspector, parts_.setup, tr("Nested training"));
  panel_->setExplanation(
      ElasticWords::page(),
      {{&parts_.pictures->slider(), tr("Width of all layers"),
        tr("Drag it: a smaller model uses a part of the same matrices.")},
       {parts_.pictures->picture()->parentWidget(), tr("The matrices"),
        tr("A column is a unit; what is outside the chosen width is faded.")},
       {parts_.scatter, tr("Accuracy against cost"),
        tr("All measured sizes. Higher and further left is better.")},
       {parts_.answers, tr("Answers"), tr("The same input, answered by each size.")},
       {parts_.setup, tr("Training"),
        tr("Which smaller models are trained inside this one, and how.")},
       {parts_.inspector, tr("The chosen size"), tr("The width of each layer, and its cost.")}});
  connectAll();
  showModel();
  keepAs([this] { return wanted_.value_or(state()); },
         [this](const ElasticShown& state) {
           wanted_ = state;
           showModel();
         });
}

QWidget* ElasticView::makeBody() {
  auto* middle = new QSplitter(Qt::Horizontal);
  middle->addWidget(parts_.pictures);
  middle->addWidget(makePlots());
  middle->setSizes({400, 600});  // shares: it has no size yet
  middle->setStretchFactor(0, 2);
  middle->setStretchFactor(1, 3);
  middle->setChildrenCollapsible(false);
  auto* body = new QWidget;
  body_ = columnOf(style_, 10, {{middle, 1}, parts_.answers});
  body->setLayout(body_);
  // In projector mode everything is higher than a small screen.
  auto* scroll = new QScrollArea;
  scroll->setWidget(body);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->viewport()->setAutoFillBackground(false);
  body->setAutoFillBackground(false);
  parts_.line->setAccessibleName(tr("Numbers of the chosen submodel"));
  parts_.line->setTextInteractionFlags(Qt::TextSelectableByMouse);
  // Its wrapped text would make the scroll area use everything's preferred height, as would that of
  // the draft.
  auto* all = new QWidget;
  // The line is always visible: what is below may scroll.
  all->setLayout(columnOf(style_, 10, {makePlain(), parts_.line, {scroll, 1}, parts_.draft}));
  return all;
}

QWidget* ElasticView::makePlain() {
  plain_ = new QFrame;
  setRole(*plain_, "card");
  plain_words_ = wrappedLabel("");
  plain_->setLayout(
      rowOf(style_, 14, {{plain_words_, 1}, columnOf(style_, 6, {parts_.nest, parts_.example})}));
  plain_->layout()->setContentsMargins(style_.px(12), style_.px(8), style_.px(12), style_.px(8));
  return plain_;
}

QWidget* ElasticView::makePlots() {
  auto* points = new Section(style_, tr("Accuracy against cost"));
  points->add(parts_.scatter);
  points->setFigure(parts_.scatter, ElasticWords::scatterPage());
  auto* lines = new Section(style_, tr("Over training"));
  lines->add(parts_.curves);
  lines->setFigure(parts_.curves, ElasticWords::curvesPage());
  plots_ = new PlotPair(style_, points, tr("By cost"), lines, tr("By step"), tr("Answers"));
  auto* zone = new QWidget;
  zone->setLayout(columnOf({plots_}));
  zone->setContentsMargins(style_.px(10), 0, 0, 0);
  return zone;
}

void ElasticView::connectAll() {
  ElasticPictures* pictures = parts_.pictures;
  WidthBars* bars = &parts_.inspector->bars();
  connect(pictures, &ElasticPictures::lookShown, this,
          [this, pictures] { panel_->setFigure(pictures->figure()); });
  connect(pictures, &ElasticPictures::layerShown, bars, &WidthBars::setChosen);
  connect(bars, &WidthBars::layerTouched, pictures, &ElasticPictures::showLayer);
  connect(parts_.scatter, &AccuracyScatter::chosen, explorer_, &SubmodelExplorer::choose);
  connect(parts_.nest, &QPushButton::clicked, parts_.setup, &ElasticSetup::nest);
  connect(parts_.example, &QPushButton::clicked, parts_.setup,
          [this] { emit parts_.setup->exampleRequested(ElasticSetup::Example::Facts); });
  connect(parts_.answers, &AnswerRows::asked, &document_.observing(), &Observing::setQuestion);
  connect(&document_.observing(), &Observing::questionChanged, parts_.answers,
          &AnswerRows::setQuestion);
  connect(&document_.training(), &Training::measured, this, [this](int, int first_evaluation) {
    if (first_evaluation < int(document_.training().history().evaluations.size())) showCurves();
  });
  connect(&document_.training(), &Training::rewound, this, &ElasticView::showCurves);
  connect(&document_.moments(), &Moments::momentChanged, this, &ElasticView::showSentence);
  connect(&style_, &Style::changed, this, &ElasticView::placeAnswers);
  connect(explorer_, &SubmodelExplorer::modelChanged, this, &ElasticView::showModel);
  connect(explorer_, &SubmodelExplorer::stateChanged, this, &ElasticView::showState);
  connect(explorer_, &SubmodelExplorer::choiceChanged, this, &ElasticView::showChoice);
  connect(explorer_, &SubmodelExplorer::scoresChanged, this, &ElasticView::showScores);
  connect(explorer_, &SubmodelExplorer::answersChanged, this, [this] {
    parts_.answers->showAnswers(explorer_->answers(), int(explorer_->granularities().size()) - 1);
  });
  connect(&parts_.setup->twins(), &TwinsPanel::changed, this, &ElasticView::showScores);
}

void ElasticView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  placeAnswers();
}

QSize ElasticView::minimumSizeHint() const {
  // With less height, the answers or a plot would be cut off.
  return {QWidget::minimumSizeHint().width(),
          std::max(QWidget::minimumSizeHint().height(), style_.px(kMinHeight))};
}

void ElasticView::placeAnswers() {
  // Below the pictures they would be hidden, and they show what the sizes can do.
  const bool beside = isLow(*this, style_);
  if (beside == (body_->indexOf(parts_.answers) < 0)) return;
  showSentence();
  if (beside) {
    body_->removeWidget(parts_.answers);
    plots_->setGuest(parts_.answers);
  } else {
    plots_->setGuest(nullptr);
    body_->addWidget(parts_.answers);
  }
}

ElasticShown ElasticView::state() const {
  return {parts_.pictures->look(),    parts_.pictures->layer(),
          explorer_->choice(),        parts_.pictures->frames().lockedCell(),
          parts_.scatter->costAxis(), parts_.scatter->showsTable(),
          parts_.scatter->fromZero()};
}

void ElasticView::setState(const ElasticShown& state) {
  parts_.pictures->showLook(state.look);
  parts_.pictures->showLayer(state.layer);
  explorer_->choose(state.submodel);
  parts_.pictures->frames().showLock(state.locked);
  parts_.scatter->setCostAxis(state.axis);
  parts_.scatter->setFromZero(state.from_zero);
  if (state.table) parts_.scatter->showTable();
}

void ElasticView::shown() {
  explorer_->setActive(true);
  showModel();
}

void ElasticView::hidden() { explorer_->setActive(false); }

void ElasticView::inspectorShown(bool shown) { parts_.line->setVisible(!shown); }

QWidget* ElasticView::picture() const { return parts_.pictures->picture(); }

void ElasticView::showModel() {
  if (!document_.isOpen()) return;
  const bool nested = explorer_->isNested();
  const QString why_not = explorer_->whyNotNestable();
  showSentence();
  plain_->setVisible(!nested);
  parts_.nest->setEnabled(why_not.isEmpty());
  parts_.nest->setToolTip(
      why_not.isEmpty() ? tr("With the widths on the left, from the next step on") : why_not);
  parts_.setup->showModel();
  parts_.answers->setQuestion(document_.observing().question());
  parts_.pictures->showModel();
  parts_.inspector->showModel(parts_.pictures->layer());
  showState();
  if (explorer_->granularities().empty()) return;
  showChoice();
  showCurves();
  if (nested && std::exchange(mix_once_ready_, false)) explorer_->mixFront();
  if (wanted_ && explorer_->state()) setState(*std::exchange(wanted_, std::nullopt));
}

void ElasticView::showSentence() {
  const bool model = document_.moments().comparison() != Comparison::Difference;
  panel_->setSentence(model && isLow(*this, style_) ? QString()
                      : model
                          ? ElasticWords::sentence(explorer_->isNested(), document_.codec().name(),
                                                   document_.hasHeldOutExamples())
                          : ElasticWords::noModel(explorer_->state().get()));
}

void ElasticView::showState() {
  parts_.scatter->setExperiment(
      QString::fromStdString(document_.codec().name()),
      explorer_->state() ? explorer_->state()->step : document_.training().step(),
      document_.hasHeldOutExamples());
  parts_.curves->setMoment(document_.moments().showsNow()
                               ? std::nullopt
                               : std::optional(double(document_.moments().shownStep())));
  plain_words_->setText(ElasticWords::plain(document_.training().step() > 0));
  parts_.pictures->showState();
  showScores();
}

void ElasticView::showChoice() {
  const std::vector<std::int64_t>& widths = explorer_->choice().widths;
  if (widths.empty() || int(widths.size()) != parts_.inspector->bars().count()) return;
  parts_.inspector->showChoice();
  parts_.pictures->showChoice();
  parts_.scatter->setChosen(explorer_->choice());
}

void ElasticView::showScores() {
  parts_.inspector->showScores();
  parts_.line->setText(ElasticNumbers::line(explorer_->choiceName(), explorer_->choiceScore()));
  std::vector<ElasticPoint> points;
  const auto add = [&](ElasticKind kind, const Submodel& submodel) {
    if (const TimedScore* known = explorer_->score(submodel))
      points.push_back({kind, explorer_->nameOf(submodel), explorer_->state()->seed, known->score});
  };
  const ElasticKind granularity = explorer_->isNested() ? ElasticKind::Trained : ElasticKind::Mixed;
  bool chosen = false;
  for (const matformer::Granularity& one : explorer_->granularities()) {
    add(granularity, one.submodel);
    chosen = chosen || one.submodel == explorer_->choice();
  }
  for (const Submodel& mix : explorer_->mixes()) {
    add(ElasticKind::Mixed, mix);
    chosen = chosen || mix == explorer_->choice();
  }
  if (!chosen && !explorer_->choice().widths.empty()) add(ElasticKind::Mixed, explorer_->choice());
  for (ElasticPoint& twin : parts_.setup->twins().points()) points.push_back(std::move(twin));
  parts_.scatter->setPoints(std::move(points));
}

void ElasticView::showCurves() {
  parts_.curves->setExperiment(
      QString::fromStdString(document_.codec().name()), document_.training().config().seed,
      train::answersOfExample(document_.codec().form(), document_.training().model().target_length),
      document_.hasHeldOutExamples(), train::countsPositions(document_.codec().form()));
  QStringList names;
  if (explorer_->isNested())
    for (const matformer::Granularity& one : explorer_->granularities())
      names << QString::fromStdString(one.name);
  parts_.curves->setEvaluations(names, document_.training().history().evaluations);
}

}  // namespace tfm::ui
