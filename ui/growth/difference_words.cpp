// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/difference_words.h"

#include <QCoreApplication>
#include <QStringList>

#include "ui/growth/parameter_caption.h"

namespace tfm::ui {
namespace {

struct DifferenceText {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::DifferenceWords)
};

constexpr std::size_t kMaxNamed = 2;

}  // namespace

QString differenceSentence(std::int64_t step, std::int64_t minus_step,
                           const std::vector<ParameterInfo>& unpaired) {
  const QString what =
      DifferenceText::tr("Step %1 − step %2: blue cells increased, orange ones decreased.")
          .arg(step)
          .arg(minus_step);
  if (unpaired.empty()) return what;
  QStringList names;
  for (std::size_t i = 0; i < std::min(unpaired.size(), kMaxNamed); ++i) {
    const ParameterCaption caption = captionOf(unpaired[i].tag);
    names << QStringLiteral("%1: %2").arg(caption.place, caption.name);
  }
  if (unpaired.size() > kMaxNamed)
    names << DifferenceText::tr("%1 more").arg(unpaired.size() - kMaxNamed);
  return what + QLatin1Char(' ') +
         DifferenceText::tr("Sizes differ: %1. Cells that only step %2 has are grey.")
             .arg(names.join(QStringLiteral("; ")))
             .arg(step);
}

}  // namespace tfm::ui
