// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include "ui/figure/figure.h"

namespace tfm::ui {

/// The table as comma-separated values in UTF-8 (RFC 4180, lines ending in \n): the columns' names,
/// then the rows. Fields with commas, quotes or line ends are quoted. Every row must have as many
/// fields as there are columns.
QByteArray toCsv(const DataTable& table);

}  // namespace tfm::ui
