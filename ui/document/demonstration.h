// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/document/document.h"

namespace tfm::ui {

/// Small trained models that come with the program.
enum class Demonstration {
  /// What the window opens with. Made by `transformarium-cli train --preset rot13 --seed 28
  /// --until-accuracy 1`; a seed that learns within 600 steps and whose heads are easy to read.
  Rot13,
  Facts,      ///< nested; the number of facts it remembers depends on its width
  Sentiment,  ///< nested; its task needs little width
};

train::Document demonstration(Demonstration which = Demonstration::Rot13);
/// The document at a path of the resources: ":/documents/rot13.safetensors". Throws Error.
train::Document bundledDocument(const QString& path);

}  // namespace tfm::ui
