// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include "ui/figure/figure.h"

namespace tfm::ui {

/// The table as comma-separated values in UTF-8 (RFC 4180, lines ending in \n): the column names,
/// then the rows. Fields with commas, quotes or line breaks are quoted. Every row must have one
/// field per column.
QByteArray toCsv(const DataTable& table);

}  // namespace tfm::ui
