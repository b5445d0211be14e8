// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QRect>
#include <QString>

#include "ui/forward.h"

namespace tfm::ui {

/// `text` such that QToolTip shows it letter for letter. Qt would lay out what looks like HTML, but
/// a tooltip may name a file or a token.
QString plainTip(const QString& text);

/// Shows a tooltip with this text, as QToolTip::showText() does otherwise.
void showTip(const QPoint& place, const QString& text, QWidget* by, const QRect& area = {},
             int milliseconds = -1);

}  // namespace tfm::ui
