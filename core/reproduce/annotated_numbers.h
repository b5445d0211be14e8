// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/reproduce/claim.h"

namespace tfm::reproduce {

// Numbers of the annotated transformer's models, computed with its presets.

/// Parameters of the query, key, value and output maps of the single attention.
Numbers parametersOfItsMaps();

/// Of each of these, the inputs and outputs of its matrix, and the size of its bias.
Numbers shapesOfItsMaps();

/// Shapes in the single attention on 2 sequences of 5: of the input, of the queries, of the
/// weights, of the output.
Numbers shapesInItsAttention();

/// Of 13 batches of queries (3, 7), keys (5, 7) and values (5, 11): of the attended values, and of
/// the weights.
Numbers shapesOfBareAttention();

/// Where the decoder's positions may not look: 1.
Numbers causalMask();

/// Rows and columns of the token table at hidden size 2.
Numbers embeddingShape();

/// Hidden size, layers, heads, their size and the feed-forward of a preset.
Numbers layerSizesOf(const char* preset);

/// Masked keys of each of the words, in the encoder.
Numbers maskedPads();
/// What is added to the score of a padded key.
Numbers padScore();

/// The largest difference between what the encoder reads for a, b, c and rows of the table.
Numbers lookedUp();

/// The largest difference between the queries of the single attention and those of each head from
/// its part of the matrix.
double stackedHeadsDifference();

/// By how many places of how many letters the right answer shifts each; the shortest and the
/// longest of 1,000 training words.
Numbers shiftsAndLengths();

}  // namespace tfm::reproduce
