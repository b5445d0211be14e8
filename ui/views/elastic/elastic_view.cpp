// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/elastic_view.h"

#include <QComboBox>
#include <QEvent>
#include <QKeyEvent>
#include <QScrollArea>
#include <QSplitter>
#include <algorithm>
#include <utility>

#include "core/matformer/nesting.h"
#include "core/train/counted_answers.h"
#include "ui/document/model_document.h"
#include "ui/document/submodel_explorer.h"
#include "ui/elastic/accuracy_scatter.h"
#include "ui/elastic/granularity_curves.h"
#include "ui/elastic/nested_frames.h"
#include "ui/elastic/width_bars.h"
#include "ui/elastic/width_slider.h"
#include "ui/figure/save_path.h"
#include "ui/style/style.h"
#include "ui/views/elastic/answer_rows.h"
#include "ui/views/elastic/draft_row.h"
#include "ui/views/elastic/elastic_numbers.h"
#include "ui/views/elastic/elastic_pictures.h"
#include "ui/views/elastic/elastic_words.h"
#include "ui/views/elastic/mix_panel.h"
#include "ui/views/elastic/nesting_form.h"
#include "ui/views/elastic/plot_pair.h"
#include "ui/views/elastic/twins_panel.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {
namespace {

constexpr double kMinHeight = 420;
constexpr double kLow = 560;  // height at scale 1 that pictures above answers need

}  // namespace

ElasticView::ElasticView(Style& style, ModelDocument& document, QWidget* parent)
    : View(document.observing(), parent),
      style_(style),
      document_(document),
      explorer_(new SubmodelExplorer(document, this)),
      panel_(new Panel(style)),
      pictures_(new ElasticPictures(style, *explorer_)) {
  panel_->setTitle(tr("Elastic"));
  auto* middle = new QSplitter(Qt::Horizontal);
  middle->addWidget(pictures_);
  middle->addWidget(makePlots());
  middle->setSizes({400, 600});  // shares: it has no size yet
  middle->setStretchFactor(0, 2);
  middle->setStretchFactor(1, 3);
  middle->setChildrenCollapsible(false);
  answers_ = new AnswerRows(style_);
  auto* body = new QWidget;
  body_ = columnOf(style_, 10, {{middle, 1}, answers_});
  body->setLayout(body_);
  draft_ = new DraftRow(style_, *explorer_,
                        document_);  // it has wrapped text too, so it does not scroll
  panel_->addTool(pictures_->layers());
  panel_->addTool(pictures_->looks());
  // In projector mode everything is higher than a small screen.
  auto* scroll = new QScrollArea;
  scroll->setWidget(body);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->viewport()->setAutoFillBackground(false);
  body->setAutoFillBackground(false);
  line_ = wrappedLabel("");
  line_->setAccessibleName(tr("Numbers of the chosen submodel"));
  line_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  // Its wrapped text would make the scroll area use everything's preferred height.
  auto* all = new QWidget;
  // The line is always visible: what is below may scroll.
  all->setLayout(columnOf(style_, 10, {makePlain(), line_, {scroll, 1}, draft_}));
  panel_->setBody(all);
  panel_->setFigure(pictures_->figure());
  addParts(new QVBoxLayout(this), {panel_});
  makeSetup();
  makeInspector();
  setSides(inspector_, setup_);
  panel_->setExplanation(
      ElasticWords::page(),
      {{&pictures_->slider(), tr("Width of all layers"),
        tr("Drag it: a smaller model uses a part of the same matrices.")},
       {pictures_->picture()->parentWidget(), tr("The matrices"),
        tr("A column is a unit; what is outside the chosen width is faded.")},
       {scatter_, tr("Accuracy against cost"),
        tr("All measured sizes. Higher and further left is better.")},
       {answers_, tr("Answers"), tr("The same input, answered by each size.")},
       {setup_, tr("Training"), tr("Which smaller models are trained inside this one, and how.")},
       {inspector_, tr("The chosen size"), tr("The width of each layer, and its cost.")}});
  connectAll();
  showModel();
}

QWidget* ElasticView::makePlain() {
  plain_ = new QFrame;
  setRole(*plain_, "card");
  plain_words_ = wrappedLabel("");
  nest_ = pushButton(tr("Train as MatFormer"), {}, "primary");
  plain_->setLayout(rowOf(style_, 14, {{plain_words_, 1}, {nest_, 0, Qt::AlignVCenter}}));
  plain_->layout()->setContentsMargins(style_.px(12), style_.px(8), style_.px(12), style_.px(8));
  return plain_;
}

QWidget* ElasticView::makePlots() {
  scatter_ = new AccuracyScatter(style_);
  curves_ = new GranularityCurves(style_);
  auto* points = new Section(style_, tr("Accuracy against cost"));
  points->add(scatter_);
  points->setFigure(scatter_, ElasticWords::scatterPage());
  auto* lines = new Section(style_, tr("Over training"));
  lines->add(curves_);
  lines->setFigure(curves_, ElasticWords::curvesPage());
  plots_ = new PlotPair(style_, points, tr("By cost"), lines, tr("By step"), tr("Answers"));
  auto* zone = new QWidget;
  zone->setLayout(columnOf({plots_}));
  zone->setContentsMargins(style_.px(10), 0, 0, 0);
  return zone;
}

