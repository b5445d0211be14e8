// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layouts.h"

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

template <class Layout>
Layout* bareBox(const Style& style, double spacing, std::initializer_list<Part> parts) {
  auto* layout = addParts(bareLayout<Layout>(), parts);
  style.follow(layout, [layout, &style, spacing] { layout->setSpacing(style.px(spacing)); });
  return layout;
}

}  // namespace

QHBoxLayout* rowOf(std::initializer_list<Part> parts) {
  return addParts(bareLayout<QHBoxLayout>(), parts);
}

QHBoxLayout* rowOf(const Style& style, double spacing, std::initializer_list<Part> parts) {
  return bareBox<QHBoxLayout>(style, spacing, parts);
}

QVBoxLayout* columnOf(std::initializer_list<Part> parts) {
  return addParts(bareLayout<QVBoxLayout>(), parts);
}

QVBoxLayout* columnOf(const Style& style, double spacing, std::initializer_list<Part> parts) {
  return bareBox<QVBoxLayout>(style, spacing, parts);
}

}  // namespace tfm::ui
