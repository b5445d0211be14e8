// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QIcon>
#include <QObject>
#include <functional>
#include <memory>

#include "ui/style/forward.h"
#include "ui/style/palette.h"

namespace tfm::ui {

/// The look of the whole program: a theme and one scale factor for all sizes. There is one per
/// application; changed() tells widgets with their own painting to update.
class Style : public QObject {
  Q_OBJECT

 public:
  /// Also: numbers have a decimal point everywhere, and labels show their text letter for letter.
  explicit Style(QApplication& application);
  ~Style() override;

  Theme theme() const { return theme_; }
  double scale() const { return scale_; }
  bool motion() const { return motion_; }
  const Palette& palette() const { return tfm::ui::palette(theme_); }

  void setTheme(Theme theme);
  /// 1 for a desktop, more for a projector; clamped to [0.8, 2.5]. NaN changes nothing.
  void setScale(double scale);
  /// Whether to animate; if off, end states are shown at once.
  void setMotion(bool motion);

  /// `pixels` at scale 1 in the current scale.
  int px(double pixels) const;
  /// The text font; sizes are 10.5, 12, 13, 15 or 18 pixels at scale 1.
  QFont textFont(double size = 13, int weight = QFont::Normal) const;
  /// The monospaced font for numbers.
  QFont numberFont(double size = 13, int weight = QFont::Normal) const;
  /// The same fonts without scale, for export.
  static QFont textFace(double pixels, int weight = QFont::Normal);
  static QFont numberFace(double pixels, int weight = QFont::Normal);
  /// Small labels above groups: letter-spaced capitals.
  QFont labelFont() const;
  /// A line icon from resources/icons by its base name, in the text colour. It follows the theme.
  QIcon icon(const QString& name) const;
  /// The same icon in one colour for all themes.
  QIcon icon(const QString& name, const QColor& colour) const;
  /// The side length of an icon in the current scale.
  int iconSize() const { return px(20); }

  /// Calls `apply` now and whenever the style changes, as long as `owner` lives.
  void follow(const QObject* owner, const std::function<void()>& apply) const;

 signals:
  void changed();

 private:
  friend class WithoutSheet;

  void apply();
  void setSheet();

  QApplication& application_;
  Theme theme_ = Theme::Dark;
  double scale_ = 1.0;
  bool motion_ = true;
  std::unique_ptr<ControlImages> images_;
};

/// Takes the style sheet away while it lives, so that a window is put together in half the time:
/// under a sheet, Qt styles all of a widget's children again whenever it gets a parent.
class WithoutSheet {
 public:
  explicit WithoutSheet(Style& style);
  ~WithoutSheet();
  WithoutSheet(const WithoutSheet&) = delete;
  WithoutSheet& operator=(const WithoutSheet&) = delete;

 private:
  Style& style_;
};

/// Sets the style sheet role of `widget` and repolishes it.
///
/// | widget       | roles                                                                      |
/// |--------------|----------------------------------------------------------------------------|
/// | QPushButton, | primary (accent), pill (round ends), danger (bad colour), segment (part of |
/// | QToolButton  | a Segmented), flat (no frame until touched), small (flat and tight),       |
/// |              | tab (flat, raised while chosen), fold (beside a heading)                   |
/// | QFrame       | panel (side zone), card (raised, framed), drop (a place to drop things),   |
/// |              | pinned (gold frame), chip (gold, round ends), exam (gold edge below)       |
/// | QTextEdit    | page (without frame and ground, as a text beside a picture)               |
/// | QLabel       | title, sentence, label (section), caption (above a number), strong, muted, |
/// |              | number, good, bad, mark, clock (large gold digits)                         |
///
/// A card with the property `selected` = true has an accent frame, a tab with `locked` = true is
/// crossed out.
void setRole(QWidget& widget, const char* role);

}  // namespace tfm::ui
