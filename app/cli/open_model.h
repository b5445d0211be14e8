// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/backend/backend.h"
#include "core/data/framing.h"
#include "core/document/document.h"

namespace CLI {
class App;
}

namespace tfm::cli {

/// Opens a saved document; prints on standard error how its model is broken, if it is, and which
/// texts of its task are missing. Throws Error if the file is not a document.
train::Document openSaved(const std::string& file);

/// A saved model and everything needed to use it.
struct OpenModel {
  train::Document document;
  std::shared_ptr<const data::Task> task;  ///< may be null
  std::shared_ptr<const data::TextCodec> codec;
  data::Framing framing;
  std::unique_ptr<Backend<float>> backend;
};
/// Like openSaved().
OpenModel openModel(const std::string& file);
/// Throws Error also if the model has no task.
OpenModel openWithTask(const std::string& file);

/// Declares the argument FILE, a saved model.
void addFileArgument(CLI::App& options, std::string& file);

}  // namespace tfm::cli
