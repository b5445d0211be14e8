// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/attention_view.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/document/model_document.h"
#include "ui/document/task_words.h"
#include "ui/heatmap/heat_grid.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/heatmap/lines_view.h"
#include "ui/style/style.h"
#include "ui/views/attention/attention_aside.h"
#include "ui/views/attention/attention_inspector.h"
#include "ui/views/attention/attention_pictures.h"
#include "ui/views/attention/attention_tools.h"
#include "ui/views/attention/attention_words.h"
#include "ui/views/attention/batch_view.h"
#include "ui/views/question_field.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"

namespace tfm::ui {
namespace {

constexpr double kMaxForHeads = 0.3;   // of the width
constexpr double kMaxForWhole = 0.38;  // if less would cut off small maps
constexpr double kMinHeight = 310;     // at scale 1, without the sentence
constexpr double kCalm = 440;          // with less height, only the maps are shown
constexpr double kMinBeside = 700;     // at scale 1: with less width, only the maps are shown
constexpr int kLongestName = 24;       // of a text, in letters
constexpr double kWide = 780;          // at scale 1: room for title and question on one line

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

}  // namespace

AttentionView::AttentionView(const Style& style, ModelDocument& document, QWidget* parent)
    : View(document.observing(), parent),
      style_(style),
      document_(document),
      panel_(new Panel(style)),
      question_(new QuestionField(style, document.observing())),
      grid_(new HeatGrid(style)),
      cells_(new HeatMapView(style)),
      second_cells_(new HeatMapView(style)),
      lines_(new LinesView(style)),
      second_lines_(new LinesView(style)),
      batch_(new BatchView(style)),
      forms_(new QStackedWidget),
      aside_(new AttentionAside(style)),
      tools_(new AttentionTools(style)),
      inspector_(new AttentionInspector(style)) {
  panel_->setBody(makeBody());
  panel_->setExplanation(AttentionWords::page(),
                         AttentionWords::parts(*grid_, *forms_, *question_, *tools_, *inspector_));
  setLayout(columnOf({panel_}));
  grid_->setAccessibleName(tr("All heads"));
  forms_->addWidget(abreast(cells_, second_cells_));
  forms_->addWidget(abreast(lines_, second_lines_));
  forms_->addWidget(batch_);
  setTabOrder(question_, grid_);
  setTabOrder(grid_, cells_);
  setTabOrder(cells_, second_cells_);
  setTabOrder(second_cells_, lines_);
  setTabOrder(lines_, second_lines_);
  setTabOrder(second_lines_, batch_);
  setSides(inspector_);
  connectAll();
  addChanges();
  updateSizes();
  forget();
}

QWidget* AttentionView::makeBody() {
  // A map whose labels do not fit keeps them all and scrolls.
  auto* scroll = new QScrollArea;
  scroll->setWidget(forms_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->viewport()->setAutoFillBackground(false);
  forms_->setAutoFillBackground(false);
  auto* body = new QWidget;
  body_ = columnOf(style_, 12,
                   {question_, {rowOf(style_, 12, {grid_, {scroll, 1}, aside_}), 1}, tools_});
  body->setLayout(body_);
  return body;
}

void AttentionView::connectAll() {
  for (const auto signal : {&CellGrid::hovered, &CellGrid::locked}) {
    connect(grid_, signal, this, [this](int item) {
      const auto id = grid_->mapOf(item);
      if (!id || !maps_.has(*id)) return;  // the pointer left; keep the last preview
      map_ = *id;
      refresh();
    });
  }
  for (CellGrid* form :
       std::initializer_list<CellGrid*>{cells_, second_cells_, lines_, second_lines_}) {
    const bool second = form == second_cells_ || form == second_lines_;
    const auto inspect = [this, second] {
      at_second_ = second;
      refreshInspector();
    };
    for (const auto signal : {&CellGrid::hovered, &CellGrid::locked})
      connect(form, signal, this, inspect);
    connect(form, &CellGrid::unlocked, this, inspect);
  }
  for (const CellGrid* grid :
       {static_cast<const CellGrid*>(cells_), static_cast<const CellGrid*>(grid_)})
    connect(grid, &CellGrid::locked, this, &AttentionView::choose);
  connect(&document_.selection(), &Selection::changed, this, &AttentionView::followChoice);
  connect(cells_, &HeatMapView::rowsSelected, this, [this](const QList<int>& rows) {
    rows_.assign(rows.begin(), rows.end());
    refreshInspector();
  });
  connect(tools_, &AttentionTools::changed, this, [this] {
    updateNeed();
    refresh();
  });
  connect(question_, &QuestionField::shownChanged, this, &AttentionView::takeSnapshot);
  connect(&document_.observing(), &Observing::textsChanged, this, &AttentionView::takeSnapshot);
  connect(tools_, &AttentionTools::pinRequested, this, [this] { document_.moments().pin(Pin::A); });
  connect(inspector_, &AttentionInspector::unlockRequested, this,
          [this] { lockCell(std::nullopt); });
  connect(inspector_, &AttentionInspector::columnChosen, this, [this](int col) {
    if (cell_) lockCell(Cell{cell_->row, col});
  });
  connect(&document_.observing(), &Observing::snapshotChanged, this, &AttentionView::takeSnapshot);
  connect(&document_.moments(), &Moments::pinsChanged, this, &AttentionView::takePin);
  connect(&document_, &ModelDocument::replaced, this, &AttentionView::forget);
  connect(&document_.moments(), &Moments::shapeChanged, this, &AttentionView::forget);
  connect(&style_, &Style::changed, this, [this] {
    updateSizes();
    refreshInspector();
  });
}

void AttentionView::inspectorShown(bool shown) {
  alone_ = !shown;
  updateSizes();
}

Need AttentionView::need() const {
  return {
      .pattern = AttentionMaps::kWanted, .beside_pin = tools_->wantsDifference(), .texts = true};
}

void AttentionView::shown() {
  takePin();
  takeSnapshot();
  followChoice();
}

AttentionChoice AttentionView::choice() const {
  const bool rolls = tools_->rollout();
  return {map_, rolls ? AttentionStage::Softmax : tools_->stage(), rolls};
}

const AttentionMaps* AttentionView::subtrahend() const {
  if (minus_) return &*minus_;
  const bool subtracts = pinned_ && !second_ && tools_->difference() && pinned_->has(map_) &&
                         maps_.group(map_).comparable(pinned_->group(map_));
  if (!subtracts) return nullptr;
  return pinned_->step() > maps_.step() ? &maps_ : &*pinned_;
}

const AttentionMaps& AttentionView::minuend() const {
  return subtrahend() == &maps_ ? *pinned_ : maps_;
}

void AttentionView::refresh() {
  if (maps_.empty()) return;
  refreshTools();
  grid_->setCurrent(map_);
  HeatMap map = largeMap(minuend(), subtrahend(), choice());
  panel_->setTitle(map.name);
  panel_->setSentence(sentence());
  panel_->setFigure(this);
  showSecond(map);
  showLarge(std::move(map));
  if (tools_->batch()) showBatch();
  refreshInspector();
}

QString AttentionView::sentence() const {
  if (isLow()) return {};
  if (tools_->batch()) return AttentionWords::batchSentence();
  if (const AttentionMaps* minus = subtrahend())
    return AttentionWords::differenceSentence(minuend(), *minus, maps_.step());
  return AttentionWords::sentence(maps_.group(map_), choice(), TaskWords::of(document_.codec()));
}

void AttentionView::refreshTools() {
  const AttentionGroup& group = maps_.group(map_);
  tools_->setKeySize(group.keySize(map_.layer));
  tools_->setNoRollout(group.hasRollout() ? QString()
                       : group.kind == observe::AttentionKind::Cross
                           ? tr("No rollout of cross-attention: rows and columns are different "
                                "positions")
                           : tr("No rollout: rows are pooled, columns are not"));
  if (!document_.isOpen() || !document_.moments().pinnedStep(Pin::A)) return;
  // Snapshots of both that read the same are on their way.
  const auto alike = [this] {
    const train::ProbeInput &here = maps_.probe(), &there = pinned_->probe();
    return here.question == there.question && here.read == there.read &&
           here.written_labels == there.written_labels;
  };
  const bool can = !pinned_ || !tools_->wantsDifference() || !alike() ||
                   (pinned_->has(map_) && group.comparable(pinned_->group(map_)));
  tools_->setNoDifference(can ? QString() : AttentionWords::notComparable(*pinned_));
}

void AttentionView::showSecond(HeatMap& map) {
  const bool has = second_ && second_->has(map_);
  second_cells_->setVisible(has);
  second_lines_->setVisible(has);
  if (!has) {
    at_second_ = false;
    return;
  }
  HeatMap other = largeMap(*second_, nullptr, choice());
  if (map.scale.high < other.scale.high)
    map.scale = other.scale;
  else
    other.scale = map.scale;
  for (HeatMap* one : {&map, &other}) {
    const AttentionMaps& of = one == &map ? maps_ : *second_;
    const QString question = QString::fromStdString(of.probe().question).simplified();
    one->name = tr("text %1: %2").arg(of.text()).arg(question.left(kLongestName));
    one->col_title = tr("%1 · %2").arg(one->name, one->col_title);  // the end may be cut off
  }
  give(*second_cells_, other);
  give(*second_lines_, other);
  both_.setTitle(figureTitle());
  if (tools_->lines())
    both_.setParts({lines_, second_lines_});
  else
    both_.setParts({cells_, second_cells_});
}

void AttentionView::showLarge(HeatMap map) {
  if (map.rows != cells_->map().rows || map.cols != cells_->map().cols) {
    cell_.reset();
    rows_.clear();
  }
  // Ignore what they unlock until both have the new map.
  const QSignalBlocker cells_quiet(cells_);
  const QSignalBlocker lines_quiet(lines_);
  QWidget* const wanted = tools_->lines() ? static_cast<QWidget*>(lines_) : cells_;
  QWidget* const page = tools_->batch() ? batch_ : wanted->parentWidget();
  if (forms_->currentWidget() != page) {
    // What is locked stays locked in the other form.
    const auto locked = cells_->lockedCell();
    give(*lines_, map);
    if (wanted == lines_)
      lines_->showLock(locked ? std::optional(Token{Token::Side::Looking, locked->row})
                              : std::nullopt);
    const bool had_focus = forms_->isAncestorOf(QApplication::focusWidget());
    forms_->setCurrentWidget(page);
    if (had_focus) (tools_->batch() ? batch_ : wanted)->setFocus();
  }
  give(*cells_, map);
  if (tools_->lines()) give(*lines_, map);
}

Cell AttentionView::cellOf(const Token& token) const {
  const AttentionGroup& group = touchedMaps().group(map_);
  const std::vector<float> values = touchedMaps().values(choice());
  return token.side == Token::Side::Looking
             ? Cell{token.index, strongestColumn(group, values, token.index)}
             : Cell{strongestRow(group, values, token.index), token.index};
}

std::optional<Cell> AttentionView::shownCell() const {
  if (!tools_->lines()) return touchedCells().shownCell();
  const auto token = touchedLines().shownToken();
  if (!token) return std::nullopt;
  // The cell locked in the map stays the explained one.
  const auto& locked = touchedCells().lockedCell();
  if (locked && *token == Token{Token::Side::Looking, locked->row}) return locked;
  return cellOf(*token);
}

void AttentionView::refreshInspector() {
  if (!inspector_ || maps_.empty() || cells_->map().rows == 0) return;
  if (const auto shown = shownCell()) cell_ = shown;
  if (!cell_) cell_ = cellOf({Token::Side::Looking, 0});
  const HeatMapView& cells = touchedCells();
  if (cell_->row >= cells.map().rows || cell_->col >= cells.map().cols) cell_ = Cell{0, 0};
  aside_->setCell(touchedMaps(), choice(), *cell_, cells.map().valueText(cell_->row, cell_->col),
                  subtrahend() != nullptr, isLow());
  const bool locked =
      tools_->lines() ? touchedLines().lockedToken().has_value() : cells.lockedCell().has_value();
  inspector_->inspect({second_ ? touchedMaps() : minuend(), choice(), cells.map(), *cell_, locked,
                       rows_, subtrahend()});
}

void AttentionView::lockCell(const std::optional<Cell>& cell) {
  const auto token =
      cell ? std::optional(Token{Token::Side::Looking, cell->row}) : std::optional<Token>();
  for (HeatMapView* map : {cells_, second_cells_}) {
    const bool has = cell && cell->row < map->map().rows && cell->col < map->map().cols;
    map->showLock(std::nullopt);
    if (has) map->showLock(cell);
  }
  for (LinesView* lines : {lines_, second_lines_}) {
    lines->showLock(std::nullopt);
    if (token && token->index < lines->map().rows) lines->showLock(token);
  }
  if (cell) cell_ = cell;
  refreshInspector();
}

bool AttentionView::lock(const MapId& map, const std::optional<Cell>& cell) {
  if (!maps_.has(map)) return false;
  const AttentionGroup& group = maps_.group(map);
  if (cell &&
      (cell->row < 0 || cell->row >= group.rows || cell->col < 0 || cell->col >= group.cols))
    return false;
  map_ = maps_.shownAs(map);
  grid_->showLock(map_);
  refresh();
  lockCell(cell);
  return true;
}

void AttentionView::resizeEvent(QResizeEvent*) {
  updateSizes();
  if (!maps_.empty()) panel_->setSentence(sentence());
}

QSize AttentionView::minimumSizeHint() const {
  return QWidget::minimumSizeHint().boundedTo({QWIDGETSIZE_MAX, style_.px(kMinHeight)});
}

void AttentionView::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QWidget::keyPressEvent(event);
  if (cells_->lockedCell() || lines_->lockedToken() || second_cells_->lockedCell() ||
      second_lines_->lockedToken())
    lockCell(std::nullopt);
  else if (grid_->lockedMap())
    grid_->showLock(std::nullopt);
  else
    QWidget::keyPressEvent(event);
}

const Figure& AttentionView::shown() const {
  if (tools_->batch()) return *batch_;
  if (second_) return both_;
  return tools_->lines() ? static_cast<const Figure&>(*lines_) : *cells_;
}

QString AttentionView::figureTitle() const {
  if (maps_.empty() || tools_->batch()) return panel_->title();
  const QString stage = AttentionWords::stageName(choice(), maps_.group(map_).keySize(map_.layer));
  const AttentionMaps* minus = subtrahend();
  const QString title =
      minus ? tr("%1 · %2 · %3")
                  .arg(panel_->title(), stage, AttentionWords::difference(minuend(), *minus))
            : tr("%1 · %2 · step %3").arg(panel_->title(), stage).arg(maps_.step());
  return titleWith(title, maps_.snapshot().interventions);
}

void AttentionView::paintFigure(QPainter& painter, const QRectF& area,
                                const Palette& palette) const {
  shown().paintFigure(painter, area, palette);
}

bool AttentionView::isLow() const { return height() < style_.px(kCalm); }

void AttentionView::updateSizes() {
  aside_->setVisible(alone_ && width() >= style_.px(kMinBeside));
  tools_->setBrief(isLow());
  const int margin = style_.px(aside_->isHidden() ? 16 : 10);  // space is scarce on a projector
  layout()->setContentsMargins(margin, style_.px(12), margin, style_.px(12));
  // All small maps if they fit, but the large one stays largest.
  const int natural = grid_->sizeHint().width() + style_.px(12);
  const int share = std::max(int(kMaxForHeads * width()),
                             std::min(grid_->wholeWidth(), int(kMaxForWhole * width())));
  grid_->setFixedWidth(std::max(grid_->minimumSizeHint().width(), std::min(natural, share)));
  // In a wide view, the map is limited by height.
  const bool in_head = !aside_->isHidden() && width() >= style_.px(kWide);
  if (in_head == (body_->indexOf(question_) < 0)) return;
  if (in_head)
    panel_->addTool(question_);
  else
    body_->insertWidget(0, question_);
}

}  // namespace tfm::ui
