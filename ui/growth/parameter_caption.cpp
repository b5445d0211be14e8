// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/parameter_caption.h"

#include <QCoreApplication>
#include <QStringList>
#include <string_view>

namespace tfm::ui {
namespace {

struct CaptionText {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::ParameterCaption)
};

QString spaced(std::string_view name) {
  return QString::fromUtf8(name.data(), qsizetype(name.size())).replace('_', ' ');
}

/// The symbols of the feed-forward's parameters in the rules on screen.
QString symbolOf(const ParameterTag& tag) {
  const bool bias = tag.term == Term::Bias;
  if (tag.part == ParameterPart::Linear1)
    return bias ? CaptionText::tr(" (b₁)") : CaptionText::tr(" (W₁)");
  if (tag.part == ParameterPart::Linear2)
    return bias ? CaptionText::tr(" (b₂)") : CaptionText::tr(" (W₂)");
  return {};
}

}  // namespace

QString placeWords(const Site& site) {
  const QString stack = spaced(stackName(site.stack));
  return site.layer < 0 ? stack : CaptionText::tr("%1 layer %2").arg(stack).arg(site.layer + 1);
}

QString groupWords(const ParameterTag& tag) {
  if (tag.site.kind != BlockKind{}) return spaced(tag.site.kind.name);
  QString part = partWords(tag.part);
  constexpr std::string_view kNorm = " norm";
  if (tag.ofNorm() && part.endsWith(QLatin1String(kNorm.data())))
    part.chop(int(kNorm.size()));  // shown with what it belongs to
  return part;
}

QString placedGroup(const ParameterTag& tag) {
  const QString place = placeWords(tag.site), group = groupWords(tag);
  if (place.isEmpty()) return group;
  return (tag.site.layer < 0 ? CaptionText::tr("%1 %2") : CaptionText::tr("%1: %2"))
      .arg(place, group);
}

QString partWords(ParameterPart part) { return spaced(partName(part)); }

ParameterCaption captionOf(const ParameterTag& tag, bool with_shift) {
  const bool bias = tag.term == Term::Bias, output = tag.site == Site{};
  QStringList place{placeWords(tag.site)};
  if (tag.site.kind != BlockKind{} || tag.ofNorm() || output) place << groupWords(tag);
  place.removeAll(QString());
  QString name = partWords(tag.part);
  if (tag.ofNorm()) {
    // A block may have norms inside, each of a map.
    const bool inside = tag.site.kind != BlockKind{} && tag.part != ParameterPart::Norm;
    const QString norm = tag.term == Term::Shift ? CaptionText::tr("norm shift")
                         : with_shift            ? CaptionText::tr("norm")
                                                 : CaptionText::tr("norm gain");
    name = inside ? CaptionText::tr("%1 %2").arg(name, norm) : norm;
  } else if (output)
    name = bias ? CaptionText::tr("bias") : CaptionText::tr("weights");
  else
    name = (bias ? CaptionText::tr("%1 bias").arg(name) : name) + symbolOf(tag);
  return {place.join(QStringLiteral(", ")), name};
}

QString axisText(const Dimension& dimension) {
  return QString::fromStdString(dimension.name())
      .replace(QLatin1String(" x "), QStringLiteral(" × "));
}

}  // namespace tfm::ui
