// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/ask/observer.h"
#include "core/document/document.h"

namespace tfm::train {

/// What the model of a document does with the text that the window shows, at the moment that it
/// shows, with the interventions in force: of Looking, everything but the pattern and the answer
/// that a decoder reads comes from the document. With its parameters; without a pass where no text
/// is shown. Throws Error for a text that the model cannot read.
std::shared_ptr<const Snapshot> shownSnapshot(const Document& document, const std::string& pattern,
                                              ReadAnswer read = ReadAnswer::Own);

}  // namespace tfm::train
