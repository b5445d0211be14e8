// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shape/shape_pictures.h"

#include "ui/views/shape/length_band.h"
#include "ui/views/shape/shape_words.h"
#include "ui/views/shape/width_strands.h"

namespace tfm::ui {

ShapePictures::ShapePictures(const Style& style, QWidget* parent)
    : QStackedWidget(parent), band_(new LengthBand(style)), strands_(new WidthStrands(style)) {
  for (CellGrid* grid : {static_cast<CellGrid*>(band_), static_cast<CellGrid*>(strands_)}) {
    addWidget(grid);
    for (const auto signal : {&CellGrid::hovered, &CellGrid::locked})
      connect(grid, signal, this, &ShapePictures::choiceChanged);
    connect(grid, &CellGrid::unlocked, this, &ShapePictures::choiceChanged);
  }
}

CellGrid& ShapePictures::grid() const {
  return side() == ShapeSide::Length ? static_cast<CellGrid&>(*band_) : *strands_;
}

const Figure& ShapePictures::figure() const {
  return side() == ShapeSide::Length ? static_cast<const Figure&>(*band_) : *strands_;
}

void ShapePictures::setTitle(const QString& title) {
  band_->setTitle(tr("%1: length").arg(title));
  strands_->setTitle(tr("%1: width").arg(title));
}

void ShapePictures::setStages(const Stages& stages, const QStringList& tokens) {
  band_->setStages(stages, tokens);
  strands_->setStages(stages);
}

std::vector<std::string> ShapePictures::tensors() const {
  std::vector<std::string> names;
  for (const observe::StackStage& stage : band_->stages()) {
    if (side() == ShapeSide::Length) names.push_back(stage.states);
    for (const observe::PassedMap& map : stage.maps)
      if (side() == ShapeSide::Width) names.insert(names.end(), {map.input, map.output});
  }
  return names;
}

void ShapePictures::setValues(const observe::Observations& observed) {
  const Stages& stages = band_->stages();
  std::vector<std::vector<float>> states;
  std::map<std::string, std::vector<float>> passed;
  const auto seen = [&](const std::string& name) -> const std::vector<float>* {
    const auto found = observed.find(name);
    return found == observed.end() ? nullptr : &found->second.values;
  };
  for (const observe::StackStage& stage : stages) {
    const std::vector<float>* values = seen(stage.states);
    if (values != nullptr && std::int64_t(values->size()) == stage.length * stage.width)
      states.push_back(*values);
    for (const observe::PassedMap& map : stage.maps)
      for (const std::string& name : {map.input, map.output})
        if (const auto* numbers = seen(name)) passed[name] = *numbers;
  }
  // Of another look; the next one has all that is shown.
  if (states.size() != stages.size()) states.clear();
  band_->setValues(std::move(states));
  strands_->setValues(std::move(passed));
}

QString ShapePictures::sentence() const {
  return side() == ShapeSide::Length ? ShapeWords::lengthSentence(band_->stages())
                                     : ShapeWords::widthSentence(strands_->chains());
}

std::optional<ShapeChoice> ShapePictures::choice() const {
  const int item = grid().shownItem();
  if (item < 0) return std::nullopt;
  ShapeChoice choice;
  if (side() == ShapeSide::Width) {
    const Strand& strand = strands_->strandLayout().strands[std::size_t(item)];
    choice.name = ShapeWords::chainName(strands_->chains()[strand.chain]);
    choice.words = strands_->strandText(item);
    return choice;
  }
  const auto position = band_->items().positionOf(item);
  choice.stage = band_->items().stageOf(item);
  choice.name = band_->labelOf(choice.stage, position);
  choice.words = band_->itemText(item);
  if (band_->values().empty()) return choice;
  const auto width = std::size_t(band_->stages()[choice.stage].width);
  const auto first =
      band_->values()[choice.stage].begin() + std::ptrdiff_t(std::size_t(position) * width);
  choice.state.assign(first, first + std::ptrdiff_t(width));
  choice.limit = band_->scale().high;
  return choice;
}

}  // namespace tfm::ui