void ElasticView::makeSetup() {
  setup_ = new SideZone(style_, 220);
  Section* examples = setup_->addSection(tr("Examples"), {}, tr("Trained models to explore."));
  const auto example = [&](Example which, const QString& name, const QString& hint) {
    auto* button = pushButton(name, hint);
    connect(button, &QPushButton::clicked, this, [this, which] { emit exampleRequested(which); });
    examples->add(button);
    examples_[std::size_t(which)] = button;
  };
  example(Example::Facts, tr("Facts: width matters"),
          tr("Who gave whom what: 650 facts without a rule, which a model must memorise"));
  example(Example::Sentiment, tr("Sentiment: little width suffices"),
          tr("Positive and negative reviews: a few rules, which even the narrowest model learns"));
  form_ = new NestingForm(style_);
  twins_ = new TwinsPanel(style_, *explorer_);
  setup_->addSection(tr("Training"), {form_},
                     tr("Which smaller models are trained inside this one, and how."));
  setup_->addSection(tr("Trained separately"), {twins_});
}

void ElasticView::makeInspector() {
  inspector_ = new SideZone(style_, 290);
  bars_ = new WidthBars(style_);
  numbers_ = new ElasticNumbers(style_);
  extract_ = pushButton(tr("Extract..."), tr("Save the chosen submodel as a document of its own"));
  mixes_ = new MixPanel(style_, *explorer_);
  inspector_->addSection(tr("Width of each layer"), {bars_});
  inspector_->addSection(tr("The chosen submodel"), {numbers_, extract_});
  inspector_->addSection(tr("Mix'n'Match"), {mixes_},
                         tr("A different width for each layer, without further training."));
}

