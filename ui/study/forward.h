// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forward.h"

namespace tfm::ui {

class SourcesDialog;
class StudyControls;
class StudyPlots;
class StudySizes;

}  // namespace tfm::ui
