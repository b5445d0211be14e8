// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <array>
#include <optional>
#include <string_view>

namespace tfm::ui {

/// A screen of the window.
struct ScreenName {
  const char* icon;
  std::string_view name;  ///< as source documents and the manual call it
  char mnemonic;          ///< a letter of the name that no other entry of the View menu has
};

/// In the order of their keys 1, 2, ...
enum Screen { kTrain, kAttention, kMatrices, kGrow, kElastic, kWrite, kShape, kFlow };

/// The same as rows.
inline constexpr std::array kScreens{
    ScreenName{"train", "Train", 'T'},       ScreenName{"attention", "Attention", 'A'},
    ScreenName{"matrices", "Matrices", 'M'}, ScreenName{"grow", "Grow", 'G'},
    ScreenName{"elastic", "Elastic", 'E'},   ScreenName{"write", "Write", 'W'},
    ScreenName{"shape", "Shape", 'p'},       ScreenName{"flow", "Flow", 'o'}};
static_assert(kScreens.size() == kFlow + 1);

/// The screen with that name; none where there is none.
inline std::optional<int> screenNamed(std::string_view name) {
  for (std::size_t screen = 0; screen < kScreens.size(); ++screen)
    if (kScreens[screen].name == name) return int(screen);
  return std::nullopt;
}

inline QString screenText(std::size_t screen) {
  return QCoreApplication::translate("screens", std::string(kScreens[screen].name).c_str());
}

/// "using-the-window.md#train-1": the section of the manual about a screen.
inline QString manualPlace(std::size_t screen) {
  return QStringLiteral("using-the-window.md#%1-%2")
      .arg(QString::fromUtf8(kScreens[screen].name).toLower())
      .arg(screen + 1);
}

}  // namespace tfm::ui
