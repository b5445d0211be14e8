// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/parameter_caption.h"

#include <QCoreApplication>
#include <QStringList>

namespace tfm::ui {
namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::ParameterCaption)
};

/// The feed-forward's matrices as the rules on screen call them.
QString symbolOf(const QString& matrix, bool bias) {
  if (matrix == QLatin1String("linear1")) return bias ? Text::tr("b₁") : Text::tr("W₁");
  if (matrix == QLatin1String("linear2")) return bias ? Text::tr("b₂") : Text::tr("W₂");
  return {};
}

}  // namespace

ParameterCaption captionOf(const std::string& parameter) {
  QStringList path = QString::fromStdString(parameter).split('.');
  QStringList place{path.takeFirst()};
  if (path.size() > 1 && path.front() == QLatin1String("layers")) {
    place.front() += Text::tr(" layer %1").arg(path[1].toInt() + 1);
    path = path.mid(2);
  }
  const QString kind = path.isEmpty() ? QString() : path.takeLast();
  QString last = path.isEmpty() ? QString() : path.takeLast().replace('_', ' ');
  for (QString& part : path) place << part.replace('_', ' ');
  const bool bias = kind == QLatin1String("bias");
  if (last.endsWith(QLatin1String("norm"))) {
    // "feed forward norm" stands at the feed-forward block.
    const QString block = last.chopped(4).trimmed();
    if (!block.isEmpty()) place << block;
    last = bias ? Text::tr("norm shift") : Text::tr("norm gain");
  } else if (last.isEmpty()) {
    last = kind == QLatin1String("weight") ? Text::tr("weights") : kind;
  } else {
    const QString symbol = symbolOf(last, bias);
    if (bias) last = Text::tr("%1 bias").arg(last);
    if (!symbol.isEmpty()) last += QStringLiteral(" (%1)").arg(symbol);
  }
  return {place.join(QStringLiteral(", ")), last};
}

QString axisText(const Dimension& dimension) {
  return QString::fromStdString(dimension.name())
      .replace(QLatin1String(" x "), QStringLiteral(" × "));
}

}  // namespace tfm::ui
