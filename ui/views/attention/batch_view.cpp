// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/batch_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ask/observer.h"
#include "core/backend/op_arguments.h"
#include "ui/document/observing.h"
#include "ui/figure/token_text.h"

namespace tfm::ui {
namespace {

/// "text 1", "text 2", ...; or "1", "2", ... without a word.
QStringList numbered(const QString& word, qsizetype count) {
  QStringList names;
  for (qsizetype i = 1; i <= count; ++i)
    names << (word.isEmpty() ? QString::number(i) : BatchView::tr("%1 %2").arg(word).arg(i));
  return names;
}

QString masks(bool hides, double by) {
  if (!hides) return QStringLiteral("0");
  return std::isinf(by) ? QStringLiteral("−∞")
                        : QString::number(by).replace(QLatin1Char('-'), QChar(0x2212));
}

/// The ids of one stack, one row for each text.
TokenTable idsOf(const QString& name, const std::vector<const train::ProbeInput*>& texts,
                 std::int64_t length, std::vector<std::string> train::ProbeInput::*labels,
                 std::vector<std::int32_t> Batch::*ids, std::int64_t train::ProbeInput::*pads) {
  TokenTable table{name, numbered(BatchView::tr("text"), std::ssize(texts)), numbered({}, length)};
  for (const train::ProbeInput* text : texts)
    for (std::int64_t at = 0; at < length; ++at) {
      const auto& words = text->*labels;
      const auto& numbers = text->batch.*ids;
      table.words << (std::size_t(at) < words.size()
                          ? visibleToken(QString::fromStdString(words[std::size_t(at)]))
                          : QString());
      table.numbers << (std::size_t(at) < numbers.size() ? QString::number(numbers[std::size_t(at)])
                                                         : QString());
      table.left_out.push_back(at >= length - text->*pads);
    }
  return table;
}

TokenTable padMask(const TokenTable& ids) {
  TokenTable mask = ids;
  mask.name = BatchView::tr("Pad mask: added to every score of the key");
  mask.numbers.clear();
  for (qsizetype i = 0; i < mask.words.size(); ++i)
    mask.words[i] = masks(mask.left_out[std::size_t(i)] != 0, kPadScore);
  return mask;
}

TokenTable causalMask(int length, std::int64_t window) {
  AttentionShape shape{.queries = length, .keys = length, .causal = true, .window = window};
  TokenTable mask{
      window > 0
          ? BatchView::tr("Causal mask of the last %n position(s): added to the score of query "
                          "and key",
                          nullptr, int(window))
          : BatchView::tr("Causal mask: added to the score of query and key"),
      numbered(BatchView::tr("query"), length), numbered({}, length)};
  for (int row = 0; row < length; ++row)
    for (int col = 0; col < length; ++col) {
      mask.left_out.push_back(shape.hides(row, col));
      mask.words << masks(shape.hides(row, col), -std::numeric_limits<double>::infinity());
    }
  return mask;
}

}  // namespace

std::vector<TokenTable> batchTables(const std::vector<const train::ProbeInput*>& texts,
                                    const std::set<std::int64_t>& windows) {
  std::vector<TokenTable> matrices;
  if (texts.empty()) return matrices;
  const Batch& batch = texts.front()->batch;
  if (batch.source_length > 0) {
    matrices.push_back(idsOf(BatchView::tr("What the encoder reads"), texts, batch.source_length,
                             &train::ProbeInput::source_labels, &Batch::source,
                             &train::ProbeInput::source_pads));
    matrices.push_back(padMask(matrices.back()));
  }
  if (batch.target_length > 0) {
    matrices.push_back(idsOf(BatchView::tr("What the decoder reads"), texts, batch.target_length,
                             &train::ProbeInput::decoder_labels, &Batch::target,
                             &train::ProbeInput::decoder_pads));
    for (const std::int64_t window : windows)
      matrices.push_back(causalMask(int(batch.target_length), window));
  }
  return matrices;
}

std::vector<TokenTable> batchTables(const Observing& observing, const train::Snapshot& snapshot) {
  std::vector<const train::ProbeInput*> texts;
  for (int text = 0; text < observing.texts().all.size(); ++text)
    if (const train::ProbeInput* input = observing.inputOf(text)) texts.push_back(input);
  std::set<std::int64_t> windows;
  for (const observe::AttentionSite& site : snapshot.sites)
    if (site.kind == observe::AttentionKind::DecoderSelf && site.shape.causal)
      windows.insert(site.shape.window);
  return batchTables(texts, windows);
}

BatchView::BatchView(const Style& style, QWidget* parent)
    : TokenSheet(style, tr("The padded batch"), parent) {}

QString BatchView::itemText(int item) const {
  if (item < 0 || item >= itemCount()) return {};
  const auto [at, cell] = placeOf(item);
  const TokenTable& table = tables()[at];
  const qsizetype index = cell.row * table.cols.size() + cell.col;
  const QString where = tr("%1, position %2").arg(table.rows[cell.row]).arg(cell.col + 1);
  if (table.numbers.isEmpty()) return tr("%1: %2").arg(where, table.words[index]);
  if (table.left_out[std::size_t(index)] != 0) return tr("%1: a pad").arg(where);
  return table.numbers[index].isEmpty()
             ? tr("%1: %2").arg(where, table.words[index])
             : tr("%1: %2, token %3").arg(where, table.words[index], table.numbers[index]);
}

DataTable BatchView::figureData() const {
  DataTable data{{"matrix", "row", "position", "token", "id", "left_out"}, {}};
  for (const TokenTable& table : tables())
    for (qsizetype i = 0; i < table.words.size(); ++i)
      data.rows.push_back({table.name, QString::number(i / table.cols.size()),
                           QString::number(i % table.cols.size()), table.words[i],
                           table.numbers.value(i),
                           QString::number(table.left_out[std::size_t(i)])});
  return data;
}

}  // namespace tfm::ui