void ElasticView::connectAll() {
  connect(pictures_, &ElasticPictures::lookShown, this,
          [this] { panel_->setFigure(pictures_->figure()); });
  connect(pictures_, &ElasticPictures::layerShown, bars_, &WidthBars::setChosen);
  connect(bars_, &WidthBars::dragged, this, [this] { explorer_->chooseWidths(bars_->widths()); });
  connect(bars_, &WidthBars::layerTouched, pictures_, &ElasticPictures::showLayer);
  connect(scatter_, &AccuracyScatter::chosen, explorer_, &SubmodelExplorer::choose);
  connect(nest_, &QPushButton::clicked, this, &ElasticView::nest);
  connect(form_, &NestingForm::applyRequested, this, &ElasticView::nest);
  connect(form_, &NestingForm::stopRequested, this, [this] {
    explorer_->train({});
    document_.training().play();
  });
  connect(extract_, &QPushButton::clicked, this, &ElasticView::extract);
  connect(answers_, &AnswerRows::asked, &document_.observing(), &Observing::setQuestion);
  connect(&document_.observing(), &Observing::questionChanged, answers_, &AnswerRows::setQuestion);
  connect(&document_.training(), &Training::measured, this, [this](int, int first_evaluation) {
    if (first_evaluation < int(document_.training().history().evaluations.size())) showCurves();
  });
  connect(&document_.training(), &Training::rewound, this, &ElasticView::showCurves);
  connect(&document_, &ModelDocument::replaced, this, [this] {
    form_->forget();
    showForm();
  });
  // At once, not with the next snapshot: a quick click would train with the former number.
  const auto propose = [this] {
    if (!document_.training().isRunning()) twins_->propose(document_.training().step());
  };
  connect(&document_.training(), &Training::measured, twins_, propose);
  connect(&document_.training(), &Training::runningChanged, twins_, propose);
  connect(&document_.training(), &Training::rewound, twins_, propose);
  connect(&document_, &ModelDocument::replaced, twins_, propose);
  connect(&document_.moments(), &Moments::momentChanged, this, &ElasticView::showSentence);
  connect(&style_, &Style::changed, this, &ElasticView::placeAnswers);
  connect(explorer_, &SubmodelExplorer::modelChanged, this, &ElasticView::showModel);
  connect(explorer_, &SubmodelExplorer::stateChanged, this, &ElasticView::showState);
  connect(explorer_, &SubmodelExplorer::choiceChanged, this, &ElasticView::showChoice);
  connect(explorer_, &SubmodelExplorer::scoresChanged, this, &ElasticView::showScores);
  connect(explorer_, &SubmodelExplorer::answersChanged, this, &ElasticView::showAnswers);
  connect(twins_, &TwinsPanel::changed, this, &ElasticView::showScores);
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

bool ElasticView::isLow() const { return height() < style_.px(kLow); }

void ElasticView::placeAnswers() {
  // Below the pictures they would be hidden, and they show what the sizes can do.
  const bool beside = isLow();
  if (beside == (body_->indexOf(answers_) < 0)) return;
  showSentence();
  if (beside) {
    body_->removeWidget(answers_);
    plots_->setGuest(answers_);
  } else {
    plots_->setGuest(nullptr);
    body_->addWidget(answers_);
  }
}

void ElasticView::shown() {
  explorer_->setActive(true);
  showModel();
}

void ElasticView::hidden() { explorer_->setActive(false); }

void ElasticView::inspectorShown(bool shown) { line_->setVisible(!shown); }

QWidget* ElasticView::picture() const { return pictures_->picture(); }

void ElasticView::showModel() {
  if (!document_.isOpen()) return;
  const bool nested = explorer_->isNested();
  const QString why_not = explorer_->whyNotNestable();
  showSentence();
  plain_->setVisible(!nested);
  nest_->setEnabled(why_not.isEmpty());
  nest_->setToolTip(why_not.isEmpty() ? tr("With the widths on the left, from the next step on")
                                      : why_not);
  showForm();
  answers_->setQuestion(document_.observing().question());
  pictures_->showModel();
  const auto& granularities = explorer_->granularities();
  extract_->setEnabled(!granularities.empty());
  if (granularities.empty()) return showState();
  const ModelConfig& config = explorer_->state()->config;
  bars_->setModel(layerNames(config), fullWidths(config), granularities);
  bars_->setChosen(pictures_->layer());
  showState();
  showChoice();
  showCurves();
  if (nested && std::exchange(mix_once_ready_, false)) explorer_->mixFront();
}

void ElasticView::showForm() {
  const bool nested = explorer_->isNested();
  form_->showNesting(nested ? document_.training().config().nesting
                            : matformer::defaultNesting(document_.training().model()),
                     nested, explorer_->whyNotNestable());
}

void ElasticView::showSentence() {
  const bool model = document_.moments().comparison() != Comparison::Difference;
  panel_->setSentence(model && isLow() ? QString()
                      : model
                          ? ElasticWords::sentence(explorer_->isNested(), document_.codec().name(),
                                                   document_.hasHeldOutExamples())
                          : ElasticWords::noModel(explorer_->state().get()));
}

void ElasticView::showState() {
  scatter_->setExperiment(
      QString::fromStdString(document_.codec().name()),
      explorer_->state() ? explorer_->state()->step : document_.training().step(),
      document_.hasHeldOutExamples());
  curves_->setMoment(document_.moments().showsNow()
                         ? std::nullopt
                         : std::optional(double(document_.moments().shownStep())));
  plain_words_->setText(ElasticWords::plain(document_.training().step() > 0));
  pictures_->showState();
  showScores();
}

void ElasticView::showChoice() {
  const std::vector<std::int64_t>& widths = explorer_->choice().widths;
  if (widths.empty() || int(widths.size()) != bars_->count()) return;
  bars_->showWidths(widths);
  pictures_->showChoice();
  scatter_->setChosen(explorer_->choice());
}

void ElasticView::showScores() {
  numbers_->setHeldOut(document_.hasHeldOutExamples());
  numbers_->showScores(explorer_->choiceName(), explorer_->choiceScore(), explorer_->wholeScore());
  line_->setText(ElasticNumbers::line(explorer_->choiceName(), explorer_->choiceScore()));
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
  for (ElasticPoint& twin : twins_->points()) points.push_back(std::move(twin));
  scatter_->setPoints(std::move(points));
}

void ElasticView::showAnswers() {
  answers_->showAnswers(explorer_->answers(), int(explorer_->granularities().size()) - 1);
}

void ElasticView::showCurves() {
  curves_->setExperiment(
      QString::fromStdString(document_.codec().name()), document_.training().config().seed,
      train::answersOfExample(document_.codec().form(), document_.training().model().target_length),
      document_.hasHeldOutExamples(), train::countsPositions(document_.codec().form()));
  QStringList names;
  if (explorer_->isNested())
    for (const matformer::Granularity& one : explorer_->granularities())
      names << QString::fromStdString(one.name);
  curves_->setEvaluations(names, document_.training().history().evaluations);
}

void ElasticView::nest() {
  try {
    const bool nested = explorer_->isNested();
    explorer_->train(form_->nesting());
    form_->setProblem({});
    if (!nested)
      document_.training().play();  // the button says "Train as MatFormer", and then "Apply"
  } catch (const Error& problem) {
    form_->setProblem(QString::fromStdString(problem.what()));
    if (!form_->isVisible()) emit failed(problem);
  }
}

void ElasticView::extract() {
  const QString proposal = QString::fromStdString(document_.codec().name()) + '-' +
                           explorer_->choiceName().replace(',', '-').replace('/', '_') +
                           QStringLiteral(".safetensors");
  const QString path = askSavePath(
      this, {tr("Save the submodel"), proposal, tr("Transformarium documents (*.safetensors)")},
      QStringLiteral("safetensors"));
  if (!path.isEmpty()) extractTo(path);
}

void ElasticView::extractTo(const QString& path) {
  explorer_->extract(path, [this, name = explorer_->choiceName(), path](const auto& problem) {
    if (problem)
      emit failed(*problem);
    else
      emit saved(name, path);
  });
}

}  // namespace tfm::ui
