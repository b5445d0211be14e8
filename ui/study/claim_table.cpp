// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/claim_table.h"

#include <QHeaderView>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

enum ClaimColumn { kSays, kPrinted, kOurs, kTolerance, kAgrees };

constexpr std::size_t kShownNumbers = 3;

std::vector<Table::Column> claimColumns() {
  return {{ClaimTable::tr("Claim"), true},
          {ClaimTable::tr("Printed"), false, ClaimTable::tr("The document's own numbers")},
          {ClaimTable::tr("Ours"), false, ClaimTable::tr("Computed now")},
          {ClaimTable::tr("Tolerance"), false,
           ClaimTable::tr("How far our numbers may be from the printed ones; for a bound, the "
                          "smaller bound that this program guarantees")},
          {ClaimTable::tr("Agrees"), false,
           ClaimTable::tr("Whether our numbers match the printed ones or, where the document is "
                          "wrong, the right ones")}};
}

QString printedText(const reproduce::Claim& claim) {
  const QString numbers = numbersText(claim.printed, kShownNumbers);
  return claim.at_most ? ClaimTable::tr("≤ %1").arg(numbers) : numbers;
}

/// Of a bound, the program's own.
QString toleranceText(const reproduce::Claim& claim) {
  const QString none = QStringLiteral("–");
  if (!claim.isComputed()) return none;
  if (claim.at_most)
    return std::isfinite(claim.promised)
               ? ClaimTable::tr("≤ %1").arg(numbersText({claim.promised}, 1))
               : none;
  return claim.tolerance > 0 ? numbersText({claim.tolerance}, 1) : ClaimTable::tr("exact");
}

QStringList rowOf(const reproduce::Checked& c) {
  const QString none = QStringLiteral("–");
  return {QString::fromStdString(c.claim.text),
          c.claim.printed.empty() ? none : printedText(c.claim),
          c.ours ? numbersText(*c.ours, kShownNumbers) : none, toleranceText(c.claim),
          agreementText(c)};
}

/// For a file: full precision, separated by blanks.
QString allNumbers(const reproduce::Numbers& numbers) {
  QStringList texts;
  for (const double number : numbers) texts << fullPrecision(number);
  return texts.join(QLatin1Char(' '));
}

}  // namespace

QString numbersText(const reproduce::Numbers& numbers, std::size_t most) {
  // Several are for a narrow column: what is not whole is rounded there.
  const bool narrow = most <= kShownNumbers && numbers.size() > 1;
  QStringList texts;
  for (std::size_t i = 0; i < std::min(most, numbers.size()); ++i) {
    const bool whole = numbers[i] == std::round(numbers[i]);
    const int digits = std::abs(numbers[i]) < 1e-6 ? 2 : narrow && !whole ? 4 : 8;
    texts << QString::number(numbers[i], 'g', digits);
  }
  if (most < numbers.size()) texts << QStringLiteral("…");
  return texts.join(QStringLiteral("  "));
}

QString agreementText(const reproduce::Checked& checked) {
  if (!checked.claim.isComputed()) return QStringLiteral("–");
  if (!checked.ours) return ClaimTable::tr("not yet");
  if (!checked.pass) return ClaimTable::tr("no");
  return checked.claim.right.empty() ? ClaimTable::tr("yes")
                                     : ClaimTable::tr("refuted, as expected");
}

ClaimTable::ClaimTable(const Style& style, QWidget* parent) : Table(style, claimColumns(), parent) {
  setAccessibleName(tr("Claims"));
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  horizontalHeader()->setHighlightSections(false);
  // Not ResizeToContents, which measures all cells anew for each one that is set.
  for (int column = kPrinted; column <= kAgrees; ++column)
    horizontalHeader()->setSectionResizeMode(column, QHeaderView::Fixed);
  connect(&style_, &Style::changed, this, &ClaimTable::fill);
}

void ClaimTable::setClaims(const QString& title, std::vector<reproduce::Checked> claims) {
  const bool others = title != title_ || claims.size() != claims_.size();
  title_ = title;
  claims_ = std::move(claims);
  fill();
  if (others && rowCount() > 0) {
    setCurrentCell(0, kSays);
    scrollToTop();
  }
}

const reproduce::Checked* ClaimTable::current() const {
  const int row = currentRow();
  return row >= 0 && row < int(claims_.size()) ? &claims_[std::size_t(row)] : nullptr;
}

void ClaimTable::fill() {
  QList<QStringList> rows;
  for (const reproduce::Checked& checked : claims_) rows << rowOf(checked);
  setRows(rows);
  for (int row = 0; row < rowCount(); ++row) {
    const reproduce::Checked& checked = claims_[std::size_t(row)];
    item(row, kSays)->setToolTip(QString::fromStdString(checked.claim.text));
    if (!checked.ours) continue;
    const Palette& palette = style_.palette();
    item(row, kAgrees)
        ->setForeground(!checked.pass                 ? palette.bad
                        : checked.claim.right.empty() ? palette.good
                                                      : palette.mark);
  }
  for (int column = kPrinted; column <= kAgrees; ++column) resizeColumnToContents(column);
}

DataTable ClaimTable::figureData() const {
  DataTable table;
  table.columns = {"claim",     "printed", "at_most", "right", "ours",
                   "tolerance", "agrees",  "how",     "where", "wrong"};
  for (const reproduce::Checked& c : claims_)
    table.rows.push_back(
        {QString::fromStdString(c.claim.text), allNumbers(c.claim.printed),
         QString::number(int(c.claim.at_most)), allNumbers(c.claim.right),
         c.ours ? allNumbers(*c.ours) : QString(), fullPrecision(c.claim.tolerance),
         c.ours ? QString::number(int(c.pass)) : QString(), QString::fromStdString(c.claim.how),
         QString::fromStdString(c.claim.where), QString::fromStdString(c.claim.wrong)});
  return table;
}

}  // namespace tfm::ui
