// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/task_paths.h"

#include <QtGlobal>

#include "core/base/error.h"
#include "core/data/labelled_corpus.h"
#include "core/data/tokenizer/tokenizer.h"

namespace tfm::ui {
namespace {

using data::TaskConfig;
using enum PathRow::Kind;

bool always(const TaskConfig&) { return true; }

bool besideAFile(const TaskConfig& config) { return !config.path.empty(); }

/// An encoder has its own, and characters need none.
bool withPieces(const TaskConfig& config) {
  return besideAFile(config) && config.encoder_path.empty() &&
         config.tokenizer != tokenizerName(data::TokenizerKind::Character);
}

constexpr std::array kPaths{
    TaskPath{{"text", "masked"},
             "path",
             &TaskConfig::path,
             File,
             QT_TRANSLATE_NOOP("paths", "Training data"),
             QT_TRANSLATE_NOOP("paths", "A text file in UTF-8; by default, a built-in text"),
             QT_TRANSLATE_NOOP("paths", "Built-in text"),
             always},
    TaskPath{{"pairs"},
             "path",
             &TaskConfig::path,
             File,
             QT_TRANSLATE_NOOP("paths", "Training data"),
             QT_TRANSLATE_NOOP(
                 "paths", "A table in UTF-8 with two tab-separated columns: question and answer"),
             QT_TRANSLATE_NOOP("paths", "A table with two columns"),
             always},
    TaskPath{{"classes"},
             "path",
             &TaskConfig::path,
             File,
             QT_TRANSLATE_NOOP("paths", "Training data"),
             QT_TRANSLATE_NOOP("paths",
                               "A table in UTF-8 with two tab-separated columns: text and label"),
             QT_TRANSLATE_NOOP("paths", "A table of texts and labels"),
             always},
    TaskPath{{"regression"},
             "path",
             &TaskConfig::path,
             File,
             QT_TRANSLATE_NOOP("paths", "Training data (optional)"),
             QT_TRANSLATE_NOOP("paths",
                               "An .npz with the arrays inputs (sequences x positions x numbers) "
                               "and targets, or a CSV with the columns x1, x2, ..., y1, y2, ... "
                               "and optionally sequence; by default, random numbers"),
             QT_TRANSLATE_NOOP("paths", "Random numbers"),
             always},
    TaskPath{{"sentiment"},
             "path",
             &TaskConfig::path,
             Either,
             QT_TRANSLATE_NOOP("paths", "Training data"),
             QT_TRANSLATE_NOOP(
                 "paths",
                 "Labelled reviews: a table with tabs or commas, or a folder with one file per "
                 "review in pos and neg, such as aclImdb; by default, built-in reviews"),
             QT_TRANSLATE_NOOP("paths", "Built-in reviews"),
             always},
    TaskPath{{"classes", "sentiment"},
             "test_path",
             &TaskConfig::test_path,
             Either,
             QT_TRANSLATE_NOOP("paths", "Held-out texts (optional)"),
             QT_TRANSLATE_NOOP("paths",
                               "Labelled texts for evaluation only; by default, the folder's own "
                               "test texts, else a share of the training data"),
             QT_TRANSLATE_NOOP("paths", "A share of the above"),
             besideAFile,
             QT_TRANSLATE_NOOP("paths", "The folder's own test")},
    TaskPath{{"classes", "sentiment"},
             "encoder_path",
             &TaskConfig::encoder_path,
             Folder,
             QT_TRANSLATE_NOOP("paths", "Frozen encoder (optional)"),
             QT_TRANSLATE_NOOP(
                 "paths",
                 "The folder of a pretrained BERT in Hugging Face format (config.json, vocab.txt, "
                 "model.safetensors). It stays unchanged, and the model is trained on its output"),
             QT_TRANSLATE_NOOP("paths", "None: the model reads the tokens"),
             besideAFile},
    TaskPath{{"classes", "sentiment"},
             "vocabulary_path",
             &TaskConfig::vocabulary_path,
             File,
             QT_TRANSLATE_NOOP("paths", "Vocabulary (optional)"),
             QT_TRANSLATE_NOOP(
                 "paths",
                 "A vocab.txt with one token per line; by default, it is learned from the texts"),
             QT_TRANSLATE_NOOP("paths", "Learned from the texts"),
             withPieces},
    TaskPath{{"masked"},
             "vocabulary_path",
             &TaskConfig::vocabulary_path,
             File,
             QT_TRANSLATE_NOOP("paths", "Vocabulary (optional)"),
             QT_TRANSLATE_NOOP("paths",
                               "A vocab.txt with one token per line, one of them [MASK]; by "
                               "default, it is learned from the text"),
             QT_TRANSLATE_NOOP("paths", "Learned from the text"),
             withPieces},
};

/// Whether a location such as "reviews.tsv, line 3" is a path or inside it.
bool isIn(const std::string& place, const std::string& path) {
  if (path.empty() || !place.starts_with(path)) return false;
  if (place.size() == path.size() || path.ends_with('/')) return true;
  const char next = place[path.size()];
  return next == '/' || next == ',' || next == ':' || next == ' ';
}

}  // namespace

const char* TaskPath::emptyIn(const TaskConfig& config) const {
  return brought != nullptr && data::holdsBothSides(config) ? brought : empty;
}

std::span<const TaskPath> taskPaths() { return kPaths; }

TaskConfig withUsedPaths(TaskConfig config) {
  const TaskConfig given = config;
  for (const TaskPath& path : kPaths)
    if (path.belongsTo(given.kind) && !path.used(given)) (config.*path.value).clear();
  return config;
}

const TaskPath* pathOf(const Error& problem, const TaskConfig& config) {
  const TaskPath* found = nullptr;
  for (const TaskPath& path : kPaths) {
    if (!path.belongsTo(config.kind) || !path.used(config)) continue;
    const std::string& value = config.*path.value;
    if (problem.where() == "task." + std::string(path.field)) return &path;
    if (path.value == &TaskConfig::vocabulary_path && !value.empty() &&
        problem.where() == "vocabulary")
      return &path;
    // A folder may contain another of the paths.
    if (isIn(problem.where(), value) && (!found || value.size() > (config.*found->value).size()))
      found = &path;
  }
  return found;
}

}  // namespace tfm::ui
