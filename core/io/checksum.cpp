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

json tensorSums(const TensorFile& file) {
  json sums = json::object();
  for (const auto& [name, tensor] : file.tensors) sums[name] = checksumText(tensor);
  for (const auto& [name, tensor] : file.stored) sums[name] = checksumText(tensor);
  return sums;
}
json metadataSums(const TensorFile& file) {
  json sums = json::object();
  for (const auto& [key, text] : file.metadata) sums[key] = checksumText(text);
  return sums;
}

/// `expected`: an object of names and checksums, or null.
void requireSame(const json& own, const json* expected, const char* kind,
                 const std::string& where) {
  if (expected == nullptr || !expected->is_object())
    throw Error("there are no checksums of the " + std::string(kind), where, kHint);
  for (const auto& [name, sum] : expected->items()) {
    const auto found = own.find(name);
    const std::string place = std::string(kind) + " " + inQuotes(name);
    if (found == own.end()) throw Error(place + " is missing", where, kHint);
    if (sum != *found) throw Error(place + " differs from its checksum", where, kHint);
  }
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

void addChecksums(TensorFile& file) {
  file.metadata.erase(kChecksums);
  const json sums{
      {"algorithm", kAlgorithm}, {"tensors", tensorSums(file)}, {"metadata", metadataSums(file)}};
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
  requireSame(metadataSums(file), reader.child("metadata"), "metadata", where);
  requireSame(tensorSums(file), reader.child("tensors"), "tensor", where);
}

}  // namespace tfm::io
