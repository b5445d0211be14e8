// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/style.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPalette>
#include <QStyle>
#include <QToolTip>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "ui/style/control_images.h"
#include "ui/style/decimal_point.h"
#include "ui/style/icon_engine.h"
#include "ui/style/plain_labels.h"
#include "ui/style/style_sheet.h"

// The linker would drop the resources of a static library. Outside any namespace, as Qt requires.
static void loadResources() { Q_INIT_RESOURCE(resources); }

namespace tfm::ui {
namespace {

QPalette applicationPalette(const Palette& p) {
  QPalette result;
  result.setColor(QPalette::Window, p.ground);
  result.setColor(QPalette::WindowText, p.text);
  result.setColor(QPalette::Base, p.panel);
  result.setColor(QPalette::AlternateBase, p.raised);
  result.setColor(QPalette::Text, p.text);
  result.setColor(QPalette::PlaceholderText, p.muted);
  result.setColor(QPalette::Button, p.raised);
  result.setColor(QPalette::ButtonText, p.text);
  result.setColor(QPalette::BrightText, p.bad);
  result.setColor(QPalette::Highlight, p.accent);
  result.setColor(QPalette::HighlightedText, readableOn(p.accent));
  result.setColor(QPalette::ToolTipBase, p.raised);
  result.setColor(QPalette::ToolTipText, p.text);
  result.setColor(QPalette::Link, p.accent);
  result.setColor(QPalette::LinkVisited, p.accent);
  for (const auto edge :
       {QPalette::Light, QPalette::Midlight, QPalette::Mid, QPalette::Dark, QPalette::Shadow})
    result.setColor(edge, p.line);
  for (const auto text : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    result.setColor(QPalette::Disabled, text, disabledText(p));
  return result;
}

QFont sized(const QStringList& families, double pixels, int weight) {
  QFont font;
  font.setFamilies(families);
  font.setPixelSize(std::max(1, qRound(pixels)));
  font.setWeight(static_cast<QFont::Weight>(weight));
  return font;
}

}  // namespace

Style::Style(QApplication& application)
    : application_(application), images_(std::make_unique<ControlImages>()) {
  loadResources();
  useDecimalPoint();
  application_.setStyle(new PlainLabels("Fusion"));
  apply();
}

Style::~Style() = default;

void Style::setTheme(Theme theme) {
  if (theme == theme_) return;
  theme_ = theme;
  apply();
}

void Style::setScale(double scale) {
  if (std::isnan(scale)) return;
  const double inside = std::clamp(scale, 0.8, 2.5);
  if (inside == scale_) return;
  scale_ = inside;
  apply();
}

void Style::setMotion(bool motion) {
  if (motion == motion_) return;
  motion_ = motion;
  emit changed();
}

int Style::px(double pixels) const {
  if (pixels <= 0) return 0;
  return std::max(1, qRound(pixels * scale_));
}

QFont Style::textFont(double size, int weight) const { return textFace(px(size), weight); }

QFont Style::numberFont(double size, int weight) const { return numberFace(px(size), weight); }

QFont Style::textFace(double pixels, int weight) {
  const QString system = QFontDatabase::systemFont(QFontDatabase::GeneralFont).family();
  return sized({"Inter", system}, pixels, weight);
}

QFont Style::numberFace(double pixels, int weight) {
  const QString system = QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
  QFont font = sized({"JetBrains Mono", system}, pixels, weight);
  font.setStyleHint(QFont::Monospace);
  return font;
}

QFont Style::labelFont() const {
  QFont font = textFont(11, QFont::DemiBold);
  font.setCapitalization(QFont::AllUppercase);
  font.setLetterSpacing(QFont::PercentageSpacing, 106);
  return font;
}

void Style::follow(const QObject* owner, const std::function<void()>& apply) const {
  connect(this, &Style::changed, owner, apply);
  apply();
}

QIcon Style::icon(const QString& name) const {
  return QIcon(new IconEngine(*this, ":/icons/" + name + ".svg"));
}

QIcon Style::icon(const QString& name, const QColor& colour) const {
  return QIcon(new IconEngine(*this, ":/icons/" + name + ".svg", colour));
}

void Style::apply() {
  // A changed sheet would style each widget once for each of its ancestors; a new one does it once.
  application_.setStyleSheet({});
  application_.setFont(textFont());
  QToolTip::setFont(textFont(12));
  application_.setPalette(applicationPalette(palette()));
  setSheet();
  emit changed();
}

void Style::setSheet() { application_.setStyleSheet(styleSheet(*this, *images_)); }

WithoutSheet::WithoutSheet(Style& style) : style_(style) { style_.application_.setStyleSheet({}); }

WithoutSheet::~WithoutSheet() { style_.setSheet(); }

void setRole(QWidget& widget, const char* role) {
  widget.setProperty("role", role);
  widget.style()->unpolish(&widget);
  widget.style()->polish(&widget);
  widget.update();
}

}  // namespace tfm::ui
