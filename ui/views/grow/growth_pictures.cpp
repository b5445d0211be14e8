// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/growth_pictures.h"

#include <QComboBox>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <algorithm>
#include <array>
#include <memory>

#include "core/expand/kinds.h"
#include "ui/document/growth_planner.h"
#include "ui/growth/growth_film.h"
#include "ui/growth/growth_legend.h"
#include "ui/growth/growth_map.h"
#include "ui/growth/growth_wall.h"
#include "ui/scene/matrix_wall.h"
#include "ui/scene/parameter_slabs.h"
#include "ui/style/palette.h"
#include "ui/style/style.h"
#include "ui/views/grow/plan_editor.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

/// The product of the dimension's other factors, e.g. the heads of heads x key when the key size is
/// dragged; none without that axis.
std::optional<std::int64_t> othersBeside(Axis axis, const Shape& shape, Qt::Orientation along) {
  // A vector is a column.
  if (shape.empty() || (along == Qt::Horizontal && shape.size() < 2)) return std::nullopt;
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

/// Paints the frames of a growth in 3-D, with the camera and aspect ratio of `seen`.
FramePainter filmInSpace(const Style& style, const MatrixWall& seen, const QString& title,
                         const GrowthPreview& growth, const QSize& frame) {
  // A separate wall, so that the one on screen does not change.
  const auto wall = std::make_shared<MatrixWall>(style);
  wall->resize(seen.size());
  const ModelState &before = *growth.before, &after = growth.after();
  wall->setSlabs(parameterSlabs(before.layout.parameters));
  setParameters(*wall, growth.before);
  wall->setGrowth(parameterSlabs(after.layout.parameters), growth.matrices);
  wall->setCamera(seen.camera());
  return [wall, title, frame](QPainter& painter, QSize, double t) {
    wall->setGrowthProgress(t);
    const QRectF room = paintFilmTitle(painter, frame, title, paperPalette());
    const QSizeF page = wall->figureSize();
    const double zoom = std::min(room.width() / page.width(), room.height() / page.height());
    painter.save();
    painter.translate(room.center().x() - zoom * page.width() / 2, room.top());
    painter.scale(zoom, zoom);
    wall->paintFigure(painter, QRectF(QPointF(), page), paperPalette());
    painter.restore();
  };
}

}  // namespace

std::vector<GrownCells> cellsOf(const std::shared_ptr<const GrowthPreview>& preview) {
  std::vector<GrownCells> cells;
  cells.reserve(preview->matrices.size());
  for (const expand::GrownMatrix& matrix : preview->matrices)
    cells.emplace_back(std::shared_ptr<const expand::GrownMatrix>(preview, &matrix),
                       std::ranges::find(preview->unpaired, matrix.growth.after.name,
                                         &ParameterInfo::name) != preview->unpaired.end());
  return cells;
}

GrowthPictures::GrowthPictures(Style& style, const PlanEditor& plan, QWidget* parent)
    : QWidget(parent),
      style_(style),
      plan_(plan),
      which_(new QComboBox),
      looks_(new QStackedWidget),
      wall_(new GrowthWall(style)),
      map_(new GrowthMap(style)),
      space_(new MatrixWall(style)),
      legend_(new GrowthLegend(style)) {
  wall_->setShowAll(true);
  wall_->setTitle(tr("The matrices"));  // until a plan names it
  which_->setAccessibleName(tr("Shown matrix"));
  which_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  looks_->addWidget(wall_);
  looks_->addWidget(map_);
  looks_->addWidget(space_);
  setLayout(columnOf({{which_, 0, Qt::AlignLeft}, {looks_, 1}, legend_}));

  connect(which_, &QComboBox::activated, this,
          [this] { showMatrix(which_->currentData().toInt()); });
  connect(wall_, &GrowthWall::selected, this, &GrowthPictures::showMatrix);
  connect(wall_, &GrowthWall::cellHovered, this, [this](int matrix, int row, int col) {
    const bool any = matrix >= 0 && matrix < int(cells_.size()) && row >= 0;
    showCell(any ? cells_[std::size_t(matrix)].describe(row, col) : QString());
  });
  connect(map_, &CellGrid::hovered, this,
          [this](int cell) { showCell(cell >= 0 ? map_->itemText(cell) : QString()); });
  const auto show_cell_in_space = [this] {
    const auto cell = space_->shownCell();
    showCell(cell ? space_->describe(*cell) : QString());
  };
  for (const auto signal : {&MatrixWall::cellHovered, &MatrixWall::cellPicked})
    connect(space_, signal, this, show_cell_in_space);
  for (const auto signal : {&MatrixWall::hoverEnded, &MatrixWall::pickCleared})
    connect(space_, signal, this, show_cell_in_space);
  connect(map_, &GrowthMap::sizeDragged, this, &GrowthPictures::drag);
  connect(wall_, &GrowthWall::sizeDragged, this, &GrowthPictures::drag);
  showTools();
}

