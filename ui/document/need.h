// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace tfm::ui {

/// What a visible view needs from snapshots. A hidden view needs nothing and costs nothing.
struct Need {
  bool parameters = false;   ///< Snapshot::state
  bool moments = false;      ///< of the optimizer, in it
  bool norms = false;        ///< Snapshot::norms
  bool samples = false;      ///< Snapshot::samples: answers to Observing::samples()
  bool answer = false;       ///< Snapshot::samples: the answer to the question, if there is one
  bool logits = false;       ///< AnsweredQuestion::logits of these answers
  bool reading = false;      ///< Snapshot::probe: how the model reads the question
  std::string pattern = {};  ///< tensors of the question's forward pass; see observe/selector.h
  /// Snapshot::beside: what the model of pin A does with the same input. Both read the right answer
  /// if the task knows it, so that their rows match.
  bool beside_pin = false;
  bool texts = false;  ///< Snapshot::others: also of the other texts that are asked
  bool operator==(const Need&) const = default;
};

}  // namespace tfm::ui
