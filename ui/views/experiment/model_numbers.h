// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/model/model_config.h"

namespace tfm::ui {

struct ModelNumber {
  QString name;
  QString value;
};

/// "encoder–decoder · 1+1 layers"
QString architectureText(const ModelConfig& model);

/// The most important properties of a model, in display order.
std::vector<ModelNumber> modelNumbers(const ModelConfig& model);

}  // namespace tfm::ui
