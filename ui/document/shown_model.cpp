// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/shown_model.h"

#include <future>
#include <utility>

#include "core/ask/what_if.h"
#include "core/backend/registry.h"
#include "ui/document/model_document.h"

namespace tfm::ui {

std::function<std::shared_ptr<const ModelState>()> shownModel(
    ModelDocument& document, std::vector<observe::Intervention> changes) {
  using State = std::shared_ptr<const ModelState>;
  const auto known = std::make_shared<std::promise<State>>();
  if (const train::Moment* shown = document.moments().shown())
    known->set_value(shown->state);
  else
    document.copy([known](train::Document now, double) {
      known->set_value(std::make_shared<const ModelState>(std::move(now.state)));
    });
  return [state = known->get_future().share(), codec = document.sharedCodec(),
          changes = std::move(changes)]() -> State {
    if (changes.empty()) return state.get();
    return std::make_shared<const ModelState>(
        train::withInterventions(*state.get(), *codec, changes, *makeBackend<float>()));
  };
}

}  // namespace tfm::ui
