// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/explanation_tree.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/output.h"

namespace tfm::cli {
namespace {

using Json = nlohmann::ordered_json;
using observe::NumberPlace;
using Rule = Explanation::Rule;

constexpr int kDigits = 6, kSourceDigits = 4;

/// Where a number is not simply the sum of its terms.
std::string ruleText(Rule rule, double numerator, double sum) {
  switch (rule) {
    case Rule::Sum:
      break;
    case Rule::Share:
      return "the numerator " + shortNumber(numerator, kDigits) + ", divided by " +
             shortNumber(sum, kDigits) + ", the sum of all terms";
    case Rule::Largest:
      return "the largest term";
    case Rule::Smallest:
      return "the smallest term";
  }
  return {};
}

}  // namespace

ExplanationTree::ExplanationTree(const Explained& of, const NumberPlace& root,
                                 const TreeSizes& sizes)
    : of_(of), sizes_(sizes) {
  nodes_.push_back({root, of.value(root), {}});
  std::size_t begin = 0;
  for (int level = 0; level < sizes.depth; ++level) {
    const std::size_t end = nodes_.size();
    for (std::size_t node = begin; node < end; ++node) expand(node);
    begin = end;
  }
}

/// Adds the terms of a node, and their sources as nodes.
void ExplanationTree::expand(std::size_t node) {
  const observe::ExplainedNumber number = of_.explain(nodes_[node].place);
  std::size_t count = 0;
  for (const observe::StepPart& part : number.parts)
    count += std::min(part.terms.size(), sizes_.terms);
  if (node > 0 && terms_ + count > sizes_.most) {
    nodes_[node].left_out = !number.parts.empty();
    left_out_ += nodes_[node].left_out ? 1 : 0;
    return;
  }
  terms_ += count;
  std::vector<Part> parts;
  for (const observe::StepPart& from : number.parts) {
    Part part{from.step, from.explanation, namedFormula(of_.program, number, from)};
    part.explanation.terms.clear();
    for (const observe::PlacedTerm& term : from.terms) {
      part.sum += term.amount;
      if (term.numerator) part.numerator = term.amount;
      if (part.terms.size() == sizes_.terms) {
        ++part.more;
        part.rest += term.amount;
        continue;
      }
      part.terms.push_back({term.amount, term.factor, term.factors, term.numerator, {}});
      for (const NumberPlace& source : term.sources) {
        part.terms.back().sources.push_back(nodes_.size());
        nodes_.push_back({source, of_.value(source), {}});
      }
    }
    parts.push_back(std::move(part));
  }
  nodes_[node].parts = std::move(parts);
}

Json ExplanationTree::jsonOf(std::size_t at) const {
  const Node& node = nodes_[at];
  Json json{{"number", nameOf(of_.program, node.place)}, {"value", node.value}};
  if (const std::string token = of_.token(node.place); !token.empty()) json["token"] = token;
  if (node.left_out) json["left_out"] = true;
  for (const Part& part : node.parts) {
    const Explanation& e = part.explanation;
    Json terms = Json::array();
    for (const Term& term : part.terms) {
      Json sources = Json::array();
      for (std::size_t i = 0; i < term.sources.size(); ++i) {
        sources.push_back(jsonOf(term.sources[i]));
        sources.back()["multiplied"] = i < term.factors;
      }
      Json one{{"amount", term.amount}};
      if (term.factors > 0) one["factor"] = term.factor;
      if (term.numerator) one["numerator"] = true;
      one["from"] = std::move(sources);
      terms.push_back(std::move(one));
    }
    Json step{{"step", part.step->path},
              {"op", part.step->op->name},
              {"formula", e.formula},
              {"with_names", part.with_names},
              {"rule", observe::ruleName(e.rule)}};
    if (e.rule == Rule::Share) {
      step["numerator"] = part.numerator;
      step["sum"] = part.sum;
    }
    if (e.constant != 0.0) step["constant"] = e.constant;
    if (!e.function.empty()) step["function"] = e.function;
    step["terms"] = std::move(terms);
    step["more_terms"] = part.more;
    if (part.more > 0) step["more_amount"] = part.rest;
    json["made_of"].push_back(std::move(step));
  }
  return json;
}

Json ExplanationTree::json() const {
  Json json = jsonOf(0);
  if (left_out_ > 0) json["left_out_numbers"] = left_out_;
  return json;
}

/// "labels[1] (20 'u')".
std::string ExplanationTree::named(std::size_t at) const {
  const Node& node = nodes_[at];
  const std::string token = of_.token(node.place);
  return nameOf(of_.program, node.place) + " (" + shortNumber(node.value, kSourceDigits) +
         (token.empty() ? "" : " '" + token + "'") + ')';
}

/// "-0.167  from -1 * label_weights[1, 0] (0.167) * d loss[0, 0] (1), labels[1] (20 'u')".
void ExplanationTree::printTerm(const Term& term, const std::string& margin) const {
  std::cout << margin << shortNumber(term.amount, kDigits) << "  from ";
  if (term.sources.empty()) std::cout << "a constant";
  const bool scaled = term.factors > 0 && term.factor != 1.0;
  if (scaled) std::cout << shortNumber(term.factor, kSourceDigits);
  for (std::size_t i = 0; i < term.sources.size(); ++i)
    std::cout << (i >= term.factors && i > 0 ? ", "
                  : i > 0 || scaled          ? " * "
                                             : "")
              << named(term.sources[i]);
  std::cout << (term.numerator ? ", the numerator\n" : "\n");
}

void ExplanationTree::printNode(std::size_t at, const std::string& margin) const {
  const Node& node = nodes_[at];
  const std::string token = of_.token(node.place);
  std::cout << margin << nameOf(of_.program, node.place) << " = "
            << shortNumber(node.value, kDigits) << (token.empty() ? "" : " '" + token + "'")
            << (node.left_out ? "  (its terms are left out)\n" : "\n");
  for (const Part& part : node.parts) {
    const Explanation& e = part.explanation;
    std::cout << margin << "  " << part.step->path << ", " << part.step->op->name << ": "
              << e.formula << '\n'
              << margin << "  " << part.with_names << '\n';
    if (e.rule != Rule::Sum)
      std::cout << margin << "  " << ruleText(e.rule, part.numerator, part.sum) << '\n';
    if (!e.function.empty()) std::cout << margin << "  f = " << e.function << '\n';
    if (e.constant != 0.0)
      std::cout << margin << "  " << shortNumber(e.constant, kDigits) << "  constant\n";
    for (const Term& term : part.terms) {
      printTerm(term, margin + "  ");
      for (const std::size_t source : term.sources)
        if (!nodes_[source].parts.empty() || nodes_[source].left_out)
          printNode(source, margin + "    ");
    }
    if (part.more > 0)
      std::cout << margin << "  " << shortNumber(part.rest, kDigits) << "  from " << part.more
                << (part.more == 1 ? " more term\n" : " more terms\n");
  }
}

void ExplanationTree::print() const {
  printNode(0, "");
  if (left_out_ > 0)
    std::cout << "The terms of " << counted(std::int64_t(left_out_), "number")
              << " are left out: only " << withCommas(std::int64_t(sizes_.most))
              << " terms are shown (--most)\n";
}

}  // namespace tfm::cli
