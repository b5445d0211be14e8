// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/golden.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

namespace tfm::test {

struct Golden::Node {
  std::shared_ptr<const nlohmann::json> file;  // keeps `json` alive
  const nlohmann::json& json;
};

Golden::Golden(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

Golden Golden::read(const std::string& name) {
  std::ifstream in(std::string(TFM_TEST_DATA) + "/goldens/" + name + ".json");
  const auto file = std::make_shared<const nlohmann::json>(nlohmann::json::parse(in));
  return Golden(std::make_shared<const Node>(Node{file, *file}));
}

bool Golden::has(const std::string& key) const { return node_->json.contains(key); }
bool Golden::empty() const { return node_->json.is_null(); }
std::size_t Golden::size() const { return node_->json.size(); }

Golden Golden::at(const std::string& key) const {
  return Golden(std::make_shared<const Node>(Node{node_->file, node_->json.at(key)}));
}

Golden Golden::at(std::size_t index) const {
  return Golden(std::make_shared<const Node>(Node{node_->file, node_->json.at(index)}));
}

std::vector<std::string> Golden::keys() const {
  std::vector<std::string> result;
  for (const auto& member : node_->json.items()) result.push_back(member.key());
  return result;
}

double Golden::number() const { return node_->json.get<double>(); }
bool Golden::flag() const { return node_->json.get<bool>(); }
std::string Golden::text() const { return node_->json.get<std::string>(); }

std::vector<double> Golden::numbers() const {
  const nlohmann::json& list = node_->json.is_object() ? node_->json.at("values") : node_->json;
  return list.get<std::vector<double>>();
}

std::vector<std::size_t> Golden::shape() const {
  return node_->json.at("shape").get<std::vector<std::size_t>>();
}

}  // namespace tfm::test
