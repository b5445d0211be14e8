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
#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/views/shape/length_band.h"
#include "ui/views/shape/scaling_panel.h"
#include "ui/views/shape/shape_words.h"
#include "ui/views/shape/width_strands.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/pin_chip.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/side_zone.h"
#include "ui/widgets/value_strip.h"

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
      style_(style),
      document_(document),
      panel_(new Panel(style)),
      sides_(new Segmented(style, {tr("Length"), tr("Width")})),
      stacks_(new Segmented(style, {tr("Encoder"), tr("Decoder")})),
      models_(new QComboBox),
      pictures_(new QStackedWidget),
      band_(new LengthBand(style)),
      strands_(new WidthStrands(style)),
      scaling_(new ScalingPanel(style)),
      inspector_(makeInspector()) {
  setSides(inspector_);
  sides_->setAccessibleName(tr("What changes"));
  stacks_->setAccessibleName(tr("Stack"));
  models_->setAccessibleName(tr("Model whose shape is shown"));
  models_->setToolTip(tr("The open model with its states, or the outlines of another"));
  models_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  models_->addItem(tr("The open model"));
  for (const Preset& preset : presets())
    if (hasShape(preset.config())) models_->addItem(QString::fromUtf8(preset.name));
  pictures_->addWidget(band_);
  pictures_->addWidget(strands_);
  panel_->setTitle(tr("Shape"));
  band_->setTitle(tr("Shape: length"));
  strands_->setTitle(tr("Shape: width"));
  panel_->addTool(models_);
  panel_->addTool(stacks_);
  panel_->addTool(sides_);
  panel_->setBody(pictures_);
  panel_->setFigure(band_);
  panel_->setExplanation(ShapeWords::page(),
                         {{pictures_, tr("The picture"),
                           tr("The output states of each layer, or the maps inside it.")},
                          {models_, tr("Model"), tr("The open one, or the outlines of a preset.")},
                          {cost_section_, tr("Length and cost"),
                           tr("Positions and operations of each layer, and its share of all.")}});
  addParts(new QVBoxLayout(this), {panel_});
  connectAll();
  takeModel();
}

QWidget* ShapeView::makeInspector() {
  auto* inspector = new SideZone(style_, 260);
  kept_ = new PinChip(style_, tr("locked"));
  name_ = wrappedLabel("strong");
  words_ = wrappedLabel("muted");
  strip_ = new ValueStrip(style_);
  strip_->setTitle(tr("Its state"));
  costs_ = new BarList(style_);
  costs_->setTitle(tr("Length and cost of each layer"));
  inspector->addSection(tr("Chosen"), {kept_, name_, words_, strip_});
  scaling_section_ =
      inspector->addSection(tr("Block-wise scaling"), {scaling_},
                            tr("Deeper blocks are deeper and wider. Drag the ends."));
  scaling_section_->setFigure(&scaling_->chart());
  scaling_section_->hide();
  cost_section_ = inspector->addSection(tr("Length and cost"), {costs_});
  cost_section_->setFigure(costs_);
  return inspector;
}

void ShapeView::connectAll() {
  connect(sides_, &Segmented::currentChanged, this, [this] {
    chosen_side_ = true;
    showShape();
  });
  connect(stacks_, &Segmented::currentChanged, this, &ShapeView::showShape);
  connect(models_, &QComboBox::activated, this, &ShapeView::takeModel);
  for (CellGrid* grid : {static_cast<CellGrid*>(band_), static_cast<CellGrid*>(strands_)}) {
    connect(grid, &CellGrid::hovered, this, &ShapeView::showChosen);
    connect(grid, &CellGrid::locked, this, &ShapeView::showChosen);
    connect(grid, &CellGrid::unlocked, this, &ShapeView::showChosen);
  }
  connect(kept_, &PinChip::closed, this, [this] {
    grid().showLock(std::nullopt);
    showChosen();
  });
  connect(scaling_, &ScalingPanel::scalingChanged, this, [this] {
    draft_ = model();
    if (!draft_) return;
    rescaleDelight(*draft_, scaling_->scaling());
    scaling_->setCost(nullptr);
    computeShape();
  });
  connect(scaling_, &ScalingPanel::startRequested, this, &ShapeView::start);
  connect(&document_, &ModelDocument::replaced, this, [this] {
    models_->setCurrentIndex(0);
    takeModel();
  });
  connect(&document_.moments(), &Moments::shapeChanged, this, [this] {
    if (showsOpenModel()) takeModel();
  });
  connect(&document_.observing(), &Observing::snapshotChanged, this, &ShapeView::takeSnapshot);
}

