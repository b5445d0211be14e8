// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/attention_forms.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include "ui/heatmap/heat_map_view.h"
#include "ui/heatmap/lines_view.h"
#include "ui/views/attention/attention_pictures.h"
#include "ui/views/attention/batch_view.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

constexpr int kLongestName = 24;  // of a text, in letters

/// Whether `b` can be shown by updating the values of `a`.
bool onlyValuesDiffer(const HeatMap& a, const HeatMap& b) {
  return a.rows == b.rows && a.cols == b.cols && a.masked == b.masked &&
         a.row_labels == b.row_labels && a.col_labels == b.col_labels &&
         a.row_title == b.row_title && a.col_title == b.col_title && a.name == b.name &&
         a.scale == b.scale;
}

QWidget* abreast(QWidget* one, QWidget* other) {
  auto* both = new QWidget;
  both->setLayout(rowOf({{one, 1}, {other, 1}}));
  other->hide();
  return both;
}

template <class View>
void give(View& view, const HeatMap& map) {
  if (onlyValuesDiffer(view.map(), map))
    view.setValues(map.values);
  else
    view.setMap(map);
}

void nameAfterText(HeatMap& map, const AttentionMaps& maps) {
  const QString question = QString::fromStdString(maps.probe().question).simplified();
  map.name = AttentionForms::tr("text %1: %2").arg(maps.text()).arg(question.left(kLongestName));
  map.col_title =  // the end may be cut off
      AttentionForms::tr("%1 · %2").arg(map.name, map.col_title);
}

}  // namespace

AttentionForms::AttentionForms(const Style& style, QWidget* parent)
    : QStackedWidget(parent),
      cells_(new HeatMapView(style)),
      second_cells_(new HeatMapView(style)),
      lines_(new LinesView(style)),
      second_lines_(new LinesView(style)),
      batch_(new BatchView(style)) {
  addWidget(abreast(cells_, second_cells_));
  addWidget(abreast(lines_, second_lines_));
  addWidget(batch_);
  for (CellGrid* grid :
       std::initializer_list<CellGrid*>{cells_, second_cells_, lines_, second_lines_}) {
    const auto touch = [this, second = grid == second_cells_ || grid == second_lines_] {
      at_second_ = second && has_second_;
      emit cellChanged();
    };
    const auto lock = [this, touch] {
      touch();
      emit lockChanged();
    };
    connect(grid, &CellGrid::hovered, this, touch);
    connect(grid, &CellGrid::locked, this, lock);
    connect(grid, &CellGrid::unlocked, this, lock);
  }
  connect(cells_, &HeatMapView::rowsSelected, this, [this](const QList<int>& rows) {
    rows_.assign(rows.begin(), rows.end());
    emit cellChanged();
  });
}

std::vector<QWidget*> AttentionForms::pictures() const {
  return {cells_, second_cells_, lines_, second_lines_, batch_};
}

QString AttentionForms::show(const AttentionContent& content, const AttentionChoice& choice,
                             bool less_pin, Form form) {
  form_ = form;
  HeatMap map = largeMap(content.minuend(choice.map, less_pin),
                         content.subtrahend(choice.map, less_pin), choice);
  QString name = map.name;
  has_second_ = content.second && content.second->has(choice.map);
  second_cells_->setVisible(has_second_);
  second_lines_->setVisible(has_second_);
  at_second_ = at_second_ && has_second_;
  if (has_second_) {
    HeatMap other = largeMap(*content.second, nullptr, choice);
    if (map.scale.high < other.scale.high)
      map.scale = other.scale;
    else
      other.scale = map.scale;
    nameAfterText(map, content.maps);
    nameAfterText(other, *content.second);
    give(*second_cells_, other);
    give(*second_lines_, other);
    if (form == Form::Lines)
      both_.setParts({lines_, second_lines_});
    else
      both_.setParts({cells_, second_cells_});
  }
  showForm(map);
  return name;
}

