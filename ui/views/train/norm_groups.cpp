// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/norm_groups.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

namespace tfm::ui {
namespace {

/// "decoder.layers.0.cross_attention.query.weight" and the norm of that block are in "decoder 1
/// cross", as people count: short enough to stand beside its bar.
QString groupOf(const std::string& parameter) {
  QStringList parts = QString::fromStdString(parameter).split('.');
  parts.removeAll(QStringLiteral("layers"));
  const bool layer = parts.size() > 2 && parts[1].front().isDigit();
  if (layer) {
    parts[1] = QString::number(parts[1].toInt() + 1);
    parts[2] = parts[2].section('_', 0, 0);
  }
  return parts.mid(0, layer ? 3 : parts.size() > 2 ? 2 : 1).join(' ').replace('_', ' ');
}

}  // namespace

std::vector<BarRow> normGroups(std::span<const observe::ParameterNorm> norms, NormSide side) {
  std::vector<BarRow> groups;
  for (const observe::ParameterNorm& norm : norms) {
    const QString name = groupOf(norm.name);
    const double length = side == NormSide::Gradients ? norm.gradient : norm.value;
    const auto same = [&](const BarRow& group) { return group.label == name; };
    auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end()) group = groups.insert(groups.end(), BarRow{name, 0.0});
    group->value = std::hypot(group->value, length);
  }
  return groups;
}

}  // namespace tfm::ui
