// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/style_sheet.h"

#include <QFile>
#include <QHash>
#include <QRegularExpression>

#include "core/base/check.h"
#include "ui/style/control_images.h"
#include "ui/style/oklab.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

QString quotedFamilies(const QFont& font) { return '"' + font.families().join("\", \"") + '"'; }

QHash<QString, QString> names(const Style& style, const ControlImages& images) {
  const Palette& p = style.palette();
  const QColor onAccent = readableOn(p.accent);
  return {
      {"ground", p.ground.name()},
      {"panel", p.panel.name()},
      {"raised", p.raised.name()},
      {"line", p.line.name()},
      {"text", p.text.name()},
      {"muted", p.muted.name()},
      {"accent", p.accent.name()},
      {"mark", p.mark.name()},
      {"good", p.good.name()},
      {"bad", p.bad.name()},
      {"onAccent", onAccent.name()},
      {"hover", mixOklab(p.raised, p.text, 0.08).name()},
      {"pressed", mixOklab(p.raised, p.text, 0.16).name()},
      {"accentHover", mixOklab(p.accent, p.text, 0.15).name()},
      {"disabled", disabledText(p).name()},
      {"numberFont", quotedFamilies(style.numberFont())},
      {"up", images.path("up", p.muted)},
      {"down", images.path("down", p.muted)},
      {"right", images.path("right", p.muted)},
      {"check", images.path("check", onAccent)},
      {"tick", images.path("check", p.text)},
  };
}

}  // namespace

QString styleSheet(const Style& style, const ControlImages& images) {
  QFile file(":/style.qss");
  check(file.open(QIODevice::ReadOnly), "style.qss is listed in resources.qrc");
  const QString source = QString::fromUtf8(file.readAll());
  const QHash<QString, QString> known = names(style, images);

  // "@name" is a colour, a font or an image; "4u" is four pixels at scale 1.
  static const QRegularExpression token(R"(@(\w+)|\b(\d+(?:\.\d+)?)u\b)");
  QString sheet;
  qsizetype end = 0;
  for (auto it = token.globalMatch(source); it.hasNext();) {
    const QRegularExpressionMatch match = it.next();
    sheet += source.mid(end, match.capturedStart() - end);
    end = match.capturedEnd();
    const QString name = match.captured(1);
    check(name.isEmpty() || known.contains(name), "every name in style.qss is known");
    sheet += name.isEmpty() ? QString::number(style.px(match.captured(2).toDouble())) + "px"
                            : known.value(name);
  }
  return sheet + source.mid(end);
}

}  // namespace tfm::ui