bool ShapeView::showsOpenModel() const { return models_->currentIndex() == 0 && !draft_; }

std::optional<ModelConfig> ShapeView::model() const {
  if (draft_) return draft_;
  if (models_->currentIndex() > 0)
    return presetNamed(models_->currentText().toStdString()).config();
  return document_.isOpen() ? std::optional(document_.moments().model()) : std::nullopt;
}

BatchShape ShapeView::batchFor(const ModelConfig& model) const {
  // A preset at its longest; the open model, also with another scaling, at the length of its text.
  const auto& snapshot = document_.observing().snapshot();
  if (models_->currentIndex() > 0 || !snapshot || snapshot->probe.batch.size == 0)
    return fullShape(model, 1);
  const Batch& batch = snapshot->probe.batch;
  return {batch.size, batch.source_length, batch.target_length};
}

void ShapeView::takeModel() {
  draft_.reset();
  shape_.reset();
  chosen_side_ = false;
  job_.forget();
  const auto shown = model();
  scaling_->setModel(shown);
  scaling_->setCost(nullptr);
  if (shown) return computeShape();
  band_->setStages({}, {});
  strands_->setStages({});
  panel_->setSentence(tr("Open a model, or choose one here to see its outlines."));
}

void ShapeView::computeShape() {
  const auto config = model();
  if (!config) return;
  const auto work = [config = *config, batch = batchFor(*config)] {
    Shaped made;
    made.problem = problemOf([&] { made.shape = shapeOf(config, batch); });
    return made;
  };
  job_.start(work, [this](Shaped result) { takeShape(std::move(result)); });
}

void ShapeView::takeShape(Shaped result) {
  const bool can_start = document_.isOpen() && document_.task() != nullptr;
  scaling_->setProblem(result.problem ? QString::fromStdString(result.problem->what())
                       : can_start    ? QString()
                                      : tr("Training needs a task: open a model with one."));
  if (!result.shape) {
    if (!shape_) panel_->setSentence(QString::fromStdString(result.problem->what()));
    return;
  }
  const bool first = !shape_;
  shape_ = std::move(result.shape);
  scaling_->setCost(&*shape_);
  if (first && !chosen_side_) {
    const QSignalBlocker quiet(sides_);
    sides_->setCurrent(
        int(shape_->hasGroups() && !shape_->hasLengths() ? Side::Width : Side::Length));
  }
  stacks_->setVisible(!shape_->encoder.empty() && !shape_->decoder.empty());
  showShape();
  takeSnapshot();
}

void ShapeView::showSide(Side side) { sides_->setCurrent(int(side)); }

ShapeView::Side ShapeView::side() const { return Side(sides_->current()); }

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

CellGrid& ShapeView::grid() const {
  return side() == Side::Length ? static_cast<CellGrid&>(*band_) : *strands_;
}

QWidget* ShapeView::picture() const { return &grid(); }

Need ShapeView::need() const {
  if (!shape_ || !showsOpenModel()) return {};
  std::vector<std::string> names;
  for (const observe::StackStage& stage : stages()) {
    if (side() == Side::Length) names.push_back(stage.states);
    for (const observe::PassedMap& map : stage.maps)
      if (side() == Side::Width) names.insert(names.end(), {map.input, map.output});
  }
  std::string pattern;
  for (const std::string& name : names) pattern += (pattern.empty() ? "" : ",") + name;
  return {.pattern = pattern};
}

void ShapeView::shown() { takeSnapshot(); }

void ShapeView::showShape() {
  if (!shape_) return;
  const bool length = side() == Side::Length;
  pictures_->setCurrentIndex(sides_->current());
  panel_->setFigure(length ? static_cast<const Figure*>(band_) : strands_);
  const QString of = models_->currentIndex() == 0 ? QString() : models_->currentText();
  panel_->setTitle(of.isEmpty() ? tr("Shape") : tr("Shape of %1").arg(of));
  band_->setStages(stages(), tokens());
  strands_->setStages(stages());
  band_->setTitle(tr("%1: length").arg(panel_->title()));
  strands_->setTitle(tr("%1: width").arg(panel_->title()));
  panel_->setSentence(length ? ShapeWords::lengthSentence(stages())
                             : ShapeWords::widthSentence(strands_->chains()));
  cost_section_->setVisible(length);
  scaling_section_->setVisible(!length && shape_->hasGroups());
  showCosts();
  updateNeed();
  showValues();
  showChosen();
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
  band_->setStages(stages(), tokens());
  showValues();
  showChosen();
}

