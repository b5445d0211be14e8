// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace tfm::ui {

/// What a visible view needs from snapshots. A hidden view wants nothing and costs nothing.
struct Wants {
  bool parameters = false;   ///< Snapshot::state
  bool moments = false;      ///< of the optimizer, in it
  bool norms = false;        ///< Snapshot::norms
  bool samples = false;      ///< Snapshot::samples: answers to Observing::samples()
  bool answer = false;       ///< Snapshot::samples: the answer to the question, if there is one
  bool logits = false;       ///< AnsweredQuestion::logits of these answers
  std::string pattern = {};  ///< tensors of the question's forward pass; see observe/selector.h
  /// also pinnedSnapshot(Pin::A), while the present or a moment is shown; both read the right
  /// answer if the task knows it, so that their rows match
  bool beside_pin = false;
  bool texts = false;  ///< Snapshot::others: also of the other texts that are asked
  bool operator==(const Wants&) const = default;
};

}  // namespace tfm::ui
