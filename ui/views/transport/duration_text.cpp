// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/transport/duration_text.h"

#include <QCoreApplication>
#include <cmath>

namespace tfm::ui {
namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::DurationText)
};

}  // namespace

QString durationText(double seconds) {
  constexpr double kMax = 3600.0 * 24 * 365;
  if (!(seconds < kMax)) return Text::tr("over a year");
  const auto whole = qlonglong(std::ceil(seconds));
  if (whole < 60) return Text::tr("%1 s").arg(whole);
  if (whole < 3600) return Text::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
  return Text::tr("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

}  // namespace tfm::ui
