// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/listed_intervention.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/in_file.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"

namespace tfm::train {

std::string toJson(std::span<const ListedIntervention> list) {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const ListedIntervention& entry : list)
    array.push_back({{"what", observe::textOf(entry.what)}, {"on", entry.on}});
  return array.dump();
}

std::vector<ListedIntervention> listedInterventionsFromJson(std::string_view json,
                                                            const std::string& where) {
  const nlohmann::json array = io::parseJson(json, where);
  if (!array.is_array())
    throw Error("the interventions are not a list", where, "Expected a JSON array");
  std::vector<ListedIntervention> list;
  for (const nlohmann::json& object : array) {
    const std::string place = where + "." + std::to_string(list.size());
    io::ObjectReader reader(object, place);
    const auto text = reader.get<std::string>("what", {});
    const bool on = reader.get<bool>("on", true);
    reader.refuseUnknown();
    list.push_back({inFile(place, [&] { return observe::interventionFromText(text); }), on});
  }
  return list;
}

}  // namespace tfm::train
