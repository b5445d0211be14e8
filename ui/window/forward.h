// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forward.h"

namespace tfm::ui {

class ExportDialog;
class LessonEditor;
class LessonExam;
class LessonGuide;
class LessonLocks;
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