GrowthPictures::Look GrowthPictures::look() const { return Look(looks_->currentIndex()); }

QWidget* GrowthPictures::picture() const { return looks_->currentWidget(); }

const Figure* GrowthPictures::figure() const {
  return std::array<const Figure*, 3>{wall_, map_, space_}.at(std::size_t(look()));
}

FramePainter GrowthPictures::film(const std::shared_ptr<const GrowthPreview>& growth,
                                  const QString& title, const QSize& frame) const {
  if (look() == Look::Space && space_->available())
    return filmInSpace(style_, *space_, title, *growth, frame);
  std::vector<GrownCells> cells = cellsOf(growth);
  if (const int one = wall_->selection(); look() == Look::One && one >= 0)
    cells = {cells[std::size_t(one)]};
  const auto film = std::make_shared<GrowthFilm>(style_, title, cells, frame);
  return [film](QPainter& painter, QSize, double t) { film->paint(painter, t, paperPalette()); };
}

void GrowthPictures::showLook(Look look) {
  looks_->setCurrentIndex(int(look));
  showTools();
  showCell({});
  showLegend();
  if (look == Look::Space && shown_) showSpace();
}

void GrowthPictures::showMatrices(std::shared_ptr<const GrowthPreview> preview,
                                  const QString& title) {
  shown_ = std::move(preview);
  std::vector<GrownCells> cells = cellsOf(shown_);
  const auto same_name = [](const GrownCells& a, const GrownCells& b) {
    return a.name() == b.name();
  };
  const bool others = !std::ranges::equal(cells, cells_, same_name);
  cells_ = std::move(cells);
  wall_->setTitle(title);
  legend_->setMatrices(cells_);
  wall_->setMatrices(cells_);
  showTools();
  if (look() == Look::Space) showSpace();
  const int selection = wall_->selection();
  const expand::Change* change = plan_.change();
  const auto kind = change != nullptr ? std::optional(change->growth.kind) : std::nullopt;
  const bool lead = others || (kind && kind != led_to_);
  if (kind) led_to_ = kind;
  if (others || which_->count() != int(wall_->shown().size())) listMatrices();
  if (lead)
    showSelected();
  else
    showMatrix(selection);
  if (wanted_.empty()) return;
  choose(wanted_);
  wanted_.clear();
}

void GrowthPictures::showSelected() {
  const std::vector<int> grown = grownBySelected();
  // Without a plan nobody has chosen one, but one can be looked at.
  showMatrix(grown.empty() ? 0 : grown.front());
  if (grown.empty()) wall_->select(-1);
  wall_->zoomTo(grown);
  showCell({});
}

void GrowthPictures::fit() {
  if (look() == Look::Space)
    space_->showView(space_->view().value_or(MatrixWall::kHome));
  else
    wall_->fit();
}

void GrowthPictures::choose(const std::string& parameter) {
  const auto& shown = wall_->shown();
  const auto found = std::ranges::find_if(shown, [&](int index) {
    return cells_[std::size_t(index)].name().toStdString() == parameter;
  });
  wanted_ = found == shown.end() ? parameter : std::string();
  if (found != shown.end()) showMatrix(*found);
}

std::string GrowthPictures::chosen() const {
  const int matrix = wall_->selection();
  return matrix < 0 || matrix >= int(cells_.size())
             ? std::string()
             : cells_[std::size_t(matrix)].name().toStdString();
}

