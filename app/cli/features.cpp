// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/common_options.h"
#include "app/cli/feature_run.h"
#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "app/cli/read_texts.h"
#include "app/cli/task_options.h"
#include "app/cli/verbs.h"
#include "core/base/error.h"
#include "core/base/system_memory.h"
#include "core/data/cleaning.h"
#include "core/data/features/encoder_tokens.h"
#include "core/data/features/text_features.h"
#include "core/data/labelled_corpus.h"
#include "core/io/atomic_file.h"
#include "core/io/message_text.h"
#include "core/io/npz.h"

namespace tfm::cli {
namespace {

struct FeaturesArguments {
  std::string encoder, train, out;
  std::vector<std::string> texts;
  std::int64_t max_length = 128;
  int threads = 1;
  bool clean = false, json = false;
};

std::vector<std::string> textsOf(const FeaturesArguments& o) {
  std::vector<std::string> texts = o.texts;
  if (!o.train.empty()) {
    data::TaskConfig config;
    config.path = o.train;
    data::LabelledCorpus corpus = data::readLabelledCorpus(config, data::LabelColumn::Found);
    sayNotes(corpus.notes);
    for (data::LabelledText& row : corpus.training) texts.push_back(std::move(row.text));
  }
  if (o.clean)
    for (std::string& text : texts) text = data::cleanText(text);
  return texts;
}

/// Arrays: features (rows x width, text after text), ids (tokens), lengths (tokens of each text);
/// where the encoder pools, also rows (of each text).
void writeFeatures(const std::string& file, const data::TextFeatures& features,
                   const std::vector<data::Ids>& texts) {
  data::Ids ids;
  std::vector<std::int64_t> lengths, rows;
  std::int64_t all = 0;
  for (const data::Ids& text : texts) {
    ids.insert(ids.end(), text.begin(), text.end());
    lengths.push_back(std::int64_t(text.size()));
    rows.push_back(features.rowsOf(text));
    all += rows.back();
  }
  const auto tokens = std::int64_t(ids.size());
  if (std::uint64_t(all * features.width()) > io::kMaxNpzBytes / (4 * sizeof(float)))
    throw Error("the features are " + byteText(all * features.width() * 4), file,
                "Use fewer or shorter texts; training reads them from the cache");
  io::NamedTensors tensors;
  tensors["features"] = io::makeTensor({all, features.width()}, features.read(texts));
  tensors["ids"] = io::makeTensor({tokens}, ids);
  tensors["lengths"] = io::makeTensor({std::int64_t(lengths.size())}, lengths);
  if (rows != lengths) tensors["rows"] = io::makeTensor({std::int64_t(rows.size())}, rows);
  io::writeNpz(file, tensors);
}

/// The tokens of the texts. Texts of a file without tokens are skipped, as in training.
std::vector<data::Ids> tokensOf(const FeaturesArguments& o, const data::Tokenizer& tokenizer,
                                std::int64_t longest) {
  std::vector<data::Ids> texts;
  const std::int64_t most = std::min(o.max_length, longest);
  std::int64_t cut = 0, unknown = 0;
  for (const std::string& text : textsOf(o)) {
    data::Reading reading{tokenizer.encode(text)};
    reading.tokens = std::ssize(reading.ids);
    tokenizer.shorten(reading.ids, most);
    reading.unknown = std::ranges::count(reading.ids, tokenizer.vocabulary().unknown());
    if (o.train.empty()) sayNotice(data::noticeOf(reading, most), text);
    cut += reading.tokens > most ? 1 : 0;
    unknown += reading.unknown;
    texts.push_back(std::move(reading.ids));
  }
  if (!o.train.empty() && cut + unknown > 0)
    say("note: only the first " + withCommas(most) + " tokens of " + withCommas(cut) +
        " texts are read; " + withCommas(unknown) + " tokens are not in the vocabulary");
  if (o.train.empty()) {
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (texts[i].empty())
        throw Error("the text " + io::inQuotes(o.texts[i]) + " has 0 tokens", kCommandLine,
                    "Choose a text with words in it");
    return texts;
  }
  if (const auto empty = std::erase_if(texts, [](const data::Ids& ids) { return ids.empty(); }))
    say("note: skipped " + counted(std::int64_t(empty), "text") + " without a token");
  if (texts.empty()) throw Error("no text has a token", o.train, "Choose texts with words in them");
  return texts;
}

/// A line for each token, or row of an encoder that pools, with its first numbers.
void printRows(const data::Vocabulary& vocabulary, const data::TextFeatures& features,
               const std::vector<data::Ids>& texts) {
  constexpr std::int64_t kShown = 6;
  const std::vector<float> rows = features.read(texts);
  auto row = rows.begin();
  for (const data::Ids& text : texts) {
    const std::int64_t count = features.rowsOf(text);
    const bool pooled = count != std::ssize(text);  // then a row is not that of a token
    for (std::int64_t r = 0; r < count; ++r) {
      std::cout << (pooled ? std::to_string(r + 1) : vocabulary.label(text[std::size_t(r)]));
      for (std::int64_t i = 0; i < std::min(kShown, features.width()); ++i)
        std::cout << '\t' << shortNumber(double(row[i]));
      std::cout << (features.width() > kShown ? "\t...\n" : "\n");
      row += features.width();
    }
  }
}

void printResult(const FeaturesArguments& o, const data::Tokenizer& tokenizer,
                 const data::TextFeatures& features, const std::vector<data::Ids>& texts,
                 const FeatureRun& cached) {
  std::int64_t tokens = 0;
  for (const data::Ids& text : texts) tokens += std::int64_t(text.size());
  const bool typed = o.train.empty();
  const bool pools = std::ranges::any_of(
      texts, [&](const data::Ids& t) { return features.rowsOf(t) != std::ssize(t); });
  if (o.json) {
    nlohmann::ordered_json json{{"texts", texts.size()},
                                {"tokens", tokens},
                                {"width", features.width()},
                                {"encoder", features.content()}};
    if (typed) {
      json["ids"] = texts;
      json["features"] = features.read(texts);
    } else {
      json["computed"] = cached.prepared.computed;
      json["seconds"] = cached.seconds;
      json["bytes"] = cached.prepared.bytes;
      json["cache"] = cached.prepared.file.string();
    }
    json["file"] = o.out;
    printJson(json);
    return;
  }
  if (typed) printRows(tokenizer.vocabulary(), features, texts);
  std::cout << withCommas(std::int64_t(texts.size())) << " texts, " << withCommas(tokens)
            << " tokens, " << features.width() << " numbers per "
            << (pools ? "row; the encoder pools" : "token") << '\n';
  if (!typed)
    std::cout << (cached.prepared.computed ? "computed in " : "found in the cache in ")
              << shortNumber(cached.seconds, 3) << " s, " << byteText(cached.prepared.bytes)
              << " in " << cached.prepared.file.string() << '\n';
  if (!o.out.empty()) std::cout << "saved " << o.out << '\n';
}

int runFeatures(const FeaturesArguments& o) {
  requireOtherFiles({{"--train", o.train}}, {{"--out", o.out, kArrayEndings}});
  data::TextFeatures features(o.encoder, {}, o.train.empty());
  const std::unique_ptr<data::Tokenizer> tokenizer = data::encoderTokens(o.encoder);
  const std::vector<data::Ids> texts = tokensOf(o, *tokenizer, features.longest());
  if (!o.out.empty()) {
    const io::AtomicFile writable(o.out);  // fails now rather than after the work
  }
  FeatureRun cached;
  if (!o.train.empty()) {  // typed texts are not cached
    const StopSignals signals;
    cached = fillFeatureCache(features, texts, o.threads, signals);
    if (cached.signal != 0) {
      say("Interrupted: nothing was kept");
      return kSignal + cached.signal;
    }
  }
  if (!o.out.empty()) writeFeatures(o.out, features, texts);
  printResult(o, *tokenizer, features, texts, cached);
  return kDone;
}

}  // namespace

Action prepareFeatures(CLI::App& app) {
  const auto o = std::make_shared<FeaturesArguments>();
  app.add_option("--encoder", o->encoder,
                 "The folder of a BERT or Funnel: config.json, model.safetensors, vocab.txt or "
                 "tokenizer.json")
      ->type_name("FOLDER")
      ->required();
  CLI::Option_group* source = app.add_option_group("Texts", "What the encoder reads");
  source->add_option("texts", o->texts, "Texts")->type_name("TEXT");
  source->add_option("--train", o->train, "Labelled texts, whose features are cached")
      ->type_name("FILE");
  source->require_option(1);
  addNumber(app, "--max-length", o->max_length, 2, 65'536,
            "Maximum tokens of a text, including [CLS] and [SEP]");
  app.add_flag("--clean", o->clean, "Keep only a-z, 0-9 and single spaces of the texts");
  addThreadsOption(app, o->threads);
  app.add_option("--out", o->out, "Where to save them (.npz)")->type_name("FILE");
  addJsonFlag(app, o->json);
  app.footer(
      "The file has features (tokens x width, text after text), ids and the lengths of the texts; "
      "also\n"
      "rows, the features of each text, where the encoder pools and so has fewer than tokens.");
  return [o] { return runFeatures(*o); };
}

}  // namespace tfm::cli
