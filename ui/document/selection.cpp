// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/selection.h"

#include <initializer_list>
#include <sstream>

#include "core/base/error.h"

namespace tfm::ui {
namespace {

/// Lets reading fail where a number is none of a model.
void within(std::istringstream& stream, std::initializer_list<std::int64_t> numbers) {
  constexpr std::int64_t kMost = 1'000'000;
  for (const std::int64_t number : numbers)
    if (number < 0 || number > kMost) stream.setstate(std::ios::failbit);
}

}  // namespace

std::string textOf(const Chosen& choice) {
  std::ostringstream text;
  if (const auto* cell = std::get_if<ChosenCell>(&choice)) {
    text << (cell->isHead() ? "head " : "cell ") << cell->attention << ' ' << cell->head;
    if (!cell->isHead()) text << ' ' << cell->query << ' ' << cell->key;
  } else if (const auto* weight = std::get_if<ChosenWeight>(&choice)) {
    text << "number " << weight->parameter << ' ' << weight->row << ' ' << weight->col;
  } else if (const auto* token = std::get_if<ReadToken>(&choice)) {
    text << "token " << (token->stack == Stack::Decoder ? "decoder " : "encoder ")
         << token->position << ' ' << token->id;
  }
  return text.str();
}

Chosen chosenFrom(const std::string& text) {
  if (text.empty()) return {};
  std::istringstream stream(text);
  std::string kind, name;
  stream >> kind >> name;
  Chosen choice;
  if (kind == "head" || kind == "cell") {
    ChosenCell cell{name};
    stream >> cell.head;
    if (kind == "cell") {
      stream >> cell.query >> cell.key;
      within(stream, {cell.query, cell.key});
    }
    within(stream, {cell.head});
    choice = cell;
  } else if (kind == "number") {
    ChosenWeight weight{name};
    stream >> weight.row >> weight.col;
    within(stream, {weight.row, weight.col});
    choice = weight;
  } else if (kind == "token") {
    ReadToken token{name == "decoder" ? Stack::Decoder : Stack::Encoder};
    stream >> token.position >> token.id;
    within(stream, {token.position, token.id});
    choice = token;
  }
  if (!stream || choice.index() == 0)
    throw Error("found '" + text.substr(0, 60) + "'", "what the window shows",
                "Expected a head, cell, number or token");
  return choice;
}

void Selection::choose(const Choice& choice) {
  if (choice == choice_) return;
  choice_ = choice;
  emit changed();
}

}  // namespace tfm::ui
