// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/elastic_pictures.h"

#include <QComboBox>
#include <QStackedWidget>
#include <algorithm>
#include <numeric>

#include "ui/document/submodel_explorer.h"
#include "ui/elastic/nested_frames.h"
#include "ui/elastic/width_slider.h"
#include "ui/scene/matrix_wall.h"
#include "ui/style/style.h"
#include "ui/views/elastic/elastic_space.h"
#include "ui/views/elastic/elastic_words.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {

ElasticPictures::ElasticPictures(const Style& style, SubmodelExplorer& explorer, QWidget* parent)
    : QWidget(parent),
      explorer_(explorer),
      layers_(new QComboBox),
      looks_(new Segmented(style, {tr("Matrices"), tr("3-D")})),
      pictures_(new QStackedWidget),
      frames_(new NestedFrames(style)),
      space_(new MatrixWall(style)),
      slider_(new WidthSlider(style, Qt::Horizontal)),
      cell_(wrappedLabel("muted", ElasticWords::hint(false))) {
  layers_->setAccessibleName(tr("Layer whose matrices are shown"));
  layers_->setToolTip(layers_->accessibleName());
  layers_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  looks_->setAccessibleName(tr("How the matrices are shown"));
  space_->setFigureTitle(tr("Parameters of the chosen submodel"));
  pictures_->addWidget(frames_);
  pictures_->addWidget(space_);
  cell_->setMinimumHeight(2 * cell_->fontMetrics().height());
  auto* name = new QLabel(tr("Width of all layers"));
  setRole(*name, "strong");
  slider_->setAccessibleName(name->text());
  // The slider is above: on a small screen the part below may be hidden.
  setLayout(columnOf(style, 4, {name, slider_, {pictures_, 1}, cell_}));
  layout()->setContentsMargins(0, 0, style.px(10), 0);
  connect(looks_, &Segmented::currentChanged, this, [this](int look) { showLook(Look(look)); });
  connect(layers_, &QComboBox::activated, this, &ElasticPictures::showLayer);
  connect(slider_, &WidthSlider::dragged, this, &ElasticPictures::chooseAll);
  connect(frames_, &NestedFrames::widthDragged, this, &ElasticPictures::chooseOne);
  for (const auto signal : {&CellGrid::hovered, &CellGrid::locked})
    connect(frames_, signal, this, &ElasticPictures::showCell);
  connect(frames_, &CellGrid::unlocked, this, &ElasticPictures::showCell);
}

QWidget* ElasticPictures::picture() const { return pictures_->currentWidget(); }

bool ElasticPictures::showsSpace() const { return picture() == space_; }

const Figure* ElasticPictures::figure() const {
  return showsSpace() ? static_cast<const Figure*>(space_) : frames_;
}

void ElasticPictures::showLook(Look look) {
  pictures_->setCurrentIndex(int(look));
  looks_->setCurrent(int(look));
  showCell();
  emit lookShown();
  showState();
}

void ElasticPictures::showLayer(int layer) {
  if (layer < 0 || layer >= layers_->count()) return;
  layer_ = layer;
  layers_->setCurrentIndex(layer);
  emit layerShown(layer);
  showState();
}

void ElasticPictures::showModel() {
  const auto& granularities = explorer_.granularities();
  for (QWidget* one : std::initializer_list<QWidget*>{slider_, layers_})
    one->setEnabled(!granularities.empty());
  if (granularities.empty()) return;
  const ModelConfig& config = explorer_.state()->config;
  const std::vector<std::int64_t> full = fullWidths(config);
  layers_->clear();
  layers_->addItems(layerNames(config));
  layer_ = std::clamp(layer_, 0, layers_->count() - 1);
  layers_->setCurrentIndex(layer_);
  const auto widest = std::ranges::max_element(full);
  slider_->setScale(int(*widest), ticksOf(granularities, std::size_t(widest - full.begin())));
}

void ElasticPictures::showState() {
  if (!explorer_.state() || explorer_.granularities().empty() || !isVisible()) return;
  if (showsSpace())
    return showInSpace(*space_, explorer_.state(), explorer_.granularities(), explorer_.choice());
  frames_->setLayer(nestedLayer(*explorer_.state(), std::size_t(layer_)));
  frames_->setTicks(ticksOf(explorer_.granularities(), std::size_t(layer_)));
  frames_->setWidth(int(explorer_.choice().widths[std::size_t(layer_)]));
  showCell();
}

void ElasticPictures::showCell() {
  const int cell = frames_->shownItem();
  cell_->setText(cell >= 0 && !showsSpace() ? frames_->itemText(cell)
                                            : ElasticWords::hint(showsSpace()));
}

void ElasticPictures::showChoice() {
  const std::vector<std::int64_t>& widths = explorer_.choice().widths;
  // A layer narrower than the width is used in full.
  const std::vector<std::int64_t> full = fullWidths(explorer_.state()->config);
  const std::int64_t largest = std::ranges::max(widths);
  bool alike = true;
  for (std::size_t i = 0; i < widths.size(); ++i)
    alike = alike && widths[i] == std::min(largest, full[i]);
  const auto sum = std::accumulate(widths.begin(), widths.end(), std::int64_t{0});
  slider_->showWidth(int(alike ? largest : sum / std::int64_t(widths.size())), !alike);
  if (showsSpace())
    fadeOutside(*space_, *explorer_.state(), explorer_.granularities(), explorer_.choice());
  else
    frames_->setWidth(int(widths[std::size_t(layer_)]));
  showCell();
}

void ElasticPictures::chooseAll(int width) {
  if (!explorer_.state()) return;
  std::vector<std::int64_t> widths = fullWidths(explorer_.state()->config);
  for (std::int64_t& one : widths) one = std::min<std::int64_t>(one, width);
  explorer_.chooseWidths(widths);
}

void ElasticPictures::chooseOne(int width) {
  std::vector<std::int64_t> widths = explorer_.choice().widths;
  if (layer_ >= int(widths.size())) return;
  widths[std::size_t(layer_)] = width;
  explorer_.chooseWidths(widths);
}

}  // namespace tfm::ui
