// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/reproduce/claim.h"
#include "ui/figure/figure.h"
#include "ui/widgets/table.h"

namespace tfm::ui {

/// What a source document claims, with its numbers beside ours.
class ClaimTable : public Table {
  Q_OBJECT

 public:
  explicit ClaimTable(const Style& style, QWidget* parent = nullptr);

  /// Keeps the current row where there are as many claims as before.
  void setClaims(const QString& title, std::vector<reproduce::Checked> claims);
  const std::vector<reproduce::Checked>& claims() const { return claims_; }
  /// The claim of the current row; null if there is none.
  const reproduce::Checked* current() const;

  QString figureTitle() const override { return title_; }
  /// Every number of every claim, and how ours are computed.
  DataTable figureData() const override;

 private:
  void fill();

  QString title_;
  std::vector<reproduce::Checked> claims_;
};

/// The first `most` numbers: "6  6  5 …".
QString numbersText(const reproduce::Numbers& numbers, std::size_t most);
/// Whether our numbers agree: "yes", "no", "refuted, as expected" where ours are the right ones
/// instead of the printed ones, "not yet", and "–" where they cannot be computed.
QString agreementText(const reproduce::Checked& checked);

}  // namespace tfm::ui
