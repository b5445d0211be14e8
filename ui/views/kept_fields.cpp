// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/kept_fields.h"

#include <sstream>
#include <utility>

#include "core/base/error.h"

namespace tfm::ui {
namespace {

std::vector<int> numbersIn(const std::string& text, std::size_t count) {
  std::vector<int> numbers(count);
  std::istringstream stream(text);
  char comma = ',';
  for (std::size_t i = 0; i < count; ++i)
    if ((i > 0 && !(stream >> comma)) || comma != ',' || !(stream >> numbers[i]))
      throw Error("found '" + text.substr(0, 40) + "'", "what the window shows",
                  "Expected " + std::to_string(count) + " whole numbers with commas between");
  return numbers;
}

}  // namespace

io::TextSlot keptNumbers(std::vector<int*> numbers) {
  const auto get = [numbers] {
    std::string text;
    for (const int* number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(*number);
    return text;
  };
  const auto set = [numbers](const std::string& text) {
    const std::vector<int> found = numbersIn(text, numbers.size());
    for (std::size_t i = 0; i < found.size(); ++i) *numbers[i] = found[i];
  };
  return {get, set};
}

io::TextSlot keptCell(std::optional<Cell>& cell) {
  const auto get = [&cell] {
    return cell ? std::to_string(cell->row) + ", " + std::to_string(cell->col) : std::string();
  };
  const auto set = [&cell](const std::string& text) {
    const std::vector<int> found = numbersIn(text, 2);
    cell = Cell{found[0], found[1]};
  };
  return {get, set};
}

io::TextSlot keptWords(std::vector<std::string>& words) {
  const auto get = [&words] {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
  };
  const auto set = [&words](const std::string& text) {
    words.clear();
    std::istringstream stream(text);
    for (std::string word; stream >> word;) words.push_back(word);
  };
  return {get, set};
}

}  // namespace tfm::ui
