// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/write/next_token.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "core/model/sampling.h"
#include "core/tensor/softmax.h"
#include "ui/figure/number_text.h"
#include "ui/figure/token_text.h"
#include "ui/style/style.h"
#include "ui/views/write/sampling_sliders.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

constexpr std::size_t kBars = 12, kFewBars = 3;
constexpr double kBar = 20, kFormula = 32;  // heights at scale 1

}  // namespace

NextToken::NextToken(Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      title_(wrappedLabel("strong")),
      bars_(new BarList(style)),
      count_(wrappedLabel("muted")),
      sliders_(new SamplingSliders(style)) {
  bars_->setTitle(tr("Chance of each next token"));
  bars_->setDecimals(std::nullopt);
  bars_->setLimit(1.0);
  bars_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setLayout(columnOf(style, 10, {title_, sliders_, {bars_, 100}, count_, kStretch}));
  connect(sliders_, &SamplingSliders::changed, this, &NextToken::refresh);
  style_.follow(this, [this] { updateSizes(); });
  refresh();
}

void NextToken::showChoice(const QString& title, const TokenChoice& choice,
                           const data::Vocabulary& vocabulary) {
  title_->setText(title);
  choice_ = choice;
  if (!(vocabulary == vocabulary_)) vocabulary_ = vocabulary;
  refresh();
}

void NextToken::setDrawn(bool drawn) {
  drawn_ = drawn;
  sliders_->setVisible(drawn);
  count_->setVisible(drawn && !compact_);
  bars_->setTitle(drawn ? tr("Chance of each next token") : tr("Probability of each next token"));
  refresh();
}

void NextToken::setCompact(bool compact) {
  compact_ = compact;
  count_->setVisible(drawn_ && !compact);
  updateSizes();
  refresh();
}

void NextToken::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (compact_) refresh();
}

std::size_t NextToken::mostBars() const {
  if (!compact_) return kBars;
  const double room = bars_->height() - style_.px(kFormula);
  return std::clamp(std::size_t(std::max(room, 0.0) / style_.px(kBar)), kFewBars, kBars);
}

void NextToken::clear(const QString& title) {
  title_->setText(title);
  choice_ = {};
  refresh();
}

void NextToken::rank() {
  ids_.clear();
  names_.clear();
  if (!choice_.logits) return;
  const std::vector<float>& logits = *choice_.logits;
  ids_.resize(logits.size());
  std::iota(ids_.begin(), ids_.end(), std::size_t{0});
  const std::size_t shown = std::min(mostBars(), ids_.size());
  // In the model's own order, which no slider changes, so that bars stay in place.
  const auto before = [&](std::size_t a, std::size_t b) {
    return logits[a] > logits[b] || (logits[a] == logits[b] && a < b);
  };
  std::partial_sort(ids_.begin(), ids_.begin() + std::ptrdiff_t(shown), ids_.end(), before);
  ids_.resize(shown);
  if (choice_.written && std::find(ids_.begin(), ids_.end(), *choice_.written) == ids_.end())
    ids_.back() = std::size_t(*choice_.written);
  for (const std::size_t id : ids_)
    names_ += QString::fromStdString(vocabulary_.label(std::int32_t(id)));
}

void NextToken::refresh() {
  rank();
  std::vector<BarRow> bars;
  int chosen = -1;
  QString count = tr("No text yet.");
  if (choice_.logits) {
    const SamplingOptions plain{.temperature = 1.0, .top_k = 0, .top_p = 1.0};
    const std::vector<double> drawn =
        drawProbabilities(*choice_.logits, drawn_ ? sliders_->options() : plain);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      bars.push_back({visibleToken(names_[qsizetype(i)]), drawn[ids_[i]]});
      if (choice_.written == std::int32_t(ids_[i])) chosen = int(i);
    }
    const auto allowed = std::ranges::count_if(drawn, [](double p) { return p > 0.0; });
    count = tr("%1 of %2 tokens may be drawn.").arg(allowed).arg(drawn.size());
    if (choice_.written) {
      // The text shows the model's own probability, the bars what the sliders make of it.
      const auto id = std::size_t(*choice_.written);
      const double own = softmax(std::span<const float>(*choice_.logits))[id];
      if (std::abs(own - drawn[id]) > 1e-6)
        count += QLatin1Char(' ') +
                 tr("“%1” has the chance %2; its probability without these settings is %3.")
                     .arg(visibleToken(QString::fromStdString(vocabulary_.label(*choice_.written))),
                          shortNumber(drawn[id]), shortNumber(own));
    }
  } else if (choice_.written) {
    count = tr("Too far back: logits are kept only for the newest tokens.");
  }
  count_->setText(count);
  bars_->setHeading(drawn_ ? sliders_->formula() : tr("p = softmax(logits)"));
  bars_->setRows(std::move(bars));
  bars_->setChosen(chosen);
}

void NextToken::updateSizes() {
  // Room for all possible bars, so that what is below stays in place.
  bars_->setMinimumHeight(style_.px(kFormula + kBar * double(compact_ ? kFewBars : kBars)));
}

}  // namespace tfm::ui
