// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <initializer_list>

#include "ui/style/forward.h"

namespace tfm::ui {

/// A widget or a layout in a row or column, as QBoxLayout adds it.
struct Part {
  Part(QWidget* widget, int stretch = 0, Qt::Alignment alignment = {})
      : widget(widget), stretch(stretch), alignment(alignment) {}
  Part(QLayout* layout, int stretch = 0) : layout(layout), stretch(stretch) {}

  QWidget* widget = nullptr;
  QLayout* layout = nullptr;
  int stretch = 0;
  Qt::Alignment alignment = {};
};

/// Empty room that takes what other parts leave.
inline const Part kStretch{static_cast<QLayout*>(nullptr), 1};

/// Adds parts at the end of a row or column and returns it.
template <class Layout>
Layout* addParts(Layout* layout, std::initializer_list<Part> parts) {
  for (const Part& part : parts)
    if (part.widget != nullptr)
      layout->addWidget(part.widget, part.stretch, part.alignment);
    else if (part.layout != nullptr)
      layout->addLayout(part.layout, part.stretch);
    else
      layout->addStretch(part.stretch);
  return layout;
}

/// Makes a layout without margins, of `owner` or to be added to another layout. `spacing` in
/// pixels; -1: the style's.
template <class Layout>
Layout* bareLayout(QWidget* owner = nullptr, int spacing = -1) {
  auto* layout = owner != nullptr ? new Layout(owner) : new Layout;
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(spacing);
  return layout;
}

/// Makes a row without margins.
QHBoxLayout* rowOf(std::initializer_list<Part> parts);
/// The same with a spacing in pixels at scale 1, which follows the style.
QHBoxLayout* rowOf(const Style& style, double spacing, std::initializer_list<Part> parts);
/// Makes a column without margins.
QVBoxLayout* columnOf(std::initializer_list<Part> parts);
QVBoxLayout* columnOf(const Style& style, double spacing, std::initializer_list<Part> parts);

}  // namespace tfm::ui
