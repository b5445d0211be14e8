// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/io/fields.h"
#include "core/observe/explainer.h"
#include "core/observe/model_map.h"
#include "ui/views/flow/flow_layout.h"
#include "ui/views/flow/flow_run.h"

namespace tfm::ui {

/// Which parts of a model are open: those that the user opened, and those that a walk is in.
struct FlowOpened {
  FlowOpen open;                   ///< all of them, and the head of open attentions
  std::vector<std::string> order;  ///< those that the user opened, in that order
  std::set<std::string> walked;    ///< those that are open only because a walk is in them
  bool operator==(const FlowOpened&) const = default;

  /// Opens a part, or closes it.
  void toggle(const observe::ModelMap& map, std::size_t node);
  /// Closes all parts inside this one.
  void closeInside(const observe::ModelMap& map, std::size_t node);
  /// Opens all parts around a step.
  void openAround(const observe::ModelMap& map, std::size_t step);
  /// Opens the parts around the step of a walk, and closes those that the walk itself opened and
  /// has left; nullopt: the walk is over.
  void walkTo(const observe::ModelMap& map, std::optional<std::size_t> step);
  /// The part that was opened last; the whole model if none was.
  std::size_t last(const observe::ModelMap& map) const;
};

/// What the Flow screen shows, as a value.
struct FlowShown {
  /// Of the switch above the diagram: numbers, their gradients, A − B, text 2 − text 1.
  enum class Numbers { Values, Gradients, Difference, Texts };

  Numbers numbers = Numbers::Values;
  /// The values are those of a training step, on a path that leads from its gradients.
  bool training = false;
  bool walking = false;  ///< step by step, through the run of a training step
  bool lens = false;     ///< the logit lens in place of the diagram
  bool left = true;      ///< whether the left side is shown
  FlowOpened opened;
  /// The locked number. It is shown as soon as there is a run that has it.
  std::optional<observe::NumberPlace> number;
  /// A number to lock with the next run, by the name of its tensor: "output[0, 3]".
  std::string wanted;
  bool operator==(const FlowShown&) const = default;

  FlowSide side() const {
    return numbers == Numbers::Gradients ? FlowSide::Gradients : FlowSide::Values;
  }
  /// Whether the run has to be that of a training step.
  bool wantsGradients() const { return side() == FlowSide::Gradients || walking || training; }
  /// Switches to other numbers: the locked one becomes its gradient, or the value of that.
  void choose(Numbers other);
};

/// Its fields, for documents: without walks, and the locked number by its name, see `wanted`.
std::vector<io::Field> fieldsOf(FlowShown& shown);

/// The name of a number of a program, as in FlowShown::wanted, and the number with that name; none
/// where it has none.
std::string nameOfNumber(const Program& program, const observe::NumberPlace& place);
std::optional<observe::NumberPlace> numberNamed(const Program& program, const std::string& name);

}  // namespace tfm::ui
