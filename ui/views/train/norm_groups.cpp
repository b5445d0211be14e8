// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/norm_groups.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "ui/growth/parameter_caption.h"

namespace tfm::ui {
namespace {

/// The query of a cross-attention and the norm of that block are both in "decoder 1 cross", counted
/// from 1; short enough to fit beside its bar.
QString groupOf(const ParameterTag& tag) {
  const Site& site = tag.site;
  QStringList words{placeWords({site.stack})};
  if (site.layer >= 0) words << QString::number(site.layer + 1);
  words << (site.kind == BlockKind{} ? partWords(tag.part) : groupWords(tag).section(' ', 0, 0));
  words.removeAll(QString());
  return words.join(' ');
}

}  // namespace

std::vector<BarRow> normGroups(std::span<const observe::ParameterNorm> norms, NormSide side) {
  std::vector<BarRow> groups;
  for (const observe::ParameterNorm& norm : norms) {
    const QString name = groupOf(norm.tag);
    const double length = side == NormSide::Gradients ? norm.gradient : norm.value;
    const auto same = [&](const BarRow& group) { return group.label == name; };
    auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end()) group = groups.insert(groups.end(), BarRow{name, 0.0});
    group->value = std::hypot(group->value, length);
  }
  return groups;
}

}  // namespace tfm::ui
