// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forward.h"

namespace tfm::ui {

class LessonEditor;
class LessonGuide;
class LessonNotes;
class MainWindow;
class Manual;
class Presenter;
class ReportDesk;
class ReportDialog;
class Settings;
class Rail;
class TopBar;
class TypingGuard;
class WindowFiles;
class Zones;

}  // namespace tfm::ui
