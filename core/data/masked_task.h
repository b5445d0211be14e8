// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// The hidden tokens of a text, as BERT is pretrained (Devlin et al. 2019, section 3.1): a share
/// mask_rate of the tokens of an example, at least one, are to be answered. In training, 80 % of
/// these are replaced by kMaskToken, 10 % by a random token, and 10 % stay; they are drawn anew for
/// each epoch. In evaluation they are all replaced, always the same ones, so that losses compare.
/// Special and unknown tokens are never chosen.
///
/// Examples are the consecutive windows of max_length tokens of the text, or of each line. A share
/// held_out of the different examples, at least one, is held out; equal examples are on the same
/// side. The vocabulary is the config's, or that of its file, or learned from the whole text.
/// Throws Error if there are fewer than two different examples with a known token, or the
/// vocabulary has no kMaskToken, and the errors of readCorpus().
std::unique_ptr<Task> makeMasked(const TaskConfig& config);

}  // namespace tfm::data
