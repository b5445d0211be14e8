// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QIcon>
#include <QObject>
#include <memory>

#include "ui/style/palette.h"

class QApplication;
class QWidget;

namespace tfm::ui {

class ControlImages;

/// The look of the whole program: theme and one scale factor for all sizes. One lives in the
/// application and is handed to what draws; `changed` tells widgets that paint themselves to do it
/// again.
class Style : public QObject {
  Q_OBJECT

 public:
  explicit Style(QApplication& application);
  ~Style() override;

  Theme theme() const { return theme_; }
  double scale() const { return scale_; }
  bool motion() const { return motion_; }
  const Palette& palette() const { return tfm::ui::palette(theme_); }

  void setTheme(Theme theme);
  /// 1 is a desk, 1.6 a projector; clamped to [0.8, 2.5].
  void setScale(double scale);
  /// Whether things may move; off shows end states at once.
  void setMotion(bool motion);

  /// `pixels` at scale 1 in the current scale.
  int px(double pixels) const;
  /// Text: sizes 10.5, 12, 13, 15, 18 points-as-pixels at scale 1.
  QFont textFont(double size = 13, int weight = QFont::Normal) const;
  /// Numbers, in a face with equal widths.
  QFont numberFont(double size = 13, int weight = QFont::Normal) const;
  /// The same faces outside any scale, for what is drawn on paper.
  static QFont textFace(double pixels, int weight = QFont::Normal);
  static QFont numberFace(double pixels, int weight = QFont::Normal);
  /// Small labels above groups: letter-spaced capitals.
  QFont labelFont() const;
  /// A line icon from resources/icons by its file name without ending, in the text's colour. It
  /// follows the theme by itself.
  QIcon icon(const QString& name) const;
  /// The same icon in one colour for all themes.
  QIcon icon(const QString& name, const QColor& colour) const;
  /// Side of an icon in the current scale.
  int iconSize() const { return px(20); }

 signals:
  void changed();

 private:
  void apply();

  QApplication& application_;
  Theme theme_ = Theme::Dark;
  double scale_ = 1.0;
  bool motion_ = true;
  std::unique_ptr<ControlImages> images_;
};

/// Gives `widget` one of the looks that the style sheet knows, and shows it at once.
///
/// | widget       | roles                                                                      |
/// |--------------|----------------------------------------------------------------------------|
/// | QPushButton, | primary (accent), pill (round ends), danger (bad colour), segment (part of |
/// | QToolButton  | a Segmented), flat (no frame until touched), small (flat and tight),       |
/// |              | tab (flat, raised while chosen)                                            |
/// | QFrame       | panel (side zone), card (raised, framed), drop (a place to drop things),   |
/// |              | pinned (gold frame), chip (gold, round ends)                               |
/// | QLabel       | title, sentence, label (section), caption (above a number), strong, muted, |
/// |              | number, good, bad, mark                                                    |
///
/// A card with the property `selected` = true has an accent frame.
void setRole(QWidget& widget, const char* role);

}  // namespace tfm::ui
