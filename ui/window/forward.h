// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forward.h"

namespace tfm::ui {

class LessonGuide;
class MainWindow;
class Manual;
class Settings;
class Rail;
class TopBar;
class TypingGuard;
class WindowFiles;
class Zones;

}  // namespace tfm::ui
