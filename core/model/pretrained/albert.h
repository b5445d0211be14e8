// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/pretrained/family.h"

namespace tfm {

/// "albert" (Lan et al. 2020; fields and names of the transformers library): a BERT with narrower
/// embeddings, which a map brings to the hidden size, and with layers that run several times. The
/// head for hidden tokens is read if the file has it. Throws Error for an inner_group_num other
/// than 1.
Family albertFamily();

}  // namespace tfm
