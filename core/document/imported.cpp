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
  return (isGguf(folder) ? name.stem() : name).string();
}

std::shared_ptr<const data::TextCodec> textCodec(const fs::path& folder, const ModelConfig& config,
                                                 std::vector<std::string>& notes) {
  data::EncoderVocabulary read = data::readEncoderVocabulary(folder);
  while (std::ssize(read.tokens) < config.source_vocabulary)
    read.tokens.push_back(data::rowWithoutToken(std::ssize(read.tokens)));
  notes.insert(notes.end(), read.notes.begin(), read.notes.end());
  return std::make_shared<const data::TextCodec>(
      folderName(folder), data::TaskForm::None,
      std::make_shared<const data::EncoderTokens>(std::move(read.tokens), std::move(read.rules)),
      data::Vocabulary(),
      data::TaskLengths{.source = config.source_length, .target = 0, .input = read.longest});
}

/// A decoder goes on with a text, whatever begins it.
std::shared_ptr<const data::TextCodec> decoderCodec(const fs::path& folder,
                                                    const ModelConfig& config) {
  std::shared_ptr<const data::Tokenizer> tokenizer =
      data::readPipelineTokenizer(folder, config.target_vocabulary);
  const std::int64_t longest = config.target_length;
  data::Vocabulary tokens = tokenizer->vocabulary();
  return std::make_shared<const data::TextCodec>(
      folderName(folder), data::TaskForm::Text, std::move(tokenizer), std::move(tokens),
      data::TaskLengths{.source = longest, .target = longest, .input = longest});
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

}  // namespace

Document importedModel(const fs::path& folder, std::vector<std::string>* notes) {
  PretrainedModel model = readPretrainedModel(folder);
  ModelConfig& config = model.config;
  Document document;
  document.codec = config.hasDecoder() ? decoderCodec(folder, config)
                   : config.input == InputKind::Features
                       ? rowCodec(folder, model.batch_first, config)
                       : textCodec(folder, config, model.notes);
  if (notes != nullptr) *notes = std::move(model.notes);
  checkFit(config, *document.codec);
  useDefaultRates(document.train, config);
  document.state.layout = parameterLayout(config);
  document.state.parameters = std::move(model.parameters);
  document.state.config = std::move(model.config);
  return document;
}

}  // namespace tfm::train