void GrowthPictures::setProgress(double progress) {
  progress_ = progress;
  wall_->setProgress(progress);
  map_->setProgress(progress);
  if (look() == Look::Space && space_->showsGrowth()) space_->setGrowthProgress(progress);
}

const expand::ParameterGrowth* GrowthPictures::grownBySelected(int matrix) const {
  const expand::Change* change = plan_.change();
  if (change == nullptr || matrix < 0 || matrix >= int(cells_.size())) return nullptr;
  const std::string name = cells_[std::size_t(matrix)].name().toStdString();
  const auto found = std::ranges::find_if(
      change->parameters,
      [&](const expand::ParameterGrowth& p) { return p.after.name == name && p.grows(); });
  return found == change->parameters.end() ? nullptr : &*found;
}

std::optional<std::int64_t> GrowthPictures::draggedSize(Qt::Orientation along, int indices) const {
  const expand::ParameterGrowth* grown = grownBySelected(wall_->selection());
  if (grown == nullptr) return std::nullopt;
  const auto axis = expand::rowOf(plan_.change()->growth.kind).axis;
  const auto others = axis ? othersBeside(*axis, grown->after.shape, along) : std::nullopt;
  if (!others) return std::nullopt;
  return std::max<std::int64_t>(1, indices / *others);
}

Qt::Edges GrowthPictures::draggable() const {
  Qt::Edges edges;
  if (draggedSize(Qt::Horizontal, 1)) edges |= Qt::RightEdge;
  if (draggedSize(Qt::Vertical, 1)) edges |= Qt::BottomEdge;
  return edges;
}

void GrowthPictures::drag(Qt::Orientation along, int indices) {
  if (const auto size = draggedSize(along, indices)) emit sizeDragged(*size);
}

std::vector<int> GrowthPictures::grownBySelected() const {
  std::vector<int> grown;
  for (int i = 0; i < int(cells_.size()); ++i)
    if (grownBySelected(i) != nullptr) grown.push_back(i);
  return grown;
}

void GrowthPictures::showMatrix(int matrix) {
  if (matrix < 0 || matrix >= int(cells_.size())) {
    map_->setMatrix({});
    return;
  }
  wall_->select(matrix);
  map_->setMatrix(cells_[std::size_t(matrix)]);
  map_->setDraggable(draggable());
  wall_->setDraggable(draggable());
  which_->setCurrentIndex(which_->findData(matrix));
  showLegend();
}

void GrowthPictures::listMatrices() {
  which_->clear();
  for (const int index : wall_->shown()) {
    const ParameterCaption caption = cells_[std::size_t(index)].caption();
    which_->addItem(caption.place + QStringLiteral(": ") + caption.name, index);
  }
}

void GrowthPictures::showTools() { which_->setVisible(look() == Look::One); }

void GrowthPictures::showCell(const QString& cell) {
  const bool drag = look() != Look::Space && draggable() != Qt::Edges();
  emit cellShown(!cell.isEmpty() ? cell
                 : drag ? tr("Hover a cell to read it. Drag the matrix's blue edge to choose "
                             "the new size.")
                        : tr("Hover a cell to read it."));
}

void GrowthPictures::showSpace() {
  const ModelState& before = *shown_->before;
  space_->setSlabs(parameterSlabs(before.layout.parameters));
  setParameters(*space_, shown_->before);
  setUnpaired(*space_, before.layout, shown_->unpaired);
  if (shown_->changes().empty()) return;
  const ModelState& after = shown_->after();
  space_->setGrowth(parameterSlabs(after.layout.parameters), shown_->matrices);
  // As in the flat looks: marks of zero and free entries appear on the grown parts.
  space_->setGrowthProgress(progress_);
}

void GrowthPictures::showLegend() {
  const bool explained = shown_ && (!shown_->changes().empty() || shown_->is_difference);
  // The scene has its own legend.
  legend_->setVisible(explained && look() != Look::Space);
  legend_->setScale(look() == Look::One ? map_->scale() : wall_->scale());
}

}  // namespace tfm::ui
