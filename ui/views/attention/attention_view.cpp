// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/attention_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/document/model_document.h"
#include "ui/document/task_words.h"
#include "ui/figure/corner_menu.h"
#include "ui/heatmap/heat_grid.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/style/style.h"
#include "ui/views/attention/attention_aside.h"
#include "ui/views/attention/attention_changes.h"
#include "ui/views/attention/attention_forms.h"
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
constexpr double kWide = 780;          // at scale 1: room for title and question on one line

/// Which controls are possible for a map.
void showTools(AttentionTools& tools, const AttentionContent& content, const MapId& map,
               bool has_pin) {
  const AttentionGroup& group = content.maps.group(map);
  tools.setKeySize(group.keySize(map.layer));
  tools.setNoRollout(
      group.hasRollout() ? QString()
      : group.kind == observe::AttentionKind::Cross
          ? AttentionView::tr("No rollout of cross-attention: rows and columns are different "
                              "positions")
          : AttentionView::tr("No rollout: rows are pooled, columns are not"));
  if (!has_pin) return;
  const auto& pinned = content.pinned;
  // Snapshots of both that read the same are on their way.
  const auto alike = [&] {
    const train::ProbeInput &here = content.maps.probe(), &there = pinned->probe();
    return here.question == there.question && here.read == there.read &&
           here.written_labels == there.written_labels;
  };
  const bool can = !pinned || !tools.shown().difference || !alike() ||
                   (pinned->has(map) && group.comparable(pinned->group(map)));
  tools.setNoDifference(can ? QString() : AttentionWords::notComparable(*pinned));
}

/// What the screen says of a map.
QString sentenceOf(const AttentionContent& content, const AttentionChoice& choice, bool less_pin,
                   const ModelDocument& document) {
  if (const AttentionMaps* minus = content.subtrahend(choice.map, less_pin))
    return AttentionWords::differenceSentence(content.minuend(choice.map, less_pin), *minus,
                                              content.maps.step());
  return AttentionWords::sentence(content.maps.group(choice.map), choice,
                                  TaskWords::of(document.codec()));
}

}  // namespace

AttentionView::AttentionView(const Style& style, ModelDocument& document, QWidget* parent)
    : View(document.observing(), parent),
      style_(style),
      document_(document),
      panel_(new Panel(style)),
      question_(new QuestionField(style, document.observing())),
      grid_(new HeatGrid(style)),
      forms_(new AttentionForms(style)),
      aside_(new AttentionAside(style)),
      tools_(new AttentionTools(style)),
      changes_(new AttentionChanges(document, *grid_, forms_->cells(), *tools_, content_,
                                    shown_.map, this)),
      inspector_(new AttentionInspector(style)) {
  panel_->setBody(makeBody());
  panel_->setExplanation(AttentionWords::page(),
                         AttentionWords::parts(*grid_, *forms_, *question_, *tools_, *inspector_));
  setLayout(columnOf({panel_}));
  grid_->setAccessibleName(tr("All heads"));
  QWidget* before = grid_;
  setTabOrder(question_, grid_);
  for (QWidget* picture : forms_->pictures()) {
    setTabOrder(before, picture);
    before = picture;
  }
  setSides(inspector_);
  changes_->addTo(*panel_->menu().menu());
  connectAll();
  updateSizes();
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
  const auto show_map = [this](int item, bool lock) {
    const auto id = grid_->mapOf(item);
    if (!id || !content_.maps.has(*id)) return;  // the pointer left; keep the last preview
    change([&](AttentionShown& now) {
      now.map = *id;
      now.map_locked = now.map_locked || lock;
    });
  };
  connect(grid_, &CellGrid::hovered, this, [=](int item) { show_map(item, false); });
  connect(grid_, &CellGrid::locked, this, [=, this](int item) {
    show_map(item, true);
    choose();
  });
  connect(grid_, &CellGrid::unlocked, this,
          [this] { change([](AttentionShown& now) { now.map_locked = false; }); });
  connect(forms_, &AttentionForms::cellChanged, this, &AttentionView::refreshInspector);
  connect(forms_, &AttentionForms::lockChanged, this, [this] {
    change([this](AttentionShown& now) { now.locked = forms_->locked(); });
    if (shown_.locked.cell) choose();
  });
  connect(tools_, &AttentionTools::chosen, this, &AttentionView::setState);
  connect(tools_, &AttentionTools::pinRequested, this, [this] { document_.moments().pin(Pin::A); });
  connect(question_, &QuestionField::shownChanged, this, &AttentionView::takeSnapshot);
  connect(inspector_, &AttentionInspector::unlockRequested, this,
          [this] { change([](AttentionShown& now) { now.locked = {}; }); });
  connect(inspector_, &AttentionInspector::columnChosen, this, [this](int col) {
    if (const auto& cell = forms_->cell())
      change([&](AttentionShown& now) { now.locked = {Cell{cell->row, col}, std::nullopt}; });
  });
  connect(&document_.selection(), &Selection::changed, this, &AttentionView::followChoice);
  connect(&document_.observing(), &Observing::textsChanged, this, &AttentionView::takeSnapshot);
  connect(&document_.observing(), &Observing::snapshotChanged, this, &AttentionView::takeSnapshot);
  connect(&document_.moments(), &Moments::pinsChanged, this, &AttentionView::takePin);
  const auto forget = [this] {
    takePin();
    showNothing(tr("Attention"), tr("Which positions look at which inside the model."));
  };
  connect(&document_, &ModelDocument::replaced, this, forget);
  connect(&document_.moments(), &Moments::shapeChanged, this, forget);
  forget();
  panel_->menu().setSource([this] {
    return shown_.form == AttentionShown::Form::Batch
               ? report::Source()
               : sourceOf(content_, choice(), tools_->difference());
  });
  keepAs([this] { return shown_; }, [this](const AttentionShown& state) { setState(state); });
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
  return {.pattern = AttentionMaps::kWanted, .beside_pin = shown_.difference, .texts = true};
}

