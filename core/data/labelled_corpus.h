// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/data/labelled_texts.h"
#include "core/data/task_config.h"

namespace tfm::data {

/// Texts to learn from and, where the config has them apart, texts that only measure.
struct LabelledCorpus {
  std::vector<LabelledText> training;
  std::vector<LabelledText> test;  ///< empty: a share of the others is held out
};

/// What a config's text and test_text hold, else what its path and test_path name: tables
/// (parseLabelledTexts), or folders of one text a file in pos/ and neg/, as in the Large Movie
/// Review Dataset (Maas et al. 2011), where `path` may hold both sides as train/ and test/. Throws
/// Error naming file and line; also for more than 64 MiB or 200,000 files a side.
LabelledCorpus readLabelledCorpus(const TaskConfig& config, LabelColumn column);

/// Whether the config's folder holds texts to learn from and texts that only measure, as train/ and
/// test/, and the config names no others.
bool holdsBothSides(const TaskConfig& config);

/// Texts that measure what was learnt from others: a table in which the label is found, or a folder
/// of pos/ and neg/. Throws as readLabelledCorpus() does.
std::vector<LabelledText> readTestTexts(const std::string& path,
                                        std::span<const LabelledText> training);

}  // namespace tfm::data
