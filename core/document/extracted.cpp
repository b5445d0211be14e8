// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/extracted.h"

#include <string>

#include "core/document/history.h"
#include "core/matformer/extract.h"
#include "core/matformer/mix_n_match.h"

namespace tfm::train {

Document extracted(const Document& whole, const Submodel& submodel) {
  const auto granularities = matformer::granularities(whole.state.config, whole.train.nesting);
  Document part = whole;
  part.state = matformer::extract(whole.state, submodel);
  part.train.nesting = {};
  part.train.growths.clear();
  for (Evaluation& evaluation : part.history.evaluations) evaluation.granularities.clear();
  std::string note = "Extracted ";
  note += matformer::nameOf(granularities, submodel);
  note += " from a model with " + std::to_string(whole.state.layout.total);
  note += " parameters; earlier measurements are of that model";
  addEvent(part.history, {whole.state.step, EventKind::Note, note});
  return part;
}

}  // namespace tfm::train
