// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/pipeline/step_reader.h"

#include <nlohmann/json.hpp>

namespace tfm::data {

void forEachStep(io::ObjectReader& settings, std::string_view name,
                 const std::function<void(const nlohmann::json&, const std::string&)>& visit) {
  const nlohmann::json* list = settings.child(name);
  if (list == nullptr || !list->is_array()) settings.throwInvalid(name, "a list of steps");
  for (std::size_t i = 0; i < list->size(); ++i)
    visit((*list)[i], settings.where() + " " + std::to_string(i + 1));
}

}  // namespace tfm::data
