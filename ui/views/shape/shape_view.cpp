// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shape/shape_view.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>

#include "core/data/task.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "ui/document/model_document.h"
#include "ui/views/shape/length_band.h"
#include "ui/views/shape/scaling_panel.h"
#include "ui/views/shape/shape_inspector.h"
#include "ui/views/shape/shape_pictures.h"
#include "ui/views/shape/shape_words.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

enum StackChoice { kEncoder, kDecoder };

/// Whether lengths or widths change on the way through the model.
bool hasShape(const ModelConfig& config) {
  return config.changesLength() || delightScaling(config).has_value();
}

}  // namespace

ShapeView::ShapeView(Style& style, ModelDocument& document, QWidget* parent)
    : View(document.observing(), parent),
      document_(document),
      panel_(new Panel(style)),
      sides_(new Segmented(style, {tr("Length"), tr("Width")})),
      stacks_(new Segmented(style, {tr("Encoder"), tr("Decoder")})),
      models_(new QComboBox),
      pictures_(new ShapePictures(style)),
      inspector_(new ShapeInspector(style)) {
  setSides(inspector_);
  sides_->setAccessibleName(tr("What changes"));
  stacks_->setAccessibleName(tr("Stack"));
  models_->setAccessibleName(tr("Model whose shape is shown"));
  models_->setToolTip(tr("The open model with its states, or the outlines of another"));
  models_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  models_->addItem(tr("The open model"));
  for (const Preset& preset : presets())
    if (hasShape(preset.config())) {
      models_->addItem(QString::fromUtf8(preset.name));
      models_->setItemData(models_->count() - 1, QString::fromUtf8(preset.description),
                           Qt::ToolTipRole);
    }
  panel_->setTitle(tr("Shape"));
  pictures_->setTitle(panel_->title());
  panel_->addTool(models_);
  panel_->addTool(stacks_);
  panel_->addTool(sides_);
  panel_->addFit([this] { pictures_->grid().fit(); });
  panel_->setBody(pictures_);
  panel_->setFigure(&pictures_->figure());
  panel_->setExplanation(ShapeWords::page(),
                         {{pictures_, tr("The picture"),
                           tr("The output states of each layer, or the maps inside it.")},
                          {models_, tr("Model"), tr("The open one, or the outlines of a preset.")},
                          {inspector_->costs(), tr("Length and cost"),
                           tr("Positions and operations of each layer, and its share of all.")}});
  addParts(new QVBoxLayout(this), {panel_});
  connectAll();
  takeModel();
  const auto kept = [this] {
    const int model = models_->currentIndex();
    return ShapeShown{model == 0 ? std::string() : models_->currentText().toStdString(),
                      ShapeSide(sides_->current()), stacks_->current() == kDecoder};
  };
  keepAs(kept, [this](const ShapeShown& state) {
    showPreset(state.model);
    showStack(state.decoder ? Stack::Decoder : Stack::Encoder);
    chosen_side_ = true;
    showSide(state.side);
  });
}

std::vector<io::Field> fieldsOf(ShapeShown& s) {
  return {{"model", "A preset; none: the open model", io::text(s.model)},
          {"side", "What changes on the way", io::choice(s.side, {"length", "width"})},
          {"decoder", "The shown stack", io::SwitchSlot{&s.decoder}}};
}

void ShapeView::connectAll() {
  connect(sides_, &Segmented::currentChanged, this, [this] {
    chosen_side_ = true;
    showShape();
  });
  connect(stacks_, &Segmented::currentChanged, this, &ShapeView::showShape);
  connect(models_, &QComboBox::activated, this, &ShapeView::takeModel);
  connect(pictures_, &ShapePictures::choiceChanged, this, &ShapeView::showChoice);
  connect(inspector_, &ShapeInspector::unlockRequested, this, [this] {
    pictures_->grid().showLock(std::nullopt);
    showChoice();
  });
  connect(&scaling(), &ScalingPanel::scalingChanged, this, [this] {
    draft_ = model();
    if (!draft_) return;
    rescaleDelight(*draft_, scaling().scaling());
    scaling().setCost(nullptr);
    computeShape();
  });
  connect(&scaling(), &ScalingPanel::startRequested, this, &ShapeView::start);
  connect(&document_, &ModelDocument::replaced, this, [this] {
    models_->setCurrentIndex(0);
    takeModel();
  });
  connect(&document_.moments(), &Moments::shapeChanged, this, [this] {
    if (showsOpenModel()) takeModel();
  });
  connect(&document_.observing(), &Observing::snapshotChanged, this, &ShapeView::takeSnapshot);
}

ScalingPanel& ShapeView::scaling() const { return inspector_->scaling(); }

bool ShapeView::showsOpenModel() const { return models_->currentIndex() == 0 && !draft_; }

std::optional<ModelConfig> ShapeView::model() const {
  if (draft_) return draft_;
  if (models_->currentIndex() > 0)
    return presetNamed(models_->currentText().toStdString()).config();
  return document_.isOpen() ? std::optional(document_.moments().model()) : std::nullopt;
}

void ShapeView::takeModel() {
  draft_.reset();
  shape_.reset();
  chosen_side_ = false;
  job_.forget();
  const auto shown = model();
  scaling().setModel(shown);
  scaling().setCost(nullptr);
  if (shown) return computeShape();
  pictures_->setStages({}, {});
  panel_->setSentence(tr("Open a model, or choose one here to see its outlines."));
}

