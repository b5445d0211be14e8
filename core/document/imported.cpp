// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/imported.h"

#include <string>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/data/features/encoder_tokens.h"
#include "core/data/features/tokenizer_files.h"
#include "core/data/number_table.h"
#include "core/data/tokenizer/pipeline/tokenizer_folder.h"
#include "core/io/npz.h"
#include "core/io/text_file.h"
#include "core/model/build_program.h"
#include "core/model/pretrained/pretrained_model.h"
#include "core/train/fit_task.h"

namespace tfm::train {
namespace {

namespace fs = std::filesystem;

std::string folderName(const fs::path& folder) {
  const fs::path name =
      folder.filename().empty() ? folder.parent_path().filename() : folder.filename();
  std::error_code ignored;
  return (fs::is_directory(folder, ignored) ? name : name.stem()).string();
}

/// BERT's tokenizer, with a name for each row.
std::shared_ptr<const data::Tokenizer> wordPieces(const fs::path& folder, const ModelConfig& config,
                                                  std::int64_t& longest,
                                                  std::vector<std::string>& notes) {
  data::EncoderVocabulary read = data::readEncoderVocabulary(folder);
  while (std::ssize(read.tokens) < config.source_vocabulary)
    read.tokens.push_back(data::rowWithoutToken(std::ssize(read.tokens)));
  notes.insert(notes.end(), read.notes.begin(), read.notes.end());
  longest = read.longest;
  return std::make_shared<const data::EncoderTokens>(std::move(read.tokens), std::move(read.rules));
}

/// An encoder fills in hidden tokens if it has the head for it, else it ends with its states.
std::shared_ptr<const data::TextCodec> encoderCodec(
    const fs::path& folder, const ModelConfig& config,
    std::shared_ptr<const data::Tokenizer> tokenizer, std::int64_t longest) {
  const bool fills = config.output == OutputKind::Labels;
  if (fills && tokenizer->mask() < 0)
    throw Error("no token of the tokenizer stands for a hidden one", folder.string(),
                "Name it as mask_token in special_tokens_map.json, or as mask in a map");
  data::Vocabulary tokens = fills ? tokenizer->vocabulary() : data::Vocabulary();
  return std::make_shared<const data::TextCodec>(
      folderName(folder), fills ? data::TaskForm::Masked : data::TaskForm::None,
      std::move(tokenizer), std::move(tokens),
      data::TaskLengths{.source = config.source_length,
                        .target = fills ? config.source_length : 0,
                        .input = longest});
}

/// A decoder goes on with a text, whatever begins it; with an encoder it answers.
std::shared_ptr<const data::TextCodec> decoderCodec(
    const fs::path& folder, const ModelConfig& config,
    std::shared_ptr<const data::Tokenizer> tokenizer) {
  const bool answers = config.hasEncoder();
  const std::int64_t longest = answers ? config.source_length : config.target_length;
  data::Vocabulary tokens = tokenizer->vocabulary();
  return std::make_shared<const data::TextCodec>(
      folderName(folder), answers ? data::TaskForm::Sequence : data::TaskForm::Text,
      std::move(tokenizer), std::move(tokens),
      data::TaskLengths{.source = longest, .target = config.target_length, .input = longest});
}

/// From positions x sequences to sequences x positions.
void putSequencesFirst(data::NumberTable& table) {
  std::swap(table.sequences, table.positions);
  const std::vector<double> before = std::exchange(table.inputs, {});
  for (std::int64_t s = 0; s < table.sequences; ++s)
    for (std::int64_t p = 0; p < table.positions; ++p) {
      const auto row = before.begin() + (p * table.sequences + s) * table.input_width;
      table.inputs.insert(table.inputs.end(), row, row + table.input_width);
    }
}

/// The rows in the folder; without sequences if there is no file of them.
data::NumberTable inputsOf(const fs::path& folder, bool batch_first, std::int64_t width) {
  constexpr std::uint64_t kMaxTableBytes = 1 << 26;
  data::NumberTable table;
  std::error_code ignored;
  fs::path path = folder / "inputs.npz";
  if (fs::exists(path, ignored)) {
    table = data::numberTableOf(io::readNpz(path, {"inputs"}), path.string(), false);
    if (!batch_first) putSequencesFirst(table);
  } else if (path.replace_extension(".csv"); fs::exists(path, ignored)) {
    table = data::parseNumberTable(io::readTextFile(path, kMaxTableBytes), path.string(), false);
  }
  if (table.sequences > 0 && table.input_width != width)
    throw Error("its rows have " + std::to_string(table.input_width) + " numbers", path.string(),
                "The encoder reads rows of d_model numbers, " + std::to_string(width));
  return table;
}

std::shared_ptr<const data::TextCodec> rowCodec(const fs::path& folder, bool batch_first,
                                                ModelConfig& config) {
  const data::NumberTable table = inputsOf(folder, batch_first, config.hidden);
  if (table.sequences > 0) config.source_length = table.positions;
  const data::TaskLengths lengths{
      .source = config.source_length, .target = 0, .input = config.source_length};
  if (table.sequences == 0)
    return std::make_shared<const data::TextCodec>(
        folderName(folder), data::TaskForm::None, data::Vocabulary::annotated(), data::Vocabulary(),
        lengths, data::DrawnFeatures{config.hidden, 0});
  return std::make_shared<const data::TextCodec>(folderName(folder), data::TaskForm::None,
                                                 data::rowTokens(table), data::Vocabulary(),
                                                 lengths, false, nullptr, data::rowsOf(table));
}

/// The codec of a model that reads tokens.
std::shared_ptr<const data::TextCodec> tokenCodec(const fs::path& folder, const ModelConfig& config,
                                                  std::vector<std::string>& notes) {
  if (config.hasDecoder())
    return decoderCodec(folder, config, data::readPipelineTokenizer(folder, config));
  std::int64_t longest = config.source_length;
  std::shared_ptr<const data::Tokenizer> tokenizer;
  if (data::hasWordPieces(folder))
    tokenizer = wordPieces(folder, config, longest, notes);
  else
    tokenizer = data::readPipelineTokenizer(folder, config);
  return encoderCodec(folder, config, std::move(tokenizer), longest);
}

/// Whether a codec of texts fits: what is answered are tokens, or states.
bool readsTexts(const ModelConfig& c) {
  if (c.hasDecoder()) return c.output == OutputKind::Vocabulary && c.memory_size == 0;
  const bool fills = c.output == OutputKind::Labels && c.output_size == c.source_vocabulary;
  return c.readsTokens() && (c.output == OutputKind::None || fills);
}

Document documentOf(PretrainedModel model, std::shared_ptr<const data::TextCodec> codec) {
  Document document;
  document.codec = std::move(codec);
  document.family = std::move(model.family);
  checkFit(model.config, *document.codec);
  useDefaultRates(document.train, model.config);
  document.state.layout = parameterLayout(model.config);
  document.state.parameters = std::move(model.parameters);
  document.state.config = std::move(model.config);
  return document;
}

}  // namespace

Document importedModel(const fs::path& folder, std::vector<std::string>* notes) {
  PretrainedModel model = readPretrainedModel(folder);
  std::shared_ptr<const data::TextCodec> codec =
      !model.config.hasDecoder() && model.config.input == InputKind::Features
          ? rowCodec(folder, model.batch_first, model.config)
          : tokenCodec(folder, model.config, model.notes);
  if (notes != nullptr) *notes = std::move(model.notes);
  return documentOf(std::move(model), std::move(codec));
}

Document mappedModel(const fs::path& weights, const fs::path& map_path) {
  const ModelMap map = readModelMap(map_path);
  if (!readsTexts(map.config))
    throw Error("a model of this kind has no use for texts", map_path.string(),
                "Expected a decoder, alone or with an encoder, that answers with tokens, or an "
                "encoder of tokens with output none, or labels for its tokens");
  std::shared_ptr<const data::Tokenizer> tokenizer = data::mappedTokenizer(map, map_path.string());
  std::shared_ptr<const data::TextCodec> codec =
      map.config.hasDecoder()
          ? decoderCodec(weights, map.config, std::move(tokenizer))
          : encoderCodec(weights, map.config, std::move(tokenizer), map.config.source_length);
  return documentOf(readMappedModel(weights, map), std::move(codec));
}

}  // namespace tfm::train
