// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/observe/explainer.h"
#include "core/observe/formula.h"

namespace tfm::cli {

/// What can be explained: a run of the model, or an update by the optimizer.
struct Explained {
  const Program& program;
  std::function<observe::ExplainedNumber(const observe::NumberPlace&)> explain;
  observe::ValueOf value;
  std::function<std::string(const observe::NumberPlace&)> token;  ///< of an id; "" for others
};

struct TreeSizes {
  int depth = 1;             ///< levels to follow back
  std::size_t terms = 8;     ///< shown of each step, the largest
  std::size_t most = 10000;  ///< terms in all
};

/// A number, what it is made of, what that is made of, and so on, level by level until a size is
/// reached.
class ExplanationTree {
 public:
  ExplanationTree(const Explained& of, const observe::NumberPlace& root, const TreeSizes& sizes);

  nlohmann::ordered_json json() const;
  void print() const;

 private:
  struct Term {
    double amount, factor;
    std::size_t factors;
    bool numerator;
    std::vector<std::size_t> sources;  ///< nodes
  };
  struct Part {
    const Step* step;
    Explanation explanation;  ///< without its terms
    std::string with_names;
    double numerator = 0.0, sum = 0.0;  ///< of a share
    std::vector<Term> terms = {};
    std::size_t more = 0;  ///< terms that are not shown, and their sum
    double rest = 0.0;
  };
  struct Node {
    observe::NumberPlace place;
    double value = 0.0;
    std::vector<Part> parts;
    bool left_out = false;  ///< its terms, for want of room
  };

  void expand(std::size_t node);
  nlohmann::ordered_json jsonOf(std::size_t node) const;
  void printNode(std::size_t node, const std::string& margin) const;
  void printTerm(const Term& term, const std::string& margin) const;
  std::string named(std::size_t node) const;

  const Explained& of_;
  TreeSizes sizes_;
  std::vector<Node> nodes_;
  std::size_t terms_ = 0;     ///< so far
  std::size_t left_out_ = 0;  ///< numbers
};

}  // namespace tfm::cli
