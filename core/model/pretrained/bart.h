// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/pretrained/family.h"

namespace tfm {

/// "bart" (Lewis et al. 2020; fields and names of the transformers library): an encoder and a
/// decoder of post-norm layers with learned positions, whose tables have two rows before the first,
/// a norm after the embeddings, and one token table for both stacks and the output.
Family bartFamily();

/// "marian" (Junczys-Dowmunt et al. 2018): the same with sinusoidal positions, all sines before all
/// cosines, without the norm after the embeddings, and with one token table or two.
Family marianFamily();

}  // namespace tfm
