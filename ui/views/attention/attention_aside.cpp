// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/attention_aside.h"

#include <QVBoxLayout>

#include "ui/style/style.h"
#include "ui/views/attention/attention_words.h"
#include "ui/views/attention/product_bars.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

constexpr double kWidth = 190;          // at scale 1
constexpr std::size_t kAsideTerms = 4;  // of a product

}  // namespace

AttentionAside::AttentionAside(const Style& style)
    : style_(style),
      number_(new NumberLabel),
      words_(wrappedLabel("")),
      product_(new BarList(style)) {
  setLayout(columnOf({kStretch, number_, words_, product_, kStretch}));
  connect(&style, &Style::changed, this, &AttentionAside::restyle);
  restyle();
  hide();
}

void AttentionAside::setCell(const AttentionMaps& maps, const AttentionChoice& choice,
                             const Cell& cell, const QString& number, bool difference, bool brief) {
  const AttentionGroup& group = maps.group(choice.map);
  number_->setText(number);
  // A mean, rollout or difference is not the product of one query and one key.
  const bool product =
      choice.map.layer >= 0 && choice.map.head >= 0 && !choice.rollout && !difference;
  QString words = tr("%1 “%2” ← reads “%3”")
                      .arg(AttentionWords::rowVerb(group.kind),
                           AttentionWords::label(group.row_labels, cell.row),
                           AttentionWords::label(group.col_labels, cell.col));
  if (!product && !brief)
    words += '\n' + AttentionWords::stageName(choice, group.keySize(choice.map.layer));
  words_->setText(words);
  has_product_ = product;
  if (!product) return showProduct();
  ProductBars bars = productBars(attentionCell(maps, choice.map, cell), kAsideTerms);
  if (brief) bars.terms.clear();  // their sum and what follows have priority
  product_->setTitle(tr("query × key, their sum and what follows"));
  product_->setDecimals(bars.decimals);
  product_->setRows(bars.terms, bars.summary);
  showProduct();
}

void AttentionAside::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showProduct();
}

void AttentionAside::showProduct() {
  const int above = number_->sizeHint().height() + words_->heightForWidth(width());
  const int gaps = 4 * layout()->spacing();
  product_->setVisible(has_product_ && above + gaps + product_->sizeHint().height() <= height());
}

void AttentionAside::restyle() {
  setFixedWidth(style_.px(kWidth));
  // Not setFont(): a style sheet that sets a family resets the size of the widget's own font.
  number_->setStyleSheet(QStringLiteral("font-size: %1px").arg(style_.px(26)));
  words_->setStyleSheet(QStringLiteral("font-size: %1px").arg(style_.px(15)));
}

}  // namespace tfm::ui
