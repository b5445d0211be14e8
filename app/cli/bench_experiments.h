// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/experiment.h"

namespace tfm::cli {

// What `bench` trains; the scripts in tests/bench train the same with PyTorch.

/// The preset annotated-rot13, batch 50.
Experiment smallExperiment();
/// The preset benchmark-decoder on 65 different characters in random order, the vocabulary size of
/// the preset; batch 32, AdamW.
Experiment decoderExperiment();
/// The same with 12 layers, hidden 768, 12 heads, feed-forward 3072 and sequences of 1,024; batch
/// 16. For GPUs.
Experiment largeExperiment();
/// The preset small-sequence, batch 50: small, so that the overhead of nesting is visible.
Experiment nestedExperiment();
/// A nested classifier that trains all four submodels in each step, on texts of 64 letters; batch
/// 32.
Experiment jointExperiment();
/// The preset funnel on texts of 128 letters; batch 32.
Experiment funnelExperiment();
/// The preset delight, batch 50.
Experiment delightExperiment();

}  // namespace tfm::cli
