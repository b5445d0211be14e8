// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/backend/backend.h"
#include "core/data/framing.h"
#include "core/train/document.h"

namespace CLI {
class App;
}

namespace tfm::cli {

/// A saved document; says on standard error where its model is broken. Throws Error for a file that
/// is none.
train::Document openSaved(const std::string& file);

/// A saved model with all that using it takes.
struct OpenModel {
  train::Document document;
  std::shared_ptr<const data::Task> task;
  data::Framing framing;
  std::unique_ptr<Backend<float>> backend;
};
/// Says and throws what openSaved() does.
OpenModel openModel(const std::string& file);

/// Declares FILE, a saved model.
void addFileArgument(CLI::App& options, std::string& file);

}  // namespace tfm::cli
