// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/imported.h"

#include <string>
#include <utility>

#include "core/data/features/encoder_tokens.h"
#include "core/model/build_program.h"
#include "core/model/pretrained/pretrained_encoder.h"
#include "core/train/fit_task.h"

namespace tfm::train {

Document importedEncoder(const std::filesystem::path& folder) {
  PretrainedEncoder encoder = readPretrainedEncoder(folder);
  const ModelConfig& config = encoder.config;
  std::vector<std::string> tokens = data::encoderTokens(folder)->vocabulary().tokens();
  // Rows of the embedding that the vocab.txt does not name.
  while (std::ssize(tokens) < config.source_vocabulary)
    tokens.push_back("[no token " + std::to_string(tokens.size()) + "]");
  Document document;
  document.codec = std::make_shared<const data::TextCodec>(
      folder.filename().empty() ? folder.parent_path().filename().string()
                                : folder.filename().string(),
      data::TaskForm::None, std::make_shared<const data::EncoderTokens>(std::move(tokens)),
      data::Vocabulary(),
      data::TaskLengths{
          .source = config.source_length, .target = 0, .input = config.source_length});
  checkFit(config, *document.codec);
  useDefaultRates(document.train, config);
  document.state.layout = parameterLayout(config);
  document.state.first_moment.assign(encoder.parameters.size(), 0.0F);
  document.state.second_moment = document.state.first_moment;
  document.state.parameters = std::move(encoder.parameters);
  document.state.config = std::move(encoder.config);
  return document;
}

}  // namespace tfm::train