void ShapeView::showValues() {
  const auto& snapshot = document_.observing().snapshot();
  std::vector<std::vector<float>> states;
  std::map<std::string, std::vector<float>> passed;
  const auto seen = [&](const std::string& name) -> const std::vector<float>* {
    const auto found = snapshot->observed.find(name);
    return found == snapshot->observed.end() ? nullptr : &found->second.values;
  };
  if (showsOpenModel() && snapshot) {
    for (const observe::StackStage& stage : stages()) {
      const std::vector<float>* values = seen(stage.states);
      if (values != nullptr && std::int64_t(values->size()) == stage.length * stage.width)
        states.push_back(*values);
      for (const observe::PassedMap& map : stage.maps)
        for (const std::string& name : {map.input, map.output})
          if (const auto* numbers = seen(name)) passed[name] = *numbers;
    }
    // Of another look; the next one has all that is shown.
    if (states.size() != stages().size()) states.clear();
  }
  band_->setValues(std::move(states));
  strands_->setValues(std::move(passed));
}

void ShapeView::showCosts() {
  std::vector<BarRow> rows;
  for (const observe::StackStage& stage : stages()) {
    if (stage.layer < 0) continue;
    const double share = double(stage.flops) / double(std::max<std::int64_t>(1, shape_->flops));
    rows.push_back(
        {ShapeWords::shortStageName(stage),
         share,
         {},
         {QString::number(stage.length), shortNumber(double(stage.flops)), percentText(share)}});
  }
  costs_->setColumns({tr("positions"), tr("operations"), tr("of all")});
  costs_->setRows(std::move(rows));
}

QString ShapeView::asked(const observe::StackStage& stage) const {
  const auto& snapshot = document_.observing().snapshot();
  if (!showsOpenModel() || !snapshot) return {};
  using observe::AttentionKind;
  const AttentionKind kind =
      stage.stack == Stack::Decoder ? AttentionKind::DecoderSelf : AttentionKind::EncoderSelf;
  for (const observe::AttentionSite& site : snapshot->sites)
    if (site.kind == kind && site.layer == stage.layer)
      return tr(" Here, the layer's attention has %1 keys: a map of %2 × %1.")
          .arg(site.shape.keys)
          .arg(site.shape.queries);
  return {};
}

void ShapeView::showChosen() {
  if (!shape_) return;
  const int item = grid().shownItem();
  const bool length = side() == Side::Length;
  kept_->setVisible(grid().lockedItem() >= 0);
  name_->setVisible(item >= 0);
  strip_->setVisible(item >= 0 && length && !band_->values().empty());
  if (item < 0)
    return words_->setText(length ? tr("Hover a position to see what it holds and what it becomes; "
                                       "click to lock it.")
                                  : tr("Hover a strand to see what its group reads and writes; "
                                       "click to lock it."));
  if (!length) {
    const Strand& strand = strands_->strandLayout().strands[std::size_t(item)];
    name_->setText(ShapeWords::chainName(strands_->chains()[strand.chain]));
    return words_->setText(strands_->strandText(item));
  }
  const std::size_t stage = band_->items().stageOf(item);
  const std::int64_t position = band_->items().positionOf(item);
  name_->setText(band_->labelOf(stage, position));
  words_->setText(band_->itemText(item) + asked(band_->stages()[stage]));
  if (band_->values().empty()) return;
  const auto width = std::size_t(band_->stages()[stage].width);
  const auto first = band_->values()[stage].begin() + std::ptrdiff_t(std::size_t(position) * width);
  strip_->setLimit(band_->scale().high);
  strip_->setValues({first, first + std::ptrdiff_t(width)});
}

void ShapeView::start() {
  const auto config = model();
  if (!config || !document_.isOpen() || document_.task() == nullptr) return;
  scaling_->startButton().setEnabled(false);
  document_.startInBackground(*config, document_.task()->config(), document_.training().config(),
                              [this](const std::optional<Error>& problem) {
                                scaling_->startButton().setEnabled(true);
                                if (problem) return emit failed(*problem);
                                emit started();
                              });
}

}  // namespace tfm::ui
