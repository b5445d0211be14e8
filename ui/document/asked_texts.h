// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <algorithm>
#include <optional>

#include "core/document/window_state.h"

namespace tfm::ui {

/// The texts that the model reads, one or several, and which of them is shown.
struct AskedTexts {
  QStringList all{QString()};
  int shown = 0;

  const QString& question() const { return all[shown]; }
  bool operator==(const AskedTexts&) const = default;
};

/// The same as documents keep them, and back.
inline train::WindowState windowOf(const AskedTexts& texts) {
  train::WindowState window;
  for (const QString& text : texts.all) window.texts.push_back(text.toStdString());
  window.text = texts.shown;
  return window;
}
inline AskedTexts textsOf(const train::WindowState& window, std::size_t most) {
  AskedTexts texts;
  if (window.texts.empty()) return texts;
  texts.all.clear();
  for (const std::string& text : window.texts)
    if (texts.all.size() < qsizetype(most)) texts.all << QString::fromStdString(text);
  texts.shown = int(std::min<std::int64_t>(window.text, texts.all.size() - 1));
  return texts;
}

/// Two texts that are compared: numbers of the second minus those of the first.
struct ComparedTexts {
  int first = 0, second = 1;
  bool operator==(const ComparedTexts&) const = default;
};

/// The shown text beside the first one, or the second beside it; none of a single text.
inline std::optional<ComparedTexts> pairOf(const AskedTexts& texts) {
  if (texts.all.size() < 2) return std::nullopt;
  return ComparedTexts{0, texts.shown == 0 ? 1 : texts.shown};
}

/// The labels of positions in a difference of two texts: both tokens where they differ, that of the
/// minuend first.
template <class Labels>
Labels labelsOfBoth(Labels minuend, const Labels& subtrahend) {
  const auto both = std::min(minuend.size(), subtrahend.size());
  for (decltype(minuend.size()) at = 0; at < both; ++at)
    if (minuend[at] != subtrahend[at]) minuend[at] = minuend[at] + "/" + subtrahend[at];
  return minuend;
}

}  // namespace tfm::ui
