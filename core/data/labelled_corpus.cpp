// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/labelled_corpus.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/data/corpus.h"
#include "core/io/text_file.h"

namespace tfm::data {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;  // per side
constexpr std::size_t kMaxFiles = 200'000;

bool isFolder(const fs::path& path) {
  std::error_code unreadable;
  return fs::is_directory(path, unreadable);
}

/// The text files of a folder, sorted by name, so that the order is the same everywhere.
std::vector<fs::path> textFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    if (entry->path().extension() != ".txt") continue;
    files.push_back(entry->path());
    if (files.size() > kMaxFiles)
      throw Error("there are more than " + std::to_string(kMaxFiles) + " files", folder.string(),
                  "Put the texts into one TSV file, or use fewer");
  }
  if (problem)
    throw Error("the folder cannot be read: " + problem.message(), folder.string(),
                "Choose a folder you may read");
  if (files.empty())
    throw Error("the folder contains no text file", folder.string(),
                "Expected one file NAME.txt per review.");
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<LabelledText> fromFolder(const fs::path& folder) {
  std::vector<LabelledText> texts;
  std::uint64_t left = kMaxBytes;
  for (const char* label : {"neg", "pos"}) {
    if (!isFolder(folder / label))
      throw Error("there is no folder " + std::string(label), folder.string(),
                  "Expected the folders pos and neg, or train and test with pos and neg in each.");
    for (const fs::path& file : textFiles(folder / label)) {
      std::string text = io::readTextFile(file, left);
      left -= text.size();
      for (char& c : text)
        if (c == '\t' || c == '\n' || c == '\r') c = ' ';
      texts.push_back({label, std::move(text)});
    }
  }
  return texts;
}

LabelledTable readTexts(const std::string& path, const LabelledReading& reading) {
  if (isFolder(path)) return {fromFolder(path), {}};
  return parseLabelledTexts(readFileText(path, kMaxBytes, reading.rules), path, reading);
}

LabelledTable readSide(const std::string& text, const std::string& path, LabelledReading reading) {
  if (text.empty()) return path.empty() ? LabelledTable{} : readTexts(path, reading);
  const std::string where = path.empty() ? "text of the task" : path;
  // As documents have it; another column is a person's.
  if (reading.column == LabelColumn::First) reading.rules = ReadingRules::Kept;
  return parseLabelledTexts(io::checkedText(text, where), where, reading);
}

}  // namespace

bool holdsBothSides(const TaskConfig& config) {
  const fs::path path(config.path);
  return config.text.empty() && config.test_path.empty() && isFolder(path / "train") &&
         isFolder(path / "test");
}

LabelledCorpus readLabelledCorpus(const TaskConfig& config, LabelColumn column,
                                  ReadingRules rules) {
  const fs::path path(config.path);
  if (holdsBothSides(config)) return {fromFolder(path / "train"), fromFolder(path / "test")};
  LabelledReading reading{.column = column, .header = config.header, .rules = rules};
  LabelledTable training = readSide(config.text, config.path, reading);
  reading.known = labelsOf(training.rows);
  LabelledTable test = readSide(config.test_text, config.test_path, reading);
  LabelledCorpus corpus{std::move(training.rows), std::move(test.rows), std::move(training.notes)};
  corpus.notes.insert(corpus.notes.end(), test.notes.begin(), test.notes.end());
  return corpus;
}

LabelledTable readTestTexts(const std::string& path, TableHeader header,
                            std::span<const LabelledText> training) {
  return readTexts(path, {.header = header, .known = labelsOf(training)});
}

}  // namespace tfm::data
