// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/growth_cards.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <algorithm>
#include <vector>

#include "core/expand/kinds.h"
#include "ui/style/style.h"
#include "ui/views/grow/growth_kinds.h"
#include "ui/views/grow/growth_words.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/section.h"

namespace tfm::ui {
namespace {

constexpr double kBesideHead = 110;  // of the zone's width, without a card's name and sizes

/// A push button sized by the layout of the widgets inside.
class CardButton : public QPushButton {
 public:
  using QPushButton::QPushButton;
  QSize sizeHint() const override { return layout() ? layout()->sizeHint() : QSize(); }
  QSize minimumSizeHint() const override { return layout() ? layout()->minimumSize() : QSize(); }
};

constexpr double kSide = 40;  // of a pictogram

/// A small drawing of an expansion: old parts are solid blocks, new ones dashed.
class Pictogram : public QWidget {
 public:
  Pictogram(const Style& style, expand::Kind kind) : style_(style), kind_(kind) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    connect(&style, &Style::changed, this, &QWidget::updateGeometry);
  }
  QSize sizeHint() const override { return {style_.px(kSide), style_.px(kSide)}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double unit = double(std::min(width(), height())) / kSide;
    painter.scale(unit, unit);
    const Palette& palette = style_.palette();
    const GrowthKind& drawing = growthKind(kind_);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.positive);
    for (const QRectF& block : drawing.there) painter.drawRoundedRect(block, 2, 2);
    QPen dashed(palette.accent, 1.4);
    dashed.setDashPattern({2.2, 1.8});
    painter.setPen(dashed);
    painter.setBrush(Qt::NoBrush);
    for (const QRectF& block : drawing.added)
      painter.drawRoundedRect(block.adjusted(0.7, 0.7, -0.7, -0.7), 2, 2);
  }

 private:
  const Style& style_;
  const expand::Kind kind_;
};

}  // namespace

GrowthCards::GrowthCards(const Style& style, QWidget* parent)
    : SideZone(style, 220, parent), style_(style) {
  auto* section = new Section(style, tr("What grows"),
                              tr("Enlarges the trained model without changing its answers."));
  for (std::size_t i = 0; i < expand::kinds().size(); ++i) {
    cards_.push_back(makeCard(style, expand::Kind(i)));
    section->add(cards_.back().button);
  }
  add(section);
}

GrowthCards::Card GrowthCards::makeCard(const Style& style, expand::Kind kind) {
  Card card;
  card.button = new CardButton;
  card.button->setCheckable(true);
  // Unlike a push button, a card can be narrower than its size hint.
  card.button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setRole(*card.button, "choice");
  card.button->setAccessibleName(GrowthWords::name(kind));
  card.button->setToolTip(tr("Plan this expansion"));
  auto* name = new QLabel(GrowthWords::name(kind));
  setRole(*name, "strong");
  auto* what = wrappedLabel("muted", GrowthWords::what(kind));
  card.sizes = new NumberLabel;
  card.sizes->setTextInteractionFlags(Qt::NoTextInteraction);
  card.head = rowOf(style, 6, {{name, 1}, card.sizes});
  auto* row =
      rowOf(style, 10, {new Pictogram(style, kind), {columnOf(style, 2, {card.head, what}), 1}});
  card.button->setLayout(row);
  for (QLabel* label : {name, what, card.sizes})
    label->setAttribute(Qt::WA_TransparentForMouseEvents);
  connect(card.button, &QAbstractButton::clicked, this, [this, kind] { emit chosen(kind); });
  style.follow(card.button, [row, &style] {
    row->setContentsMargins(style.px(8), style.px(8), style.px(10), style.px(8));
  });
  return card;
}

void GrowthCards::showSizes(const ModelConfig& before, const ModelConfig& after) {
  for (std::size_t i = 0; i < cards_.size(); ++i)
    cards_[i].sizes->setText(GrowthWords::sizes(expand::Kind(i), before, after));
  placeSizes();
}

void GrowthCards::resizeEvent(QResizeEvent* event) {
  SideZone::resizeEvent(event);
  placeSizes();
}

void GrowthCards::placeSizes() {
  const int room = width() - style_.px(kBesideHead);
  for (const Card& card : cards_) {
    int needed = card.head->spacing();
    for (int part = 0; part < card.head->count(); ++part) {
      auto* label = static_cast<QLabel*>(card.head->itemAt(part)->widget());
      label->ensurePolished();
      needed += label->fontMetrics().horizontalAdvance(label->text());
    }
    card.head->setDirection(needed > room ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  }
}

void GrowthCards::setSelected(std::optional<expand::Kind> kind) {
  for (std::size_t i = 0; i < cards_.size(); ++i)
    cards_[i].button->setChecked(kind && std::size_t(*kind) == i);
}

}  // namespace tfm::ui
