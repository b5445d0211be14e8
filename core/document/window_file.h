// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/document/tensor_reader.h"
#include "core/document/window_state.h"
#include "core/io/safetensors.h"

namespace tfm::data {
class TextCodec;
}

namespace tfm::train {

/// Adds a state of the window to a document's file: the moments' numbers as window.moments, which
/// programs without such states refuse, their tensors as window.moment.N.*, and the rest as JSON
/// under "window" in the metadata. `now`: the document's model.
void writeWindow(const WindowState& window, const ModelState& now, io::TensorFile& file);

/// Reads what writeWindow() wrote, if anything. Throws Error naming what is invalid and what was
/// expected, also if a moment's model does not read what the document's model reads.
WindowState readWindow(TensorReader& reader, const io::TensorFile& file, const ModelState& now,
                       const data::TextCodec& codec);

}  // namespace tfm::train
