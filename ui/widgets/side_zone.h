// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <initializer_list>

#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// A side panel: sections one below the other, scrolled if they do not fit.
class SideZone : public QFrame {
  Q_OBJECT

 public:
  /// `least` is the minimum width, in pixels at scale 1.
  explicit SideZone(const Style& style, double least = 220, QWidget* parent = nullptr);

  /// Adds a section at the bottom; takes ownership. `fills`: it takes the height that is left.
  void add(QWidget* section, bool fills = false);
  /// Makes a Section of these parts and adds it.
  Section* addSection(const QString& label, std::initializer_list<QWidget*> parts,
                      const QString& sentence = {});
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 private:
  const Style& style_;
  const double least_;
  QVBoxLayout* column_;
};

}  // namespace tfm::ui
