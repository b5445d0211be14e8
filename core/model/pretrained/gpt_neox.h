// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/pretrained/family.h"

namespace tfm {

// Decoders with layer norms and biases, of the transformers library.

/// GPT-NeoX and Pythia (Black et al. 2022; Biderman et al. 2023): parallel blocks unless
/// use_parallel_residual is false, and part of each head turns. One matrix has the queries, keys
/// and values of head after head.
Family gptNeoXFamily();
/// Phi (Li et al. 2023): parallel blocks behind one norm, which each of our blocks has a copy of.
Family phiFamily();
/// OPT (Zhang et al. 2022) with norms before the blocks. Its position table begins with two rows
/// that no position has.
Family optFamily();

}  // namespace tfm
