// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_lens.h"

#include <algorithm>

#include "core/model/build_program.h"
#include "ui/figure/number_text.h"
#include "ui/figure/token_text.h"
#include "ui/views/flow/flow_words.h"

namespace tfm::ui {
namespace {

constexpr int kListed = 5;  // tokens named in a tooltip

QStringList visible(const std::vector<std::string>& tokens) {
  QStringList words;
  for (const std::string& token : tokens) words << visibleToken(QString::fromStdString(token));
  return words;
}

}  // namespace

FlowLens::FlowLens(const Style& style, QWidget* parent)
    : TokenSheet(style, tr("Logit lens"), parent) {}

void FlowLens::setRun(const std::shared_ptr<FlowRun>& run) {
  answers_ = run ? run->lens() : std::vector<observe::LensAnswer>{};
  if (answers_.empty()) return setTables({});
  const TensorId output = run->program().find(names::kOutput);
  tokens_ = visible(run->columnLabels(output));
  TokenTable table{.names_width = 190.0, .cell_width = 74.0, .widest_cell = 130.0};
  const QStringList positions = visible(run->rowLabels(output));
  for (int col = 0; col < answers_.front().rows; ++col)
    table.cols << positions.value(col, tr("position %1").arg(col + 1));
  for (const observe::LensAnswer& answer : answers_) {
    for (int col = 0; col < answer.rows; ++col) {
      const Cell cell{int(table.rows.size()), col};
      const std::int64_t best = tokenAt(cell);
      table.words << tokenText(best);
      table.shares.push_back(probability(cell, best));
      table.numbers << fixedNumber(table.shares.back(), 2);
    }
    table.rows << FlowWords::lensRow(*run, answer);
  }
  setTables({std::move(table)});
}

double FlowLens::probability(const Cell& cell, std::int64_t token) const {
  const observe::LensAnswer& answer = answers_[std::size_t(cell.row)];
  return answer.probabilities[std::size_t(cell.col * answer.cols + token)];
}

std::int64_t FlowLens::tokenAt(const Cell& cell) const {
  std::int64_t best = 0;
  for (std::int64_t token = 1; token < answers_[std::size_t(cell.row)].cols; ++token)
    if (probability(cell, token) > probability(cell, best)) best = token;
  return best;
}

QString FlowLens::tokenText(std::int64_t token) const {
  return token < tokens_.size() ? tokens_[qsizetype(token)] : QString::number(token + 1);
}

QString FlowLens::itemText(int item) const {
  if (answers_.empty()) return {};
  const Cell cell = placeOf(item).cell;
  std::vector<std::int64_t> order(std::size_t(answers_[std::size_t(cell.row)].cols));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = std::int64_t(i);
  const auto listed = std::min<std::size_t>(kListed, order.size());
  std::ranges::partial_sort(order, order.begin() + std::ptrdiff_t(listed), std::greater<>{},
                            [&](std::int64_t token) { return probability(cell, token); });
  QStringList likely;
  for (std::size_t i = 0; i < listed; ++i)
    likely << QStringLiteral("%1 %2").arg(tokenText(order[i]),
                                          shortNumber(probability(cell, order[i])));
  const TokenTable& table = tables().front();
  return tr("After %1, at %2: %3")
      .arg(table.rows[cell.row], table.cols[cell.col], likely.join(", "));
}

DataTable FlowLens::figureData() const {
  DataTable table{{"after", "position", "token", "logit", "probability"}, {}};
  for (std::size_t i = 0; i < answers_.size(); ++i)
    for (std::int64_t row = 0; row < answers_[i].rows; ++row)
      for (std::int64_t token = 0; token < answers_[i].cols; ++token) {
        const auto at = std::size_t(row * answers_[i].cols + token);
        table.rows.push_back({tables().front().rows[qsizetype(i)], QString::number(row),
                              tokenText(token), fullPrecision(answers_[i].logits[at]),
                              fullPrecision(answers_[i].probabilities[at])});
      }
  return table;
}

}  // namespace tfm::ui
