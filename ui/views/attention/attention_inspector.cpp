// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/attention_inspector.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/figure/corner_menu.h"
#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/views/attention/attention_words.h"
#include "ui/views/attention/product_bars.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/pin_chip.h"
#include "ui/widgets/value_strip.h"

namespace tfm::ui {
namespace {

constexpr std::size_t kMaxBars = 16;  // the rest is summed up in one row

/// The indices of `values`, the largest first (by size, or by value).
template <class Value, class Measure>
std::vector<int> largestFirst(const std::vector<Value>& values, Measure measure) {
  std::vector<int> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return measure(values[std::size_t(a)]) > measure(values[std::size_t(b)]);
  });
  return order;
}

QString bold(const QString& text, const QColor& color) {
  return QStringLiteral("<b style='color:%1'>%2</b>").arg(color.name(), text.toHtmlEscaped());
}

/// Decimals of a single number: at least three, more if the whole map is small.
int decimalsOn(const HeatMap& map) { return std::max(3, decimalsFor(map.scale.high)); }

}  // namespace

AttentionInspector::AttentionInspector(const Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      menu_(new CornerMenu(style, *this)),
      hint_(wrappedLabel("muted", tr("Hover a cell to see how it is computed."))),
      place_(new QLabel),
      number_(new NumberLabel),
      caption_(wrappedLabel("muted")),
      keep_(wrappedLabel("muted", tr("click a cell to lock it"))),
      pin_(new PinChip(style, tr("locked"))),
      product_name_(wrappedLabel("muted")),
      order_(new QToolButton),
      query_strip_(new ValueStrip(style)),
      key_strip_(new ValueStrip(style)),
      terms_(new BarList(style)),
      row_name_(wrappedLabel("muted")),
      row_(new BarList(style)),
      text_(wrappedLabel("muted")),
      content_(new QWidget) {
  setRole(*order_, "small");
  place_->setTextFormat(Qt::RichText);
  keep_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);

  product_card_ = makeCard({rowOf({{product_name_, 1}, order_}), makeStrips(), terms_});
  content_->setLayout(
      columnOf(style, 8,
               {place_, rowOf({{number_, 1}, keep_, pin_}), caption_,
                makeSection(tr("What it means")), text_, makeSection(tr("How it is computed")),
                product_card_, makeCard({row_name_, row_}), kStretch}));

  auto* scroll = new QScrollArea;
  scroll->setWidget(content_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->viewport()->setAutoFillBackground(false);
  content_->setAutoFillBackground(false);
  setLayout(columnOf({rowOf({{new SectionLabel(tr("Cell")), 1}, menu_}), hint_, {scroll, 1}}));

  setAccessibleName(tr("Attention cell"));
  menu_->setExplanation(AttentionWords::page());
  connect(pin_, &PinChip::closed, this, &AttentionInspector::unlockRequested);
  connect(order_, &QToolButton::clicked, this, [this] {
    in_order_ = !in_order_;
    showTerms();
  });
  connect(row_, &BarList::locked, this, [this](int item) {
    if (item < int(columns_.size())) emit columnChosen(columns_[std::size_t(item)]);
  });
  connect(row_, &BarList::unlocked, this, &AttentionInspector::unlockRequested);
  connect(&style_, &Style::changed, this, &AttentionInspector::updateSizes);
  updateSizes();
  clear();
}

QWidget* AttentionInspector::makeStrips() {
  strips_ = new QWidget;
  auto* grid = bareLayout<QGridLayout>(strips_);
  grid->setColumnStretch(1, 1);
  const auto add = [grid](int row, ValueStrip* strip, const QString& name) {
    auto* label = new QLabel(name);
    setRole(*label, "muted");
    grid->addWidget(label, row, 0);
    grid->addWidget(strip, row, 1);
    strip->setTitle(name);
  };
  add(0, query_strip_, tr("query"));
  add(1, key_strip_, tr("key"));
  return strips_;
}

QLabel* AttentionInspector::makeSection(const QString& name) {
  sections_.push_back(new SectionLabel(name));
  return sections_.back();
}

QFrame* AttentionInspector::makeCard(std::initializer_list<Part> parts) {
  auto* card = new QFrame;
  setRole(*card, "card");
  cards_.push_back(addParts(new QVBoxLayout(card), parts));
  return card;
}

void AttentionInspector::clear() {
  content_->hide();
  hint_->show();
  menu_->setFigure(nullptr);
}

void AttentionInspector::inspect(const InspectedCell& inspected) {
  const AttentionGroup& group = inspected.maps.group(inspected.choice.map);
  AttentionChoice choice = inspected.choice;
  choice.stage = AttentionStage::Softmax;
  std::vector<float> softmax = inspected.maps.values(choice);
  if (inspected.minus != nullptr) {
    const std::vector<float> other = inspected.minus->values(choice);
    for (std::size_t i = 0; i < softmax.size(); ++i) softmax[i] -= other[i];
  }
  const bool product = choice.map.layer >= 0 && choice.map.head >= 0 && !choice.rollout &&
                       inspected.minus == nullptr;
  showPlace(inspected);
  if (inspected.minus != nullptr)
    showBoth(inspected);
  else if (product)
    showProduct(inspected);
  else
    showHeads(inspected);
  showRow(inspected, softmax);
  text_->setText(inspected.minus != nullptr
                     ? AttentionWords::explainDifference(
                           group, softmax, inspected.cell.row,
                           AttentionWords::whereIn(*inspected.minus, inspected.maps))
                     : AttentionWords::explain(group, choice, softmax, inspected.cell));

  std::vector<const Figure*> parts;
  if (product) parts = {query_strip_, key_strip_};
  if (!product_card_->isHidden()) parts.push_back(terms_);
  parts.push_back(row_);
  figure_.setTitle(inspected.map.cellText(inspected.cell.row, inspected.cell.col));
  figure_.setParts(std::move(parts));
  menu_->setFigure(&figure_);
  hint_->hide();
  content_->show();
}

void AttentionInspector::showPlace(const InspectedCell& inspected) {
  const AttentionGroup& group = inspected.maps.group(inspected.choice.map);
  const auto [row, col] = inspected.cell;
  const Palette& palette = style_.palette();
  const QColor color = inspected.locked ? palette.mark : palette.text;
  place_->setText(tr("%1 %2 ← reads %3")
                      .arg(AttentionWords::rowVerb(group.kind),
                           bold(AttentionWords::label(group.row_labels, row), color),
                           bold(AttentionWords::label(group.col_labels, col), color)));
  pin_->setVisible(inspected.locked);
  keep_->setVisible(!inspected.locked);

  const HeatMap& map = inspected.map;
  const double value = map.value(row, col);
  const bool masked = map.isMasked(row, col);
  const int decimals = decimalsOn(map);
  const QString sign = map.scale.kind == ColorScale::Kind::Signed && value > 0 ? "+" : "";
  number_->setText(masked ? tr("masked") : sign + fixedNumber(value, decimals));
  number_->setToolTip(masked ? QString() : fullPrecision(value));
  QString caption =
      AttentionWords::stageName(inspected.choice, group.keySize(inspected.choice.map.layer));
  if (masked)
    caption = AttentionWords::whyMasked(group, inspected.cell);
  else if (inspected.minus != nullptr)
    caption =
        tr("%1 · %2").arg(AttentionWords::difference(inspected.maps, *inspected.minus), caption);
  caption_->setText(caption);
}

void AttentionInspector::showTerms() {
  const ProductBars bars = productBars(product_, kMaxBars, in_order_);
  // One scale for both, for comparison.
  query_strip_->setLimit(bars.largest);
  key_strip_->setLimit(bars.largest);
  terms_->setDecimals(bars.decimals);
  terms_->setRows(bars.terms, bars.summary);
  order_->setText(in_order_ ? tr("in order") : tr("largest first"));
  order_->setToolTip(in_order_ ? tr("Show the largest products first")
                               : tr("Show the products in the order of the key's numbers"));
}

void AttentionInspector::showProduct(const InspectedCell& inspected) {
  product_ = attentionCell(inspected.maps, inspected.choice.map, inspected.cell);
  product_card_->show();
  product_name_->setText(tr("query · key"));
  order_->show();
  strips_->show();
  query_strip_->setValues(product_.query);
  key_strip_->setValues(product_.key);
  terms_->setLimit(std::nullopt);
  terms_->setTitle(tr("query × key, their sum and what follows"));
  showTerms();
}

void AttentionInspector::showHeads(const InspectedCell& inspected) {
  order_->hide();
  strips_->hide();
  product_card_->setVisible(!inspected.choice.rollout);
  if (inspected.choice.rollout) return;
  const AttentionGroup& group = inspected.maps.group(inspected.choice.map);
  const MapId& mean = inspected.choice.map;
  const auto at = std::size_t(inspected.cell.row) * group.cols + inspected.cell.col;
  std::vector<BarRow> bars;
  double sum = 0.0;
  for (int layer = 0; layer < int(group.layers.size()); ++layer) {
    if (mean.layer >= 0 && mean.layer != layer) continue;
    for (int head = 0; head < group.heads(layer); ++head) {
      if (mean.head >= 0 && mean.head != head) continue;
      AttentionChoice one = inspected.choice;
      one.map = {mean.group, layer, head};
      const double value = inspected.maps.values(one)[at];
      sum += value;
      bars.push_back({group.numbered
                          ? tr("layer %1, head %2").arg(group.layerNumber(layer)).arg(head + 1)
                          : tr("head %1").arg(head + 1),
                      value});
    }
  }
  const double mean_value = sum / double(bars.size());
  product_name_->setText(tr("The same cell in every head. Choose one head to see its product."));
  terms_->setTitle(tr("this cell in every head"));
  terms_->setDecimals(inspected.choice.stage == AttentionStage::Softmax ? 3 : 2);
  terms_->setLimit(inspected.choice.stage == AttentionStage::Softmax ? std::optional(1.0)
                                                                     : std::nullopt);
  terms_->setRows(std::move(bars), {{tr("mean"), mean_value}});
}

void AttentionInspector::showBoth(const InspectedCell& inspected) {
  order_->hide();
  strips_->hide();
  const auto [row, col] = inspected.cell;
  product_card_->setVisible(!inspected.map.isMasked(row, col));
  const auto at = std::size_t(row) * std::size_t(inspected.map.cols) + std::size_t(col);
  const double here = inspected.maps.values(inspected.choice)[at];
  const double there = inspected.minus->values(inspected.choice)[at];
  product_name_->setText(tr("The same cell in both"));
  terms_->setTitle(product_name_->text());
  // As many decimals as the difference above, which would be lost with large scores.
  terms_->setDecimals(decimalsOn(inspected.map));
  terms_->setLimit(inspected.choice.stage == AttentionStage::Softmax ? std::optional(1.0)
                                                                     : std::nullopt);
  terms_->setRows({{AttentionWords::nameBeside(inspected.maps, *inspected.minus), here},
                   {AttentionWords::nameBeside(*inspected.minus, inspected.maps), there}},
                  {{tr("difference"), here - there}});
}

void AttentionInspector::showRow(const InspectedCell& inspected,
                                 const std::vector<float>& softmax) {
  const AttentionGroup& group = inspected.maps.group(inspected.choice.map);
  const bool several = inspected.rows.size() > 1;
  const std::vector<int> rows = several ? inspected.rows : std::vector{inspected.cell.row};
  const std::vector<float> shares = meanOfRows(softmax, group.cols, rows);
  // Columns masked for all rows have no share, rather than one of 0.
  const auto hidden = [&](int col) {
    return std::ranges::all_of(rows, [&](int row) { return group.isMasked(row, col); });
  };

  std::vector<int> order = largestFirst(shares, [](float x) { return std::abs(x); });
  std::erase_if(order, hidden);
  double rest = 0.0;
  const std::size_t all = order.size();
  if (all > kMaxBars) {
    for (std::size_t i = kMaxBars - 1; i < all; ++i) rest += shares[std::size_t(order[i])];
    order.resize(kMaxBars - 1);
  }
  std::sort(order.begin(), order.end());
  std::vector<BarRow> bars;
  for (const int col : order)
    bars.push_back({AttentionWords::label(group.col_labels, col), shares[std::size_t(col)]});
  if (order.size() < all) bars.push_back({tr("%1 more").arg(all - order.size()), rest});

  columns_ = order;
  const QString label = AttentionWords::label(group.row_labels, inspected.cell.row);
  const QString name = several ? tr("Mean of the %1 selected rows").arg(rows.size())
                       : inspected.choice.rollout ? tr("Rollout of row “%1”").arg(label)
                                                  : tr("Softmax of row “%1”").arg(label);
  row_name_->setText(inspected.minus == nullptr ? name : tr("%1: difference").arg(name));
  double largest = 0.0;
  for (const BarRow& bar : bars) largest = std::max(largest, std::abs(bar.value));
  row_->setDecimals(inspected.minus == nullptr ? 2 : std::max(3, decimalsFor(largest)));
  row_->setLimit(inspected.minus == nullptr ? std::optional(1.0) : std::nullopt);
  row_->setTitle(row_name_->text());
  row_->setRows(std::move(bars));
  const auto current = std::find(columns_.begin(), columns_.end(), inspected.cell.col);
  const bool marked = inspected.locked && !several && current != columns_.end();
  row_->showLockedItem(marked ? int(current - columns_.begin()) : -1);
}

void AttentionInspector::updateSizes() {
  layout()->setContentsMargins(style_.px(14), style_.px(12), style_.px(14), style_.px(12));
  // Not setFont(): a style sheet that sets a family resets the size of the widget's own font.
  place_->setStyleSheet(QStringLiteral("font-size: %1px").arg(style_.px(15)));
  number_->setStyleSheet(QStringLiteral("font-size: %1px").arg(style_.px(26)));
  for (QBoxLayout* card : cards_) {
    const int margin = style_.px(12);
    card->setContentsMargins(margin, style_.px(8), margin, style_.px(8));
    card->setSpacing(style_.px(4));
  }
  for (QLabel* section : sections_) section->setContentsMargins(0, style_.px(8), 0, 0);
  setMinimumWidth(style_.px(240));
}

}  // namespace tfm::ui
