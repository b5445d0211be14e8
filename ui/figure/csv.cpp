// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/csv.h"

#include "core/base/check.h"

namespace tfm::ui {
namespace {

QString quoted(const QString& field) {
  const bool plain = !field.contains(',') && !field.contains('"') && !field.contains('\n') &&
                     !field.contains('\r');
  if (plain) return field;
  return '"' + QString(field).replace("\"", "\"\"") + '"';
}

void appendLine(QByteArray& text, const QStringList& fields) {
  QStringList line;
  for (const QString& field : fields) line += quoted(field);
  text += line.join(',').toUtf8() + '\n';
}

}  // namespace

QByteArray toCsv(const DataTable& table) {
  QByteArray text;
  appendLine(text, table.columns);
  for (const QStringList& row : table.rows) {
    check(row.size() == table.columns.size(), "every row has one field per column");
    appendLine(text, row);
  }
  return text;
}

}  // namespace tfm::ui