void ShapeView::computeShape() {
  const auto config = model();
  if (!config) return;
  // A preset at its longest; the open model, also with another scaling, at the length of its text.
  BatchShape batch = fullShape(*config, 1);
  const auto& snapshot = document_.observing().snapshot();
  if (models_->currentIndex() == 0 && snapshot && snapshot->probe.batch.size > 0) {
    const Batch& probed = snapshot->probe.batch;
    batch = {probed.size, probed.source_length, probed.target_length};
  }
  const auto work = [config = *config, batch] {
    Shaped made;
    made.problem = problemOf([&] { made.shape = shapeOf(config, batch); });
    return made;
  };
  job_.start(work, [this](Shaped result) { takeShape(std::move(result)); });
}

void ShapeView::takeShape(Shaped result) {
  const bool can_start = document_.isOpen() && document_.task() != nullptr;
  scaling().setProblem(result.problem ? QString::fromStdString(result.problem->what())
                       : can_start    ? QString()
                                      : tr("Training needs a task: open a model with one."));
  if (!result.shape) {
    if (!shape_) panel_->setSentence(QString::fromStdString(result.problem->what()));
    return;
  }
  const bool first = !shape_;
  shape_ = std::move(result.shape);
  scaling().setCost(&*shape_);
  if (first && !chosen_side_) {
    const QSignalBlocker quiet(sides_);
    sides_->setCurrent(
        int(shape_->hasGroups() && !shape_->hasLengths() ? ShapeSide::Width : ShapeSide::Length));
  }
  stacks_->setVisible(!shape_->encoder.empty() && !shape_->decoder.empty());
  showShape();
  takeSnapshot();
}

void ShapeView::showSide(ShapeSide side) { sides_->setCurrent(int(side)); }

void ShapeView::showStack(Stack stack) {
  stacks_->setCurrent(stack == Stack::Decoder ? kDecoder : kEncoder);
}

void ShapeView::showPreset(const std::string& name) {
  const int index = name.empty() ? 0 : models_->findText(QString::fromStdString(name));
  models_->setCurrentIndex(std::max(0, index));
  takeModel();
}

Stack ShapeView::stack() const {
  if (shape_->encoder.empty()) return Stack::Decoder;
  if (shape_->decoder.empty()) return Stack::Encoder;
  return stacks_->current() == kDecoder ? Stack::Decoder : Stack::Encoder;
}

QWidget* ShapeView::picture() const { return &pictures_->grid(); }

Need ShapeView::need() const {
  if (!shape_ || !showsOpenModel()) return {};
  std::string pattern;
  for (const std::string& name : pictures_->tensors())
    pattern += (pattern.empty() ? "" : ",") + name;
  return {.pattern = pattern};
}

void ShapeView::shown() { takeSnapshot(); }

void ShapeView::showShape() {
  if (!shape_) return;
  pictures_->showSide(ShapeSide(sides_->current()));
  panel_->setFigure(&pictures_->figure());
  const QString of = models_->currentIndex() == 0 ? QString() : models_->currentText();
  panel_->setTitle(of.isEmpty() ? tr("Shape") : tr("Shape of %1").arg(of));
  pictures_->setTitle(panel_->title());
  pictures_->setStages(shape_->stages(stack()), tokens());
  panel_->setSentence(pictures_->sentence());
  inspector_->showSide(pictures_->side(), shape_->hasGroups());
  inspector_->showCosts(shape_->stages(stack()), shape_->flops);
  updateNeed();
  showValues();
}

QStringList ShapeView::tokens() const {
  QStringList tokens;
  const auto& snapshot = document_.observing().snapshot();
  if (showsOpenModel() && snapshot)
    for (const std::string& label :
         stack() == Stack::Decoder ? snapshot->probe.decoder_labels : snapshot->probe.source_labels)
      tokens << QString::fromStdString(label);
  return tokens;
}

void ShapeView::takeSnapshot() {
  const auto& snapshot = document_.observing().snapshot();
  if (!isVisible() || !shape_ || !showsOpenModel() || !snapshot) return;
  const Batch& batch = snapshot->probe.batch;
  if (batch.size > 0 &&
      shape_->batch != BatchShape{batch.size, batch.source_length, batch.target_length})
    return computeShape();
  pictures_->band().setStages(shape_->stages(stack()), tokens());
  showValues();
}

void ShapeView::showValues() {
  const auto& snapshot = document_.observing().snapshot();
  pictures_->setValues(showsOpenModel() && snapshot ? snapshot->observed : observe::Observations{});
  showChoice();
}

void ShapeView::showChoice() {
  if (!shape_) return;
  const bool length = pictures_->side() == ShapeSide::Length;
  std::optional<ShapeChoice> choice = pictures_->choice();
  const auto& snapshot = document_.observing().snapshot();
  if (choice && length && showsOpenModel() && snapshot)
    choice->words += ShapeWords::asked(snapshot->sites, shape_->stages(stack())[choice->stage]);
  inspector_->showChoice(
      choice, pictures_->grid().lockedItem() >= 0,
      length ? tr("Hover a position to see what it holds and what it becomes; click to lock it.")
             : tr("Hover a strand to see what its group reads and writes; click to lock it."));
}

void ShapeView::start() {
  const auto config = model();
  if (!config || !document_.isOpen() || document_.task() == nullptr) return;
  if (!document_.mayReplace()) return;
  scaling().startButton().setEnabled(false);
  document_.startInBackground(*config, document_.task()->config(), document_.training().config(),
                              [this](const std::optional<Error>& problem) {
                                scaling().startButton().setEnabled(true);
                                if (problem) return emit failed(*problem);
                                emit started();
                              });
}

}  // namespace tfm::ui