void AttentionForms::showForm(const HeatMap& map) {
  if (map.rows != cells_->map().rows || map.cols != cells_->map().cols) {
    cell_.reset();
    rows_.clear();
  }
  // Ignore what they unlock until both have the new map.
  const QSignalBlocker cells_quiet(cells_);
  const QSignalBlocker lines_quiet(lines_);
  if (currentIndex() != int(form_)) {
    give(*lines_, map);
    const bool had_focus = isAncestorOf(QApplication::focusWidget());
    setCurrentIndex(int(form_));
    QWidget* const wanted = form_ == Form::Batch   ? static_cast<QWidget*>(batch_)
                            : form_ == Form::Lines ? static_cast<QWidget*>(lines_)
                                                   : cells_;
    if (had_focus) wanted->setFocus();
  }
  give(*cells_, map);
  if (form_ == Form::Lines) give(*lines_, map);
}

void AttentionForms::clear() {
  cell_.reset();
  rows_.clear();
  has_second_ = at_second_ = false;
  for (HeatMapView* map : {cells_, second_cells_}) map->setMap({});
  for (LinesView* lines : {lines_, second_lines_}) lines->setMap({});
}

bool AttentionForms::hasMap() const { return cells_->map().rows > 0; }

std::optional<Cell> AttentionForms::touched(const AttentionMaps& maps,
                                            const AttentionChoice& choice) const {
  if (form_ != Form::Lines) return touchedCells().shownCell();
  const auto token = touchedLines().shownToken();
  if (!token) return std::nullopt;
  // The cell locked in the map stays the explained one.
  const auto& locked = touchedCells().lockedCell();
  if (locked && *token == Token{Token::Side::Looking, locked->row}) return locked;
  return strongestCell(maps, choice, *token);
}

InspectedCell AttentionForms::inspected(const AttentionContent& content,
                                        const AttentionChoice& choice, bool less_pin) {
  const AttentionMaps& maps = at_second_ ? *content.second : content.maps;
  if (const auto shown = touched(maps, choice)) cell_ = shown;
  if (!cell_) cell_ = strongestCell(maps, choice, {Token::Side::Looking, 0});
  const HeatMap& map = touchedCells().map();
  if (cell_->row >= map.rows || cell_->col >= map.cols) cell_ = Cell{0, 0};
  const bool locked = form_ == Form::Lines ? touchedLines().lockedToken().has_value()
                                           : touchedCells().lockedCell().has_value();
  return {content.second ? maps : content.minuend(choice.map, less_pin),
          choice,
          map,
          *cell_,
          locked,
          rows_,
          content.subtrahend(choice.map, less_pin)};
}

void AttentionForms::setLocked(const AttentionLock& lock) {
  const auto& cell = lock.cell;
  // The row of a locked cell is locked among the lines.
  const auto token =
      lock.token || !cell ? lock.token : std::optional(Token{Token::Side::Looking, cell->row});
  for (HeatMapView* map : {cells_, second_cells_}) {
    const bool has = cell && cell->row < map->map().rows && cell->col < map->map().cols;
    map->showLock(has ? cell : std::nullopt);
  }
  for (LinesView* lines : {lines_, second_lines_}) {
    const int most = !token                                ? 0
                     : token->side == Token::Side::Looking ? lines->map().rows
                                                           : lines->map().cols;
    lines->showLock(token && token->index < most ? token : std::nullopt);
  }
  if (cell) cell_ = cell;
}

AttentionLock AttentionForms::locked() const {
  if (form_ != Form::Lines) return {touchedCells().lockedCell(), std::nullopt};
  const auto token = touchedLines().lockedToken();
  return token ? AttentionLock{touchedCells().lockedCell(), token} : AttentionLock{};
}

const Figure& AttentionForms::figure() const {
  if (form_ == Form::Batch) return *batch_;
  if (has_second_) return both_;
  return form_ == Form::Lines ? static_cast<const Figure&>(*lines_) : *cells_;
}

void AttentionForms::setFigureTitle(const QString& title) {
  title_ = title;
  both_.setTitle(title);
}

void AttentionForms::paintFigure(QPainter& painter, const QRectF& area,
                                 const Palette& palette) const {
  figure().paintFigure(painter, area, palette);
}

}  // namespace tfm::ui
