// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/map_dialog.h"

#include <utility>

#include "ui/document/model_document.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/study/study_controls.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {

HeatMap maskedMap(int rows, int cols) {
  HeatMap map;
  map.rows = rows;
  map.cols = cols;
  const auto cells = std::size_t(rows) * std::size_t(cols);
  map.values.assign(cells, 0.0F);
  map.masked.assign(cells, 1);
  return map;
}

void setCell(HeatMap& map, int row, int col, double value) {
  const auto cell = std::size_t(row) * std::size_t(map.cols) + std::size_t(col);
  map.values[cell] = float(value);
  map.masked[cell] = 0;
}

MapDialog::MapDialog(const Style& style, ModelDocument& document, BackgroundStudy* study,
                     const QString& title, const QString& words, const QStringList& measures,
                     QWidget* parent)
    : QDialog(parent),
      document_(document),
      study_(study),
      run_(new StudyControls(style, *study, words)),
      panel_(new Panel(style)),
      measures_(new Segmented(style, measures)),
      map_(new HeatMapView(style)) {
  study_->setParent(this);
  setWindowTitle(title);
  run_->setPrimary();
  panel_->setTitle(title);
  panel_->setBody(map_);
  panel_->addTool(measures_);
  connect(run_, &StudyControls::startRequested, this, [this] {
    in_force_ = document_.interventions().inForce();
    start();
    showMap();
  });
  const auto show = [this] { showMap(); };
  connect(study_, &BackgroundStudy::advanced, this, show);
  connect(study_, &BackgroundStudy::finished, this, show);
  connect(&document_, &ModelDocument::replaced, this, show);
  connect(measures_, &Segmented::currentChanged, this, show);
}

void MapDialog::showResult(const QString& why_not, std::initializer_list<QWidget*> choices,
                           std::optional<HeatMap> map) {
  const bool can = why_not.isEmpty();
  run_->setIdle(can, can ? tr("Your What-if changes also apply here.") : why_not, !can);
  for (QWidget* choice : choices) choice->setEnabled(!study_->isRunning());
  if (map) {
    map->name = titleWith(map->name, in_force_);
    map_->setMap(*std::move(map));
    panel_->setFigure(map_);
  }
}

void MapDialog::showMeasured() {
  constexpr std::int64_t kSmall = 200'000;  // parameters
  show();
  run_->button()->setFocus();  // what can be chosen is locked while it measures
  if (document_.moments().layout().total <= kSmall) run_->button()->click();
}

void MapDialog::reject() { study_->isRunning() ? run_->cancel() : QDialog::reject(); }

}  // namespace tfm::ui
