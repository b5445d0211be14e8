// SPDX-License-Identifier: GPL-3.0-or-later
// How the matrices are looked at, at which of them, and what can be dragged of it.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <algorithm>

#include "ui/growth/growth_animation.h"
#include "ui/growth/growth_legend.h"
#include "ui/growth/growth_map.h"
#include "ui/growth/growth_wall.h"
#include "ui/scene/matrix_wall.h"
#include "ui/scene/parameter_slabs.h"
#include "ui/style/style.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/grow/proof_panel.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

// From these heights on there is room for the logits below a picture; one that scrolls needs less.
constexpr int kRoomy = 720;
constexpr int kRoomyIfScrolled = 540;

/// The product of the dimension's other factors, as of heads x key where the key size is dragged;
/// nothing where it has no such axis.
std::optional<std::int64_t> othersBeside(Axis axis, const Shape& shape, Qt::Orientation along) {
  if (shape.empty() || (along == Qt::Vertical && shape.size() < 2)) return std::nullopt;
  std::int64_t others = 1;
  bool found = false;
  for (const AxisSize& factor : (along == Qt::Vertical ? shape.front() : shape.back()).factors) {
    if (factor.axis == axis)
      found = true;
    else
      others *= factor.size;
  }
  return found ? std::optional(others) : std::nullopt;
}

/// The matrices of a preview; their numbers stay where they are.
std::vector<GrownCells> cellsOf(const std::shared_ptr<const GrowthPreview>& preview) {
  std::vector<GrownCells> cells;
  cells.reserve(preview->matrices.size());
  for (const expand::GrownMatrix& matrix : preview->matrices)
    cells.emplace_back(std::shared_ptr<const expand::GrownMatrix>(preview, &matrix),
                       std::ranges::find(preview->unpaired, matrix.growth.after.name,
                                         &ParameterInfo::name) != preview->unpaired.end());
  return cells;
}

}  // namespace

std::vector<GrownCells> GrowView::describedCells() const { return cellsOf(described()); }

void GrowView::showMatrices(std::shared_ptr<const GrowthPreview> preview) {
  shown_ = std::move(preview);
  std::vector<GrownCells> cells = cellsOf(shown_);
  const bool planned = !shown_->changes().empty();
  const auto same_name = [](const GrownCells& a, const GrownCells& b) {
    return a.name() == b.name();
  };
  const bool others = !std::ranges::equal(cells, cells_, same_name);
  cells_ = std::move(cells);
  wall_->setShowAll(all_->isChecked() || !planned);
  wall_->setTitle(panel_->title());
  legend_->setMatrices(cells_);
  wall_->setMatrices(cells_);
  showTools();
  if (pictures_->currentWidget() == space_) showSpace();
  const int selection = wall_->selection();
  const bool shown =
      std::find(wall_->shown().begin(), wall_->shown().end(), selection) != wall_->shown().end();
  const expand::Change* change = selectedChange();
  const auto kind = change != nullptr ? std::optional(change->growth.kind) : std::nullopt;
  const bool lead = !shown || others || (kind && kind != led_to_);
  if (kind) led_to_ = kind;
  if (others || which_->count() != int(wall_->shown().size())) listMatrices();
  showMatrix(lead ? firstOfSelected() : selection);
  if (lead) showCell({});
}

const expand::ParameterGrowth* GrowView::grownBySelected(int matrix) const {
  const expand::Change* change = selectedChange();
  if (change == nullptr || matrix < 0 || matrix >= int(cells_.size())) return nullptr;
  const std::string name = cells_[std::size_t(matrix)].name().toStdString();
  const auto found = std::ranges::find_if(
      change->parameters,
      [&](const expand::ParameterGrowth& p) { return p.after.name == name && p.grows(); });
  return found == change->parameters.end() ? nullptr : &*found;
}

std::optional<std::int64_t> GrowView::draggedSize(Qt::Orientation along, int indices) const {
  const expand::ParameterGrowth* grown = grownBySelected(wall_->selection());
  if (grown == nullptr) return std::nullopt;
  const auto axis = axisOf(selectedChange()->growth.kind);
  const auto others = axis ? othersBeside(*axis, grown->after.shape, along) : std::nullopt;
  if (!others) return std::nullopt;
  return std::max<std::int64_t>(1, indices / *others);
}

