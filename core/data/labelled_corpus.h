// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/data/labelled_texts.h"
#include "core/data/task_config.h"

namespace tfm::data {

/// Training texts and, if the config has them, separate test texts.
struct LabelledCorpus {
  std::vector<LabelledText> training;
  std::vector<LabelledText> test;  ///< empty: a share of the training texts is held out
  ReadingNotes notes = {};         ///< of reading files
};

/// Reads a config's text and test_text, or else its path and test_path: tables (see
/// parseLabelledTexts()), or folders pos/ and neg/ with one text per file, as in the Large Movie
/// Review Dataset (Maas et al. 2011); `path` may also contain both sides as train/ and test/.
/// Files are read by `rules`; text and test_text, in which a label is first, as documents keep
/// them. Throws Error naming file and line, and for more than 64 MiB or 200,000 files per side.
LabelledCorpus readLabelledCorpus(const TaskConfig& config, LabelColumn column,
                                  ReadingRules rules = ReadingRules::Present);

/// Whether the config's folder contains train/ and test/ and the config names no other test texts.
bool holdsBothSides(const TaskConfig& config);

/// Reads test texts: a table, in which the label column is found, or a folder with pos/ and neg/.
/// Throws the errors of readLabelledCorpus().
LabelledTable readTestTexts(const std::string& path, TableHeader header,
                            std::span<const LabelledText> training);

}  // namespace tfm::data
