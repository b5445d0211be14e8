// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "ui/document/model_document.h"

namespace tfm::ui {

/// All of opening a document that may take long or throw.
struct ModelDocument::Prepared {
  std::shared_ptr<const data::Task> task;
  data::Framing framing;
  std::unique_ptr<train::TrainingLoop> loop;
  train::Document document;
};

}  // namespace tfm::ui