void AttentionView::shown() {
  takePin();
  followChoice();
}

void AttentionView::showNothing(const QString& title, const QString& sentence) {
  content_ = {};
  shown_.map = {};
  shown_.map_locked = false;
  shown_.locked = {};
  grid_->setGroups({});
  forms_->clear();
  panel_->setTitle(title);
  panel_->setSentence(sentence);
  panel_->setFigure(nullptr);
  if (inspector_) inspector_->clear();
}

void AttentionView::takePin() {
  const auto step = document_.isOpen() ? document_.moments().pinnedStep(Pin::A) : std::nullopt;
  tools_->setPinned(step);
  if (!step) change([](AttentionShown& now) { now.difference = false; });
  updateNeed();
  takeSnapshot();
}

void AttentionView::takeSnapshot() {
  const auto& snapshot = document_.observing().snapshot();
  if (!isVisible() || !snapshot) return;
  tools_->setComparesPins(snapshot->is_difference);
  auto next = contentOf(snapshot, document_.observing(), question_->shown());
  if (!next) return;  // the question cannot be read
  if (next->maps.empty()) return showNothing(next->title, next->why_empty);
  if (document_.training().isRunning()) next->maps.leaveRoomLike(content_.maps);
  const bool first = content_.maps.empty();
  const bool same = !content_.minus && !next->minus && next->maps.sameLayout(content_.maps);
  content_ = std::move(*next);
  const AttentionMaps& maps = content_.maps;
  if (same) {
    for (int i = 0; i < int(maps.groups().size()); ++i)
      grid_->setValues(i, maps.allProbabilities(i));
  } else {
    const AttentionMaps* minus = content_.minus ? &*content_.minus : nullptr;
    SmallMaps small = smallMaps(maps, minus);
    grid_->setGroups(std::move(small.groups), small.scale,
                     minus ? tr("All heads, %1").arg(AttentionWords::difference(maps, *minus))
                           : tr("All heads"));
    updateSizes();
    if (!maps.has(shown_.map)) shown_.map = firstMap(maps);
  }
  render();
  if (first) followChoice();
}

void AttentionView::render() {
  const AttentionMaps& maps = content_.maps;
  tools_->setShown(shown_);
  if (maps.empty()) return;
  const MapId map = content_.mapOr(shown_.map);
  const auto& cell = shown_.locked.cell;  // of a document, it may be another map's
  if (cell && !maps.group(map).hasCell(cell->row, cell->col)) shown_.locked = {};
  showTools(*tools_, content_, map,
            document_.isOpen() && document_.moments().pinnedStep(Pin::A).has_value());
  grid_->showLock(shown_.map_locked ? std::optional(map) : std::nullopt);
  grid_->setCurrent(map);
  const QString name = forms_->show(content_, choice(), tools_->difference(), shown_.form);
  forms_->setLocked(shown_.locked);
  panel_->setTitle(name);
  showSentence();
  panel_->setFigure(forms_);
  const QString stage = AttentionWords::stageName(choice(), maps.group(map).keySize(map.layer));
  const AttentionMaps* minus = content_.subtrahend(map, tools_->difference());
  const QString title = minus ? tr("%1 · %2 · %3")
                                    .arg(name, stage,
                                         AttentionWords::difference(
                                             content_.minuend(map, tools_->difference()), *minus))
                              : tr("%1 · %2 · step %3").arg(name, stage).arg(maps.step());
  forms_->setFigureTitle(titleWith(title, maps.snapshot().interventions));
  if (shown_.form == AttentionShown::Form::Batch) {
    forms_->batch().setTables(batchTables(document_.observing(), maps.snapshot()));
    panel_->setTitle(forms_->batch().figureTitle());
    forms_->setFigureTitle(panel_->title());
  }
  refreshInspector();
}

