// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QIcon>
#include <QObject>

#include "ui/style/palette.h"

class QApplication;

namespace tfm::ui {

/// The look of the whole program: theme and one scale factor for all sizes. One lives in the application and
/// is handed to what draws; `changed` tells widgets that paint themselves to do it again.
class Style : public QObject {
  Q_OBJECT

 public:
  explicit Style(QApplication& application);

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
  /// Small labels above groups: letter-spaced capitals.
  QFont labelFont() const;
  /// A line icon from resources/icons by its file name without ending, in the text's colour.
  QIcon icon(const QString& name) const;

 signals:
  void changed();

 private:
  void apply();

  QApplication& application_;
  Theme theme_ = Theme::Dark;
  double scale_ = 1.0;
  bool motion_ = true;
};

}  // namespace tfm::ui
