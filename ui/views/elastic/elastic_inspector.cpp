// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/elastic_inspector.h"

#include <QPushButton>

#include "ui/document/model_document.h"
#include "ui/document/submodel_explorer.h"
#include "ui/elastic/nested_frames.h"
#include "ui/elastic/width_bars.h"
#include "ui/figure/save_path.h"
#include "ui/views/elastic/elastic_numbers.h"
#include "ui/views/elastic/mix_panel.h"
#include "ui/widgets/controls.h"

namespace tfm::ui {

ElasticInspector::ElasticInspector(const Style& style, ModelDocument& document,
                                   SubmodelExplorer& explorer, QWidget* parent)
    : SideZone(style, 240, parent),
      document_(document),
      explorer_(explorer),
      bars_(new WidthBars(style)),
      numbers_(new ElasticNumbers(style)),
      extract_(
          pushButton(tr("Extract..."), tr("Save the chosen submodel as a document of its own"))),
      mixes_(new MixPanel(style, explorer)) {
  addSection(tr("Width of each layer"), {bars_});
  addSection(tr("The chosen submodel"), {numbers_, extract_});
  addSection(tr("Mix'n'Match"), {mixes_},
             tr("A different width for each layer, without further training."));
  setFolds();
  connect(bars_, &WidthBars::dragged, this, [this] { explorer_.chooseWidths(bars_->widths()); });
  connect(extract_, &QPushButton::clicked, this, &ElasticInspector::extract);
}

void ElasticInspector::showModel(int layer) {
  const auto& granularities = explorer_.granularities();
  extract_->setEnabled(!granularities.empty());
  if (granularities.empty()) return;
  const ModelConfig& config = explorer_.state()->config;
  bars_->setModel(layerNames(config), fullWidths(config), granularities);
  bars_->setChosen(layer);
}

void ElasticInspector::showChoice() { bars_->showWidths(explorer_.choice().widths); }

void ElasticInspector::showScores() {
  numbers_->setHeldOut(document_.hasHeldOutExamples());
  numbers_->showScores(explorer_.choiceName(), explorer_.choiceScore(), explorer_.wholeScore());
}

void ElasticInspector::extract() {
  const QString proposal = QString::fromStdString(document_.codec().name()) + '-' +
                           explorer_.choiceName().replace(',', '-').replace('/', '_') +
                           QStringLiteral(".safetensors");
  const QString path = askSavePath(
      this, {tr("Save the submodel"), proposal, tr("Transformarium documents (*.safetensors)")},
      QStringLiteral("safetensors"));
  if (!path.isEmpty()) extractTo(path);
}

void ElasticInspector::extractTo(const QString& path) {
  explorer_.extract(path, [this, name = explorer_.choiceName(), path](const auto& problem) {
    if (problem)
      emit failed(*problem);
    else
      emit saved(name, path);
  });
}

}  // namespace tfm::ui
