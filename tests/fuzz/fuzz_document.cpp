// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstring>

#include "core/base/check.h"
#include "core/data/task_table.h"
#include "core/document/document.h"
#include "core/io/safetensors.h"
#include "core/model/presets.h"
#include "core/train/fit_task.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tfm;
using namespace tfm::train;

namespace {

/// A file's bytes as writeSafetensors() lays them out, for tensors of any order.
std::string bytesOf(const io::TensorFile& file) {
  std::string header, data;
  const auto quoted = [](std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
    return result + '"';
  };
  for (const auto& [key, value] : file.metadata)
    header += (header.empty() ? "{\"__metadata__\":{" : ",") + quoted(key) + ":" + quoted(value);
  header += '}';
  for (const auto& [name, tensor] : file.tensors) {
    std::string shape;
    for (const std::int64_t size : tensor.shape)
      shape += (shape.empty() ? "" : ",") + std::to_string(size);
    const std::size_t begin = data.size();
    data.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
    header += "," + quoted(name) + R"(:{"dtype":")" + std::string(io::dtypeName(tensor.dtype)) +
              R"(","shape":[)" + shape + R"(],"data_offsets":[)" + std::to_string(begin) + "," +
              std::to_string(data.size()) + "]}";
  }
  header += '}';
  const std::uint64_t length = header.size();
  std::string result(sizeof length, '\0');
  std::memcpy(result.data(), &length, sizeof length);
  return result + header + data;
}

/// The smallest model that learns a task.
std::string document(std::string_view kind, std::string_view preset, const std::string& text) {
  data::TaskConfig task = data::defaultTaskConfig(kind);
  task.alphabet_size = 2;
  task.max_length = 3;
  task.context_length = 3;
  task.text = text;
  ModelConfig model = presetNamed(preset).config();
  fitToTask(model, *data::makeTask(task));
  model.hidden = 2;
  model.attention_bias = model.feed_forward_bias = false;
  setUniform(model, model.encoder_layers.empty() ? 0 : 1, model.decoder_layers.empty() ? 0 : 1,
             {1, 1, 1, 1, 1e-5});
  Document result = newDocument(model, task, {});
  result.state.step = 2;
  result.history.steps.resize(2);
  result.history.steps[0].step = 1;
  result.history.steps[1].step = 2;
  result.history.evaluations.resize(1);
  return bytesOf(toTensorFile(result));
}

std::string smallest() { return document("copy", "tagger", ""); }

io::TensorFile parsed(std::string_view file) {
  return io::parseSafetensors(std::as_bytes(std::span(file)), "input");
}

/// The same model without a task.
std::string alone() {
  return bytesOf(toTensorFile(modelAlone(fromTensorFile(parsed(smallest()), "whole"))));
}

void read(const io::TensorFile& file) {
  const Document document = fromTensorFile(file, "input");
  const Document again = fromTensorFile(toTensorFile(document), "again");
  check(again.state.config == document.state.config && again.task == document.task &&
            again.train == document.train && again.state.step == document.state.step,
        "a document survives a round trip");
}

/// The text as each of the parts of a document's metadata in turn: few changed files would get that
/// far. 0 where one of them is accepted.
int readAsMetadata(std::string_view text) {
  static const io::TensorFile kValid = parsed(smallest());
  int outcome = -1;
  for (const char* key : {"model", "task", "train", "state"}) {
    io::TensorFile file = kValid;
    file.metadata[key] = text;
    if (fuzz::outcomeOf([&] { read(file); }) == 0) outcome = 0;
  }
  static const io::TensorFile kAlone = parsed(alone());
  for (const char* key : {"codec", "source_vocabulary"}) {
    io::TensorFile file = kAlone;
    file.metadata[key] = text;
    if (fuzz::outcomeOf([&] { read(file); }) == 0) outcome = 0;
  }
  return outcome;
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  std::vector<std::string> result{smallest(), document("text", "characters", "abcabcabcabc"),
                                  document("pairs", "characters", "a\tb\nb\ta\n")};
  for (const char* key : {"model", "task", "train", "state"})
    result.push_back(parsed(result.front()).metadata.at(key));
  result.push_back(alone());
  for (const char* key : {"codec", "source_vocabulary"})
    result.push_back(parsed(alone()).metadata.at(key));
  return result;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::asText(data, size);
  if (input.starts_with('{')) return readAsMetadata(input);
  return fuzz::outcomeOf([&] { read(parsed(input)); });
}