AttentionChoice AttentionView::choice() const {
  const bool rolls = tools_->rollout();
  return {content_.mapOr(shown_.map), rolls ? AttentionStage::Softmax : shown_.stage, rolls};
}

void AttentionView::showSentence() {
  panel_->setSentence(isLow() ? QString()
                      : shown_.form == AttentionShown::Form::Batch
                          ? AttentionWords::batchSentence()
                          : sentenceOf(content_, choice(), tools_->difference(), document_));
}

void AttentionView::refreshInspector() {
  if (!inspector_ || content_.maps.empty() || !forms_->hasMap()) return;
  const InspectedCell shown = forms_->inspected(content_, choice(), tools_->difference());
  aside_->setCell(shown.maps, choice(), shown.cell,
                  shown.map.valueText(shown.cell.row, shown.cell.col), shown.minus != nullptr,
                  isLow());
  inspector_->inspect(shown);
}

void AttentionView::setState(const AttentionShown& state) {
  shown_ = state;
  updateNeed();
  render();
}

void AttentionView::change(const std::function<void(AttentionShown&)>& change) {
  AttentionShown now = shown_;
  change(now);
  if (now != shown_) setState(now);
}

bool AttentionView::lock(const MapId& map, const std::optional<Cell>& cell) {
  const AttentionMaps& maps = content_.maps;
  if (!maps.has(map)) return false;
  const AttentionGroup& group = maps.group(map);
  if (cell && !group.hasCell(cell->row, cell->col)) return false;
  change([&](AttentionShown& now) {
    now.map = maps.shownAs(map);
    now.map_locked = true;
    now.locked = {cell, std::nullopt};
  });
  return true;
}

void AttentionView::resizeEvent(QResizeEvent*) {
  updateSizes();
  if (!content_.maps.empty()) showSentence();
}

QSize AttentionView::minimumSizeHint() const {
  return QWidget::minimumSizeHint().boundedTo({QWIDGETSIZE_MAX, style_.px(kMinHeight)});
}

void AttentionView::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QWidget::keyPressEvent(event);
  if (shown_.locked)
    change([](AttentionShown& now) { now.locked = {}; });
  else if (shown_.map_locked)
    change([](AttentionShown& now) { now.map_locked = false; });
  else
    QWidget::keyPressEvent(event);
}

void AttentionView::choose() {
  const MapId& map = shown_.map;
  if (!content_.maps.has(map) || map.layer < 0 || map.head < 0) return;
  const observe::AttentionSite& site = content_.maps.group(map).layers[std::size_t(map.layer)];
  const Cell cell = shown_.locked.cell.value_or(Cell{-1, -1});
  document_.selection().choose(ChosenCell{site.path, map.head, cell.row, cell.col});
}

void AttentionView::followChoice() {
  if (!isVisible() || content_.maps.empty()) return;
  const Selection& selection = document_.selection();
  const auto& locked = shown_.locked.cell;
  if (const ReadToken* token = selection.token()) {
    if (const auto cell = content_.cellOf(shown_.map, *token, choice())) lock(shown_.map, cell);
    return;
  }
  if (selection.isEmpty() && locked) lock(shown_.map, std::nullopt);
  const ChosenCell* chosen = selection.cell();
  if (chosen == nullptr) return;
  const auto& groups = content_.maps.groups();
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const auto& layers = groups[group].layers;
    const auto found = std::ranges::find(layers, chosen->attention, &observe::AttentionSite::path);
    if (found == layers.end()) continue;
    const MapId map{int(group), int(found - layers.begin()), chosen->head};
    const auto cell =
        chosen->isHead() ? std::nullopt : std::optional(Cell{chosen->query, chosen->key});
    if (map != shown_.map || locked != cell) lock(map, cell);
    return;
  }
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
