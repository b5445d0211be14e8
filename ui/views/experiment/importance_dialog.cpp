// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/importance_dialog.h"

#include <QCheckBox>
#include <algorithm>
#include <utility>

#include "ui/document/model_document.h"
#include "ui/document/shown_model.h"
#include "ui/figure/number_text.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/study/study_controls.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

constexpr std::size_t kMostUnits = 256;  // more neurons than these are switched off in groups

/// "dec 1 cross": labels of rows are short.
QString rowLabel(const observe::Unit& unit) {
  const QString layer = unit.stack == Stack::Encoder ? ImportanceDialog::tr("enc %1")
                                                     : ImportanceDialog::tr("dec %1");
  QString label = layer.arg(unit.layer + 1);
  if (!unit.block.empty()) label += ' ' + QString::fromStdString(unit.block).section('_', 0, 0);
  return label;
}

/// The row and column of each unit.
std::vector<std::pair<int, int>> placesOf(const train::ImportanceMap& map) {
  std::vector<std::pair<int, int>> places;
  int row = -1;
  const observe::Unit* before = nullptr;
  for (const train::UnitImportance& one : map.units) {
    const observe::Unit& unit = one.unit;
    const bool same = before != nullptr && before->stack == unit.stack &&
                      before->layer == unit.layer && before->block == unit.block;
    if (!same) ++row;
    places.emplace_back(row, same ? places.back().second + 1 : 0);
    before = &unit;
  }
  return places;
}

}  // namespace

HeatMap importanceHeatMap(const train::ImportanceMap& map, bool loss) {
  const auto places = placesOf(map);
  int rows = 0, cols = 0;
  for (const auto& [row, col] : places) {
    rows = std::max(rows, row + 1);
    cols = std::max(cols, col + 1);
  }
  HeatMap picture = maskedMap(rows, cols);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto [row, col] = places[i];
    const train::UnitImportance& unit = map.units[i];
    if (col == 0) picture.row_labels += rowLabel(unit.unit);
    if (unit.done) setCell(picture, row, col, loss ? map.lossAdded(unit) : map.accuracyLost(unit));
  }
  for (int col = 0; col < picture.cols; ++col) picture.col_labels += QString::number(col + 1);
  picture.row_title = ImportanceDialog::tr("layer");
  picture.col_title = ImportanceDialog::tr("switched off");
  picture.name = loss ? ImportanceDialog::tr("Loss added without each part")
                      : ImportanceDialog::tr("Accuracy lost without each part");
  picture.scale = ColorScale::signedTo(niceLimit(picture));
  return picture;
}

ImportanceDialog::ImportanceDialog(const Style& style, ModelDocument& document, QWidget* parent)
    : MapDialog(style, document, new ImportanceStudy, tr("Importance of parts"), tr("Measure"),
                {tr("Accuracy"), tr("Loss")}, parent),
      kinds_(new Segmented(style, {tr("Heads"), tr("Neurons"), tr("Layers")})),
      mean_(new QCheckBox(tr("Set to the mean instead of 0"))),
      off_(pushButton(tr("Switch it off"), tr("Switch the locked part off in the window, too"))) {
  kinds_->setAccessibleName(tr("Parts to switch off"));
  measures_->setAccessibleName(tr("What is lost"));
  map_->setAccessibleName(tr("Importance of parts"));
  panel_->setExplanation(
      tr("Every part is switched off alone, and the model answers the same held-out questions "
         "(Michel et al. 2019). The drop shows what this part adds to all the others: "
         "two parts that do the same add nothing alone. A negative number means that the "
         "model is better without it.\n\nSetting a part to its mean over held-out examples, "
         "instead of 0, keeps the part of its output that does not depend on the question."));
  addParts(new QVBoxLayout(this), {{panel_, 1}, rowOf({kinds_, mean_, kStretch, off_}), run_})
      ->setSpacing(style.px(12));
  resize(style.px(760), style.px(560));
  for (const auto signal : {&CellGrid::locked, &CellGrid::hovered})
    connect(map_, signal, this, &ImportanceDialog::showCell);
  connect(map_, &CellGrid::unlocked, this, &ImportanceDialog::showCell);
  connect(off_, &QPushButton::clicked, this, &ImportanceDialog::switchOff);
  showMap();
}

void ImportanceDialog::switchOff() {
  const train::UnitImportance* unit = unitAt(map_->lockedCell());
  if (unit == nullptr) return;
  try {
    document_.interventions().add(changeOf(unit->unit.target));
  } catch (const Error& problem) {  // the model has changed meanwhile
    panel_->setSentence(QString::fromUtf8(problem.what()));
  }
}

void ImportanceDialog::start() {
  train::ImportanceOptions options;
  options.of = observe::UnitKind(kinds_->current());
  options.mean = mean_->isChecked();
  options.threads = document_.training().threads();
  if (options.of == observe::UnitKind::Neurons) {
    const auto all = observe::unitsOf(document_.moments().model(), options.of).size();
    options.group = std::int64_t((all + kMostUnits - 1) / kMostUnits);
    options.group = std::max<std::int64_t>(1, options.group);
  }
  study().start([task = document_.sharedTask(), options,
                 model = shownModel(document_, document_.interventions().inForce())](
                    const ImportanceStudy::Progress& progress) {
    return train::importance(task, model(), options, progress);
  });
}

const train::UnitImportance* ImportanceDialog::unitAt(const std::optional<Cell>& cell) const {
  const auto& result = study().result();
  if (!result || !cell) return nullptr;
  const auto places = placesOf(*result);
  const auto found = std::ranges::find(places, std::pair(cell->row, cell->col));
  if (found == places.end()) return nullptr;
  return &result->units[std::size_t(found - places.begin())];
}

QString ImportanceDialog::sentence() const {
  const auto& result = study().result();
  if (!result) return tr("What the model loses when one part of it is switched off.");
  const train::UnitImportance* unit = unitAt(map_->shownCell());
  if (unit == nullptr || !unit->done)
    return tr("The whole model: %1 % right, loss %2, on %3 held-out examples.")
        .arg(fixedNumber(100.0 * result->whole.accuracy(), 1), shortNumber(result->whole.loss))
        .arg(result->whole.examples);
  return tr("Without %1: %2 % right, loss %3.")
      .arg(placeInWords(QString::fromStdString(unit->unit.target)),
           fixedNumber(100.0 * unit->score.accuracy(), 1), shortNumber(unit->score.loss));
}

void ImportanceDialog::showMap() {
  const auto& result = study().result();
  showResult(
      document_.task() != nullptr ? QString() : tr("The model needs a task to be measured."),
      {kinds_, mean_},
      result ? std::optional(importanceHeatMap(*result, measures_->current() == 1)) : std::nullopt);
  showCell();
}

void ImportanceDialog::showCell() {
  off_->setEnabled(unitAt(map_->lockedCell()) != nullptr);
  panel_->setSentence(sentence());
}

}  // namespace tfm::ui
