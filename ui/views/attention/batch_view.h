// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>

#include "core/ask/answering.h"
#include "ui/heatmap/token_tables.h"

namespace tfm::ui {

/// What a model reads at once: the ids of each stack, the texts below each other, with the pads;
/// and the masks, as the engine adds them to the scores. `windows`: of the
/// decoder, which reads nothing later; 0: none. Empty: it reads all.
std::vector<TokenTable> batchTables(const std::vector<const train::ProbeInput*>& texts,
                                    const std::set<std::int64_t>& windows);
/// The same of the texts that are asked, of a look at the model.
std::vector<TokenTable> batchTables(const Observing& observing, const train::Snapshot& snapshot);

/// The padded batch as matrices of ids and tokens, with its masks.
class BatchView : public TokenSheet {
  Q_OBJECT

 public:
  explicit BatchView(const Style& style, QWidget* parent = nullptr);

  using TokenSheet::setTables;

  QString itemText(int item) const override;
  DataTable figureData() const override;
};

}  // namespace tfm::ui
