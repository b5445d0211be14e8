// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/data/task_statistics.h"

namespace tfm::ui {

/// How many examples there are: "4,500 examples to learn from, 500 held out."
QString amountText(const data::Task& task, const data::TaskStatistics& statistics);

/// What a model does not see of the texts.
struct DataNotice {
  QString text;          ///< "12 % of the tokens are unknown, 34 texts are cut to 64 tokens."
  bool matters = false;  ///< it is a large part
};

/// Empty if the model sees everything: no unknown tokens, nothing truncated or left out. It matters
/// from 5 % of the tokens or 10 % of the examples on.
DataNotice dataNotice(const data::Task& task, const data::TaskStatistics& statistics);

/// The accuracy of always answering the largest training class; empty if answers are sequences.
QString guessText(const data::Task& task, const data::TaskStatistics& statistics);

/// The samples as rich text: "hello → <b>uryyb</b>", or the class and its text.
QString samplesText(const data::Task& task, const std::vector<data::Sample>& samples);

}  // namespace tfm::ui
