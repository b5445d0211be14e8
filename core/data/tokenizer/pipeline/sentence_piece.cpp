// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/pipeline/sentence_piece.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_map>

#include "core/base/error.h"
#include "core/io/base64.h"
#include "core/io/message_text.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

using nlohmann::json;
using Type = SentencePieces::Type;

constexpr std::size_t kMaxPieces = 10'000'000;

// --- Protocol buffers ---------------------------------------------------------------------------

[[noreturn]] void throwDamaged(const std::string& where) {
  throw Error("this is no SentencePiece model", where,
              "Copy the tokenizer.model, spiece.model or source.spm of the model again");
}

/// A field of a message, in the wire format of protocol buffers.
struct WireField {
  std::uint64_t number = 0;
  std::uint64_t value = 0;  ///< of an integer, or the bits of a float
  std::string_view bytes;   ///< of a text or an inner message
};

/// The fields of a message in order.
class WireReader {
 public:
  WireReader(std::string_view bytes, const std::string& where) : left_(bytes), where_(where) {}

  bool next(WireField& field) {
    if (left_.empty()) return false;
    const std::uint64_t key = varint();
    field = {.number = key >> 3, .value = 0, .bytes = {}};
    switch (key & 7) {
      case 0:
        field.value = varint();
        return true;
      case 1:
        field.value = fixed(8);
        return true;
      case 2:
        field.bytes = take(varint());
        return true;
      case 5:
        field.value = fixed(4);
        return true;
      default:
        throwDamaged(where_);
    }
  }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > left_.size()) throwDamaged(where_);
    const std::string_view taken = left_.substr(0, std::size_t(size));
    left_.remove_prefix(std::size_t(size));
    return taken;
  }
  std::uint64_t fixed(std::size_t size) {
    const std::string_view bytes = take(size);
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8 | std::uint8_t(bytes[i]);
    return value;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = std::uint8_t(take(1).front());
      value |= std::uint64_t(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    throwDamaged(where_);
  }

  std::string_view left_;
  const std::string& where_;
};

SentencePieces::Piece pieceFrom(std::string_view bytes, const std::string& where) {
  SentencePieces::Piece piece;
  WireReader reader(bytes, where);
  for (WireField field; reader.next(field);) {
    if (field.number == 1) piece.text = field.bytes;
    if (field.number == 2) {
      const auto bits = std::uint32_t(field.value);
      float score = 0;
      std::memcpy(&score, &bits, sizeof score);
      piece.score = double(score);
    }
    if (field.number == 3) {
      if (field.value < 1 || field.value > 6) throwDamaged(where);
      piece.type = Type(field.value);
    }
  }
  if (piece.text.empty() || !(std::abs(piece.score) < 1e30)) throwDamaged(where);
  io::requireUtf8(piece.text, where);
  return piece;
}

void readTraining(std::string_view bytes, const std::string& where, SentencePieces& model) {
  WireReader reader(bytes, where);
  for (WireField field; reader.next(field);) {
    if (field.number != 3) continue;  // "model_type"
    if (field.value != 1 && field.value != 2)
      throw Error("the model is one of words or characters", where,
                  "Expected unigrams or byte pairs");
    model.unigram = field.value == 1;
  }
}

void readNormalizer(std::string_view bytes, const std::string& where, SentencePieces& model) {
  WireReader reader(bytes, where);
  for (WireField field; reader.next(field);) {
    if (field.number == 2) model.rewriting = field.bytes;
    if (field.number == 3) model.begins_with_space = field.value != 0;
    if (field.number == 4) model.collapses_spaces = field.value != 0;
    if (field.number == 5 && field.value == 0)
      throw Error("it does not mark spaces", where, "Expected escape_whitespaces");
  }
}

// --- As a tokenizer.json ------------------------------------------------------------------------

/// What two pieces make a third: byte pairs, the highest score first, as transformers orders them.
json mergesOf(const SentencePieces& model) {
  std::unordered_map<std::string_view, std::size_t> ids;
  for (std::size_t id = 0; id < model.pieces.size(); ++id) ids.emplace(model.pieces[id].text, id);
  struct Merge {
    std::string_view left, right;
    double score = 0.0;
    std::size_t left_size = 0, right_size = 0;
  };
  std::vector<Merge> merges;
  for (const SentencePieces::Piece& piece : model.pieces) {
    if (piece.type != Type::Normal) continue;
    const std::string_view text = piece.text;
    const auto characters = std::size_t(
        std::ranges::count_if(text, [](char byte) { return (std::uint8_t(byte) & 0xC0) != 0x80; }));
    const std::size_t first = merges.size();
    std::size_t count = 0;
    for (std::size_t at = io::characterAt(text, 0).length; at < text.size();
         at += io::characterAt(text, at).length) {
      ++count;
      const std::string_view left = text.substr(0, at), right = text.substr(at);
      if (ids.contains(left) && ids.contains(right))
        merges.push_back({left, right, piece.score, count, characters - count});
    }
    std::ranges::sort(merges.begin() + std::ptrdiff_t(first), merges.end(), {},
                      [&](const Merge& m) { return std::pair(ids[m.left], ids[m.right]); });
  }
  std::ranges::stable_sort(merges, std::ranges::greater(), [](const Merge& m) {
    return std::tuple(m.score, m.left_size, m.right_size);
  });
  json list = json::array();
  for (const Merge& m : merges) list.push_back({m.left, m.right});
  return list;
}

