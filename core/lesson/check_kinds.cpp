// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/check.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/base/number_text.h"
#include "core/document/history.h"
#include "core/expand/kinds.h"
#include "core/lesson/check_words.h"
#include "core/model/build_program.h"
#include "core/model/delight_layers.h"
#include "core/model/submodel.h"

namespace tfm::lesson {
namespace {

// What a screen keeps is read by the names of its fields, as they stand in documents.
constexpr const char* kPanels = "Panels";

double numberOf(const std::string& word) { return realNumberIn(word).value_or(0.0); }

bool isAttention(std::string_view path, std::string_view words) {
  if (words == kAttentions[0]) return path.find(".cross_attention") != std::string_view::npos;
  return path.starts_with(words.substr(0, words.find(' '))) &&
         path.find(".self_attention") != std::string_view::npos;
}

/// "cell PATH HEAD QUERY KEY", as the panels keep what is chosen.
struct ChosenCell {
  std::string path;  ///< empty: none is chosen
  std::int64_t head = 0, query = 0, key = 0;
};
ChosenCell chosenCell(const Situation& now) {
  std::istringstream chosen(keptField(now.window, kPanels, "chosen"));
  std::string kind;
  ChosenCell cell;
  if (chosen >> kind && kind == "cell") chosen >> cell.path >> cell.head >> cell.query >> cell.key;
  return cell;
}

/// Locks a cell of the first attention of this kind.
void lockCell(Desk& desk, const std::string& attention, std::int64_t query, std::int64_t key) {
  for (const observe::Unit& head :
       observe::unitsOf(desk.document().state.config, observe::UnitKind::Heads))
    if (isAttention(head.target, attention)) {
      const std::string path = head.target.substr(0, head.target.rfind(".head."));
      return keepField(desk.window(), kPanels, "chosen",
                       "cell " + path + " 0 " + std::to_string(query) + " " + std::to_string(key));
    }
  throw Error("this model has no " + attention, {}, "Start from a model that has it");
}

/// A place on a map, counted from 1 as one reads it.
std::int64_t fromOne(const std::string& word) { return wholeNumberIn(word).value_or(0) - 1; }

bool changesWeight(const Situation& now, const observe::Intervention& what) {
  bool changes = false;
  (void)problemOf([&] {
    changes =
        std::ranges::any_of(observe::changedParts(now.model, fullShape(now.model, 1), what.target),
                            &observe::ChangedPart::parameter);
  });
  return changes;
}

/// Of the nested submodel that Elastic shows, layer by layer; empty: the whole model.
bool isSmallerChosen(const Situation& now) {
  const std::vector<std::int64_t> chosen = keptNumbers(now.window, "Elastic", "widths");
  const std::vector<std::int64_t> whole = fullWidths(now.model);
  return chosen.size() == whole.size() && chosen != whole;
}

expand::Kind kindOf(const std::string& words) {
  const auto kinds = expand::kinds();
  const auto row = std::ranges::find(kinds, words, &expand::KindRow::words);
  return expand::Kind(row - kinds.begin());
}

bool wasGrown(const Situation& now, const std::string& words, bool proved) {
  return std::ranges::any_of(now.history.events, [&](const train::HistoryEvent& event) {
    return event.kind == train::EventKind::Growth && event.text.starts_with(words) &&
           (!proved || train::isProved(event));
  });
}

const train::Evaluation* lastEvaluation(const Situation& now) {
  const auto& all = now.history.evaluations;
  return all.empty() ? nullptr : &all.back();
}

bool isInForce(const Situation& now, const auto& is_meant) {
  return std::ranges::any_of(now.interventions, [&](const train::ListedIntervention& one) {
    return one.on && is_meant(one.what);
  });
}

/// "head 7": the heads of a model in the order of its layers, counted from 1.
std::optional<std::string> headTarget(const ModelConfig& model, const std::string& number) {
  const auto heads = observe::unitsOf(model, observe::UnitKind::Heads);
  const std::int64_t head = wholeNumberIn(number).value_or(0);
  if (head < 1 || head > std::ssize(heads)) return std::nullopt;
  return heads[std::size_t(head - 1)].target;
}

using WordSets = std::vector<Words>;

/// With two decimals, down (-1) or up (1).
std::string rounded(double value, int direction) {
  const double hundredths = direction < 0 ? std::floor(100.0 * value) : std::ceil(100.0 * value);
  std::ostringstream text;
  text << hundredths / 100.0;
  return text.str();
}

/// How long `lesson run` trains at most for a check.
constexpr std::int64_t kMostSteps = 20'000;

const CheckKind kChecks[] = {
    {"the <screen> screen is open", "The screen is the open one.",
     [](const Situation& now, const Words& w) { return now.window.screen == w[0]; },
     [](Desk& desk, const Words& w) { desk.window().screen = w[0]; }},
    {"at least <whole> steps of training", "The model has learned for as many steps.",
     [](const Situation& now, const Words& w) { return double(now.step) >= numberOf(w[0]); },
     [](Desk& desk, const Words& w) {
       const auto last = std::int64_t(numberOf(w[0]));
       desk.trainUntil(last, [last](const Situation& now) { return now.step >= last; });
     },
     [](const Situation& now) -> WordSets { return {{std::to_string(now.step)}}; }},
    {"no steps of training", "The model is new, or it was started over.",
     [](const Situation& now, const Words&) { return now.step == 0; },
     [](Desk& desk, const Words&) { desk.startOver(); }},
    {"held-out accuracy at least <number>", "The last evaluation has it, from 0 to 1.",
     [](const Situation& now, const Words& w) {
       const train::Evaluation* last = lastEvaluation(now);
       return last != nullptr && last->accuracy >= numberOf(w[0]);
     },
     [](Desk& desk, const Words& w) {
       desk.trainUntil(kMostSteps, [&](const Situation& now) {
         const train::Evaluation* last = lastEvaluation(now);
         return last != nullptr && last->accuracy >= numberOf(w[0]);
       });
     },
     [](const Situation& now) -> WordSets {
       const train::Evaluation* last = lastEvaluation(now);
       return last == nullptr ? WordSets() : WordSets{{rounded(last->accuracy, -1)}};
     }},
    {"held-out loss at most <number>", "The last evaluation has it.",
     [](const Situation& now, const Words& w) {
       const train::Evaluation* last = lastEvaluation(now);
       return last != nullptr && last->loss <= numberOf(w[0]);
     },
     [](Desk& desk, const Words& w) {
       desk.trainUntil(kMostSteps, [&](const Situation& now) {
         const train::Evaluation* last = lastEvaluation(now);
         return last != nullptr && last->loss <= numberOf(w[0]);
       });
     },
     [](const Situation& now) -> WordSets {
       const train::Evaluation* last = lastEvaluation(now);
       return last == nullptr ? WordSets() : WordSets{{rounded(last->loss, 1)}};
     }},
    {"the text is <text>", "The model reads this text.",
     [](const Situation& now, const Words& w) { return shownText(now.window) == w[0]; },
     [](Desk& desk, const Words& w) { desk.window().texts = {w[0]}, desk.window().text = 0; },
     [](const Situation& now) -> WordSets {
       const std::string_view text = shownText(now.window);
       return text.empty() ? WordSets() : WordSets{{std::string(text)}};
     }},
    {"the text is not <text>", "The model reads a text, and another one than this.",
     [](const Situation& now, const Words& w) {
       const std::string_view text = shownText(now.window);
       return !text.empty() && text != w[0];
     },
     [](Desk& desk, const Words& w) {
       // The same letters turned round are as long and as easy to read.
       desk.window().texts = {std::string(w[0].rbegin(), w[0].rend())};
       desk.window().text = 0;
     },
     [](const Situation&) -> WordSets { return {}; }},
    {"a cell of a <attention> map is locked", "In Attention, one cell was clicked.",
     [](const Situation& now, const Words& w) { return isAttention(chosenCell(now).path, w[0]); },
     [](Desk& desk, const Words& w) { lockCell(desk, w[0], 0, 0); }},
    {"the cell in row <whole>, column <whole> of a <attention> map is locked",
     "In Attention, this cell of any head, counted from 1.",
     [](const Situation& now, const Words& w) {
       const ChosenCell cell = chosenCell(now);
       return isAttention(cell.path, w[2]) && cell.query == fromOne(w[0]) &&
              cell.key == fromOne(w[1]);
     },
     [](Desk& desk, const Words& w) { lockCell(desk, w[2], fromOne(w[0]), fromOne(w[1])); },
     [](const Situation& now) {
       const ChosenCell cell = chosenCell(now);
       WordSets choices;
       for (const std::string_view attention : kAttentions)
         choices.push_back({std::to_string(cell.query + 1), std::to_string(cell.key + 1),
                            std::string(attention)});
       return choices;
     }},
    {"the cells are <stage>",
     "The stage of Attention's large map: scores, scaled, masked, softmax.",
     [](const Situation& now, const Words& w) {
       return keptField(now.window, "Attention", "stage") == w[0];
     },
     [](Desk& desk, const Words& w) { keepField(desk.window(), "Attention", "stage", w[0]); }},
    {"a number of Flow is locked", "In Flow, one number was clicked.",
     [](const Situation& now, const Words&) {
       return !keptField(now.window, "Flow", "locked_number").empty();
     },
     [](Desk& desk, const Words&) {
       keepField(desk.window(), "Flow", "locked_number", "output[0, 0]");
     }},
    {"a token that the model reads is locked", "In Flow, at the end of the path to the input.",
     [](const Situation& now, const Words&) {
       const std::string locked = keptField(now.window, "Flow", "locked_number");
       return locked.starts_with(names::kSourceIds) || locked.starts_with(names::kTargetIds);
     },
     [](Desk& desk, const Words&) {
       keepField(desk.window(), "Flow", "locked_number", std::string(names::kSourceIds) + "[0, 0]");
     }},
    {"the number <text> is locked", "In Flow, this one, by its name: \"output[0, 3]\".",
     [](const Situation& now, const Words& w) {
       return keptField(now.window, "Flow", "locked_number") == w[0];
     },
     [](Desk& desk, const Words& w) { keepField(desk.window(), "Flow", "locked_number", w[0]); },
     [](const Situation& now) -> WordSets {
       return {{keptField(now.window, "Flow", "locked_number")}};
     }},
    {"the logit lens is shown", "In Flow, in place of the diagram.",
     [](const Situation& now, const Words&) {
       return keptField(now.window, "Flow", "lens") == "true";
     },
     [](Desk& desk, const Words&) { keepSwitch(desk.window(), "Flow", "lens"); }},
    {"gradients are shown", "In Flow, in place of values.",
     [](const Situation& now, const Words&) {
       return keptField(now.window, "Flow", "numbers") == "gradients";
     },
     [](Desk& desk, const Words&) { keepField(desk.window(), "Flow", "numbers", "gradients"); }},
    {"<text> is in force", "This What-if change, such as \"decoder.layers.0=0\".",
     [](const Situation& now, const Words& w) {
       return isInForce(now, [&](const observe::Intervention& what) {
         return what == observe::interventionFromText(w[0]);
       });
     },
     [](Desk& desk, const Words& w) { desk.intervene(w[0]); },
     [](const Situation& now) {
       WordSets choices;
       for (const train::ListedIntervention& one : now.interventions)
         choices.push_back({observe::textOf(one.what)});
       return choices;
     }},
    {"head <whole> is off", "Counted from 1 through all attentions, in the order of the model.",
     [](const Situation& now, const Words& w) {
       const auto target = headTarget(now.model, w[0]);
       return target && isInForce(now, [&](const observe::Intervention& what) {
                return what.target == *target && what.number == 0.0;
              });
     },
     [](Desk& desk, const Words& w) {
       const auto target = headTarget(desk.document().state.config, w[0]);
       if (!target) throw Error("this model has no head " + w[0], {}, "Count them in Attention");
       desk.intervene(*target + "=0");
     },
     [](const Situation& now) {
       WordSets choices;
       const auto heads = std::ssize(observe::unitsOf(now.model, observe::UnitKind::Heads));
       for (std::int64_t head = 1; head <= heads; ++head) choices.push_back({std::to_string(head)});
       return choices;
     }},
    {"a What-if change is in force", "Any.",
     [](const Situation& now, const Words&) {
       return isInForce(now, [](const observe::Intervention&) { return true; });
     },
     [](Desk& desk, const Words&) {
       desk.intervene(observe::unitsOf(desk.document().state.config, observe::UnitKind::Layers)
                          .front()
                          .target +
                      "=0");
     }},
    {"a weight is changed", "A What-if change of a weight, such as \"output.weight[1, 2]=0.5\".",
     [](const Situation& now, const Words&) {
       return isInForce(
           now, [&](const observe::Intervention& what) { return changesWeight(now, what); });
     },
     [](Desk& desk, const Words&) {
       desk.intervene(desk.document().state.layout.parameters.front().name + "[0, 0]=0.5");
     }},
    {"a part is taken from another text", "A What-if change with *from*.",
     [](const Situation& now, const Words&) {
       return isInForce(now, [](const observe::Intervention& what) {
         return what.kind == observe::Intervention::Kind::Patch;
       });
     },
     [](Desk& desk, const Words&) {
       const std::string text(shownText(desk.document().window));
       desk.intervene(observe::unitsOf(desk.document().state.config, observe::UnitKind::Layers)
                          .front()
                          .target +
                      "=from \"" + std::string(text.rbegin(), text.rend()) + "\"");
     }},
    {"<expansion> was grown", "The model was enlarged in this way.",
     [](const Situation& now, const Words& w) { return wasGrown(now, w[0], false); },
     [](Desk& desk, const Words& w) { desk.grow(kindOf(w[0]), false); }},
    {"<expansion> was grown and proved", "The same, after Prove has found equal answers.",
     [](const Situation& now, const Words& w) { return wasGrown(now, w[0], true); },
     [](Desk& desk, const Words& w) { desk.grow(kindOf(w[0]), true); }},
    {"pin <pin> is set", "A moment was pinned for comparison.",
     [](const Situation& now, const Words& w) {
       return now.window.pins[std::size_t(w[0] == kPins[1])].has_value();
     },
     [](Desk& desk, const Words& w) {
       desk.window().pins[std::size_t(w[0] == kPins[1])] = desk.moment();
     }},
    {"the difference of the pins is shown", "B minus A, or A minus B: the later minus the earlier.",
     [](const Situation& now, const Words&) {
       return now.window.shown == train::WindowState::Shown::Difference;
     },
     [](Desk& desk, const Words&) {
       for (auto& pin : desk.window().pins)
         if (!pin) pin = desk.moment();
       desk.window().shown = train::WindowState::Shown::Difference;
     }},
    {"an earlier moment is shown", "The time machine is not at the present.",
     [](const Situation& now, const Words&) {
       return now.window.shown == train::WindowState::Shown::Moment;
     },
     [](Desk& desk, const Words&) {
       if (desk.window().moments.empty()) desk.window().moments.push_back(desk.moment());
       desk.window().shown = train::WindowState::Shown::Moment;
     }},
    {"the model learns from a file of one's own", "New run was started with a file.",
     [](const Situation& now, const Words&) {
       return now.task != nullptr && !now.task->path.empty();
     },
     [](Desk& desk, const Words&) { desk.learnFromOwnFile(); }},
    {"a nested model is open", "A MatFormer: it contains smaller ones.",
     [](const Situation& now, const Words&) { return !now.train.nesting.widths.empty(); },
     [](Desk& desk, const Words&) { desk.nest(); }},
    {"a smaller size is chosen", "In Elastic, a part of a nested model.",
     [](const Situation& now, const Words&) { return isSmallerChosen(now); },
     [](Desk& desk, const Words&) {
       std::vector<std::int64_t> widths = fullWidths(desk.document().state.config);
       for (std::int64_t& width : widths) width = std::max<std::int64_t>(1, width / 2);
       keepNumbers(desk.window(), "Elastic", "widths", widths);
     }},
    {"a Funnel model is open", "Its layers shorten the sequence.",
     [](const Situation& now, const Words&) { return now.model.changesLength(); },
     [](Desk& desk, const Words&) { desk.open("funnel-tagger"); }},
    {"a DeLighT model is open", "Its layers have units of many narrow maps.",
     [](const Situation& now, const Words&) { return delightScaling(now.model).has_value(); },
     [](Desk& desk, const Words&) { desk.open("delight-sequence"); }},
};

}  // namespace

std::span<const CheckKind> checkKinds() { return kChecks; }

}  // namespace tfm::lesson