void GrowView::dragged(Qt::Orientation along, int indices) {
  const auto size = draggedSize(along, indices);
  if (!size) return;
  expand::Plan plan = planner_->plan();
  expand::Growth& growth = plan[std::size_t(selected_)];
  growth.size = *size;
  try {
    expand::outlineGrowth(selectedChange()->before, growth, planner_->preview()->before->step);
  } catch (const Error&) {
    return;  // the edge waits for the next size that can be done
  }
  planner_->setPlan(std::move(plan));
}

int GrowView::firstOfSelected() const {
  const std::vector<int>& shown = wall_->shown();
  const auto grown =
      std::ranges::find_if(shown, [this](int i) { return grownBySelected(i) != nullptr; });
  if (grown != shown.end()) return *grown;
  return shown.empty() ? -1 : shown.front();
}

void GrowView::showMatrix(int matrix) {
  if (matrix < 0 || matrix >= int(cells_.size())) {
    map_->setMatrix({});
    return;
  }
  wall_->select(matrix);
  map_->setMatrix(cells_[std::size_t(matrix)]);
  Qt::Edges edges;
  if (draggedSize(Qt::Horizontal, 1)) edges |= Qt::RightEdge;
  if (draggedSize(Qt::Vertical, 1)) edges |= Qt::BottomEdge;
  map_->setDraggable(edges);
  wall_->setDraggable(edges);
  which_->setCurrentIndex(which_->findData(matrix));
  showLegend();
}

void GrowView::listMatrices() {
  which_->clear();
  for (const int index : wall_->shown()) {
    const ParameterCaption caption = cells_[std::size_t(index)].caption();
    which_->addItem(caption.place + QStringLiteral(": ") + caption.name, index);
  }
}

void GrowView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showTools();
}

void GrowView::showTools() {
  const bool scrolls = pictures_->currentWidget() == wall_;
  proof_->setRoomy(height() >= style_.px(scrolls ? kRoomyIfScrolled : kRoomy));
  const bool changes = shown_ && !shown_->changes().empty();
  const bool tells = described() != nullptr;
  pair_->setEnabled(tells);
  pays_->setVisible(!planner_->plan().empty());
  further_->setVisible(tells || !planner_->plan().empty());
  all_->setVisible(changes && pictures_->currentWidget() == wall_);
  which_->setVisible(pictures_->currentWidget() == map_);
}

void GrowView::showCell(const QString& cell) {
  if (!cell.isEmpty()) return cell_->setText(cell);
  const bool drag = pictures_->currentWidget() != space_ &&
                    (draggedSize(Qt::Horizontal, 1) || draggedSize(Qt::Vertical, 1));
  cell_->setText(drag ? tr("Point at a cell to read it. Drag the matrix's blue edge to choose the "
                           "new size.")
                      : tr("Point at a cell to read it."));
}

void GrowView::showLook(Look look) {
  animation_->finish();
  pictures_->setCurrentIndex(int(look));
  looks_->setCurrent(int(look));
  const Figure* figures[] = {wall_, map_, space_};
  panel_->setFigure(figures[int(look)]);
  showTools();
  showCell({});
  showLegend();
  if (look == Look::Space && shown_) showSpace();
}

void GrowView::showSpace() {
  const ModelState& before = *shown_->before;
  space_->setSlabs(parameterSlabs(before.config, before.layout));
  setParameters(*space_, before);
  setUnpaired(*space_, before.layout, shown_->unpaired);
  if (shown_->changes().empty()) return;
  const ModelState& after = shown_->after();
  space_->setGrowth(parameterSlabs(after.config, after.layout), shown_->matrices);
  // As the flat looks do: the marks of zero and free entries are on what has grown.
  if (!growing_) space_->setGrowthProgress(1.0);
}

void GrowView::showLegend() {
  const bool explained = shown_ && (!shown_->changes().empty() || shown_->is_difference);
  // The scene has its own.
  legend_->setVisible(explained && pictures_->currentWidget() != space_);
  legend_->setScale(pictures_->currentWidget() == map_ ? map_->scale() : wall_->scale());
}

}  // namespace tfm::ui