bool has(const SentencePieces& model, Type type) {
  return std::ranges::find(model.pieces, type, &SentencePieces::Piece::type) != model.pieces.end();
}

json modelJson(const SentencePieces& model, std::size_t unknown) {
  if (model.unigram) {
    json vocabulary = json::array();
    for (const SentencePieces::Piece& piece : model.pieces)
      vocabulary.push_back({piece.text, piece.type == Type::Unused ? json() : json(piece.score)});
    return {{"type", "Unigram"},
            {"unk_id", unknown},
            {"byte_fallback", has(model, Type::Byte)},
            {"vocab", std::move(vocabulary)}};
  }
  json vocabulary = json::object();
  for (std::size_t id = 0; id < model.pieces.size(); ++id) vocabulary[model.pieces[id].text] = id;
  return {{"type", "BPE"},
          {"unk_token", model.pieces[unknown].text},
          {"fuse_unk", true},
          {"byte_fallback", has(model, Type::Byte)},
          {"vocab", std::move(vocabulary)},
          {"merges", mergesOf(model)}};
}

json normalizerJson(const SentencePieces& model) {
  const auto replace = [](const char* kind, const char* what, const char* by) {
    return json{{"type", "Replace"}, {"pattern", {{kind, what}}}, {"content", by}};
  };
  json steps = json::array();
  if (!model.rewriting.empty())
    steps.push_back(
        {{"type", "Precompiled"}, {"precompiled_charsmap", io::toBase64(model.rewriting)}});
  if (model.collapses_spaces) {
    steps.push_back(replace("Regex", "^ +| +$", ""));
    steps.push_back(replace("Regex", " {2,}", " "));
  }
  if (model.begins_with_space) steps.push_back({{"type", "Prepend"}, {"prepend", "▁"}});
  steps.push_back(replace("String", " ", "▁"));
  return {{"type", "Sequence"}, {"normalizers", std::move(steps)}};
}

json decoderJson(const SentencePieces& model) {
  json steps = json::parse(
      R"([{"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
          {"type": "ByteFallback"}, {"type": "Fuse"}])");
  if (model.begins_with_space)
    steps.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
  return {{"type", "Sequence"}, {"decoders", std::move(steps)}};
}

json aroundJson(const SentencePieces& model, const Ids& before, const Ids& after) {
  json single = json::array(), tokens = json::object();
  const auto add = [&](const Ids& ids) {
    for (const std::int32_t id : ids) {
      const std::string& name = model.pieces.at(std::size_t(id)).text;
      single.push_back({{"SpecialToken", {{"id", name}, {"type_id", 0}}}});
      tokens[name] = {{"id", name}, {"ids", {id}}};
    }
  };
  add(before);
  single.push_back(json::parse(R"({"Sequence": {"id": "A", "type_id": 0}})"));
  add(after);
  return {{"type", "TemplateProcessing"},
          {"single", std::move(single)},
          {"special_tokens", std::move(tokens)}};
}

}  // namespace

SentencePieces parseSentencePieces(std::string_view bytes, const std::string& where) {
  SentencePieces model;
  WireReader reader(bytes, where);
  for (WireField field; reader.next(field);) {
    if (field.number == 1) model.pieces.push_back(pieceFrom(field.bytes, where));
    if (field.number == 2) readTraining(field.bytes, where, model);
    if (field.number == 3) readNormalizer(field.bytes, where, model);
    if (model.pieces.size() > kMaxPieces) throwDamaged(where);
  }
  if (model.pieces.empty() || !has(model, Type::Unknown)) throwDamaged(where);
  return model;
}

SentencePieces withIds(const SentencePieces& model, std::span<const std::string> tokens) {
  std::unordered_map<std::string_view, const SentencePieces::Piece*> known;
  for (const SentencePieces::Piece& piece : model.pieces) known.emplace(piece.text, &piece);
  SentencePieces renumbered = model;
  renumbered.pieces.clear();
  for (const std::string& token : tokens) {
    const auto found = known.find(token);
    renumbered.pieces.push_back(
        found == known.end() ? SentencePieces::Piece{token, 0.0, Type::Unused} : *found->second);
  }
  return renumbered;
}

std::string sentencePieceJson(const SentencePieces& model, const Ids& before, const Ids& after) {
  const auto unknown = std::ranges::find(model.pieces, Type::Unknown, &SentencePieces::Piece::type);
  json added = json::array();
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    const SentencePieces::Piece& piece = model.pieces[id];
    const bool special = piece.type == Type::Control || piece.type == Type::Unknown;
    if (special || piece.type == Type::UserDefined)
      added.push_back({{"id", id}, {"content", piece.text}, {"special", special}});
  }
  const auto unknown_id =
      unknown == model.pieces.end() ? std::size_t(0) : std::size_t(unknown - model.pieces.begin());
  json result{{"added_tokens", std::move(added)},
              {"normalizer", normalizerJson(model)},
              {"decoder", decoderJson(model)},
              {"model", modelJson(model, unknown_id)}};
  if (!before.empty() || !after.empty())
    result["post_processor"] = aroundJson(model, before, after);
  return result.dump();
}

}  // namespace tfm::data
