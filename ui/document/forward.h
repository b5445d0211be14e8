// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forward.h"

namespace tfm::ui {

class Answers;
class BackgroundStudy;
class Changes;
struct FoundBeams;
class GrowthPlanner;
struct GrowthPreview;
class ModelDocument;
class Moments;
class Observing;
struct ReadModel;
struct ReadToken;
class Recovery;
class SubmodelExplorer;
class Training;

}  // namespace tfm::ui
