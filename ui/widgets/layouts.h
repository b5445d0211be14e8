// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>

namespace tfm::ui {

/// Makes a layout without margins, of `owner` or to be added to another layout. `spacing` in
/// pixels; -1: the style's.
template <class Layout>
Layout* bareLayout(QWidget* owner = nullptr, int spacing = -1) {
  auto* layout = owner != nullptr ? new Layout(owner) : new Layout;
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(spacing);
  return layout;
}

}  // namespace tfm::ui
