// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/checksum.h"

#include <xxhash.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/content_hash.h"
#include "core/base/error.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"
#include "core/io/safetensors.h"

namespace tfm::io {
namespace {

using nlohmann::json;

constexpr const char* kChecksums = "checksums";
constexpr const char* kAlgorithm = "xxh3-64";
constexpr const char* kHint =
    "The file is damaged: use a copy of it. If it was changed on purpose, remove \"checksums\" "
    "from its metadata.";

std::string checksumText(const NamedTensor& tensor) { return hexText(checksum(tensor.bytes)); }
std::string checksumText(const StoredTensor& tensor) {
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  XXH3_64bits_reset(state.get());
  tensor.overBytes([&](std::span<const std::byte> part) {
    XXH3_64bits_update(state.get(), part.data(), part.size());
  });
  return hexText(XXH3_64bits_digest(state.get()));
}
std::string checksumText(const std::string& text) {
  return hexText(checksum(std::as_bytes(std::span(text))));
}

/// `expected`: an object of names and checksums, or null. `more`: content of other names.
template <class Content, class More = Content>
void requireSame(const std::map<std::string, Content>& content, const json* expected,
                 const char* kind, const std::string& where,
                 const std::map<std::string, More>& more = {}) {
  if (expected == nullptr || !expected->is_object())
    throw Error("there are no checksums of the " + std::string(kind), where, kHint);
  for (const auto& [name, sum] : expected->items()) {
    const auto found = content.find(name);
    const auto other = more.find(name);
    const std::string place = std::string(kind) + " " + inQuotes(name);
    if (found == content.end() && other == more.end())
      throw Error(place + " is missing", where, kHint);
    if (sum != (found != content.end() ? checksumText(found->second) : checksumText(other->second)))
      throw Error(place + " differs from its checksum", where, kHint);
  }
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

void addChecksums(TensorFile& file) {
  file.metadata.erase(kChecksums);
  json sums{{"algorithm", kAlgorithm}, {"tensors", json::object()}, {"metadata", json::object()}};
  for (const auto& [name, tensor] : file.tensors) sums["tensors"][name] = checksumText(tensor);
  for (const auto& [name, tensor] : file.stored) sums["tensors"][name] = checksumText(tensor);
  for (const auto& [key, text] : file.metadata) sums["metadata"][key] = checksumText(text);
  file.metadata[kChecksums] = sums.dump();
}

void requireChecksums(const TensorFile& file, const std::string& where) {
  const auto found = file.metadata.find(kChecksums);
  if (found == file.metadata.end()) return;
  const std::string place = where + ": " + kChecksums;
  const json sums = parseJson(found->second, place);
  ObjectReader reader(sums, place);
  if (const auto algorithm = reader.get<std::string>("algorithm", {}); algorithm != kAlgorithm)
    throw Error("the checksum algorithm is " + inQuotes(algorithm), where,
                "Expected \"" + std::string(kAlgorithm) + "\". " + kHint);
  requireSame(file.metadata, reader.child("metadata"), "metadata", where);
  requireSame(file.tensors, reader.child("tensors"), "tensor", where, file.stored);
}

}  // namespace tfm::io
