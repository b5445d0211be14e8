// SPDX-License-Identifier: GPL-3.0-or-later
// What the Elastic screen shows of its explorer, and its actions; elastic_view.cpp has its layout.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <algorithm>
#include <utility>

#include "core/matformer/nesting.h"
#include "core/train/counted_answers.h"
#include "ui/document/model_document.h"
#include "ui/document/submodel_explorer.h"
#include "ui/elastic/accuracy_scatter.h"
#include "ui/elastic/granularity_curves.h"
#include "ui/elastic/nested_frames.h"
#include "ui/elastic/width_bar.h"
#include "ui/elastic/width_bars.h"
#include "ui/figure/save_path.h"
#include "ui/scene/matrix_wall.h"
#include "ui/views/elastic/answer_rows.h"
#include "ui/views/elastic/elastic_numbers.h"
#include "ui/views/elastic/elastic_space.h"
#include "ui/views/elastic/elastic_view.h"
#include "ui/views/elastic/elastic_words.h"
#include "ui/views/elastic/nesting_form.h"
#include "ui/views/elastic/twins_panel.h"
#include "ui/views/elastic/wiring_dialog.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

bool hasTwoClasses(const ModelDocument& document) {
  const data::Task* task = document.task();
  return task != nullptr && task->form() == data::TaskForm::Classes &&
         task->targetVocabulary().size() == 2;
}

}  // namespace

void ElasticView::showModel() {
  if (!document_.isOpen()) return;
  const bool nested = explorer_->isNested();
  const QString why_not = explorer_->whyNotNestable();
  showSentence();
  const bool two_classes = hasTwoClasses(document_);
  wirings_->setEnabled(two_classes);
  wirings_->setToolTip(two_classes ? tr("Train both in the background and measure them")
                                   : tr("For tasks with two classes, such as sentiment"));
  plain_->setVisible(!nested);
  nest_->setEnabled(why_not.isEmpty());
  nest_->setToolTip(why_not.isEmpty() ? tr("With the widths on the left, from the next step on")
                                      : why_not);
  showForm();
  answers_->setQuestion(document_.observing().question());
  const auto& granularities = explorer_->granularities();
  const bool any = !granularities.empty();
  for (QWidget* one : std::initializer_list<QWidget*>{slider_, layers_, extract_})
    one->setEnabled(any);
  if (!any) return showState();
  const ModelConfig& config = explorer_->state()->config;
  const QStringList names = layerNames(config);
  const std::vector<std::int64_t> full = fullWidths(config);
  layers_->clear();
  layers_->addItems(names);
  layer_ = std::clamp(layer_, 0, int(names.size()) - 1);
  layers_->setCurrentIndex(layer_);
  bars_->setModel(names, full, granularities);
  const auto widest = std::max_element(full.begin(), full.end());
  slider_->setScale(int(*widest), ticksOf(granularities, std::size_t(widest - full.begin())));
  bars_->setChosen(layer_);
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
  if (!document_.training().isRunning()) twins_->propose(document_.training().step());
  showMatrices();
  showScores();
}

void ElasticView::showMatrices() {
  if (!explorer_->state() || explorer_->granularities().empty() || !isVisible()) return;
  if (pictures_->currentWidget() == space_)
    return showInSpace(*space_, *explorer_->state(), explorer_->granularities(),
                       explorer_->choice());
  frames_->setLayer(nestedLayer(*explorer_->state(), std::size_t(layer_)));
  frames_->setTicks(ticksOf(explorer_->granularities(), std::size_t(layer_)));
  frames_->setWidth(int(explorer_->choice().widths[std::size_t(layer_)]));
  showCell();
}

void ElasticView::showCell() {
  const bool space = pictures_->currentWidget() == space_;
  const std::optional<Cell>& cell = frames_->shownCell();
  cell_->setText(cell && !space ? frames_->describe(cell->row, cell->col)
                                : ElasticWords::hint(space));
}

void ElasticView::showChoice() {
  const std::vector<std::int64_t>& widths = explorer_->choice().widths;
  if (widths.empty() || int(widths.size()) != bars_->count()) return;
  bars_->showWidths(widths);
  // A layer narrower than the width is used in full.
  const std::vector<std::int64_t> full = fullWidths(explorer_->state()->config);
  const std::int64_t largest = *std::max_element(widths.begin(), widths.end());
  bool alike = true;
  for (std::size_t i = 0; i < widths.size(); ++i)
    alike = alike && widths[i] == std::min(largest, full[i]);
  std::int64_t sum = 0;
  for (const std::int64_t width : widths) sum += width;
  slider_->showWidth(int(alike ? largest : sum / std::int64_t(widths.size())), !alike);
  if (pictures_->currentWidget() == space_)
    fadeOutside(*space_, *explorer_->state(), explorer_->granularities(), explorer_->choice());
  else
    frames_->setWidth(int(widths[std::size_t(layer_)]));
  showCell();
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
      document_.hasHeldOutExamples());
  QStringList names;
  if (explorer_->isNested())
    for (const matformer::Granularity& one : explorer_->granularities())
      names << QString::fromStdString(one.name);
  curves_->setEvaluations(names, document_.training().history().evaluations);
}

void ElasticView::chooseAll(int width) {
  if (!explorer_->state()) return;
  std::vector<std::int64_t> widths = fullWidths(explorer_->state()->config);
  for (std::int64_t& one : widths) one = std::min<std::int64_t>(one, width);
  explorer_->chooseWidths(widths);
}

void ElasticView::chooseOne(int width) {
  std::vector<std::int64_t> widths = explorer_->choice().widths;
  if (layer_ >= int(widths.size())) return;
  widths[std::size_t(layer_)] = width;
  explorer_->chooseWidths(widths);
}

void ElasticView::showLayer(int layer) {
  if (layer < 0 || layer >= layers_->count()) return;
  layer_ = layer;
  layers_->setCurrentIndex(layer);
  bars_->setChosen(layer);
  showMatrices();
}

void ElasticView::showLook(Look look) {
  pictures_->setCurrentIndex(int(look));
  looks_->setCurrent(int(look));
  showCell();
  panel_->setFigure(look == Look::Space ? static_cast<const Figure*>(space_) : frames_);
  showMatrices();
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

void ElasticView::compareWirings() {
  auto* dialog = new WiringDialog(style_, document_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

}  // namespace tfm::ui
