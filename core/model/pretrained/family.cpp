// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/family.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/io/message_text.h"
#include "core/model/build_program.h"
#include "core/model/pretrained/albert.h"
#include "core/model/pretrained/bart.h"
#include "core/model/pretrained/bert.h"
#include "core/model/pretrained/funnel.h"
#include "core/model/pretrained/gpt2.h"
#include "core/model/pretrained/gpt_neox.h"
#include "core/model/pretrained/llama.h"
#include "core/model/pretrained/t5.h"
#include "core/model/pretrained/torch_encoder.h"
#include "core/tensor/shape.h"

namespace tfm {
namespace {

constexpr std::size_t kPart = std::size_t{1} << 18;  // elements read at a time

/// The tensors of a file, and which of them were used.
class Tensors {
 public:
  Tensors(const Family& family, const io::StoredTensors& tensors, std::string where)
      : family_(family), tensors_(tensors), where_(std::move(where)) {
    const auto begins = [&](const auto& t) { return t.first.starts_with(family.prefix); };
    if (std::ranges::any_of(tensors, begins)) prefix_ = family.prefix;
  }

  using Found = io::StoredTensors::const_iterator;

  /// The tensor of one of two names, the second of which may be empty. Throws Error if it is
  /// missing, of another shape or not of real numbers.
  Found get(const std::string& name, const std::string& other,
            const std::vector<std::int64_t>& shape) {
    Found found = find(name);
    if (found == tensors_.end() && !other.empty()) found = find(other);
    const std::string size = shape.front() == 0
                                 ? "rows of " + sizeText({shape.begin() + 1, shape.end()})
                                 : sizeText(shape);
    const std::string expected = "Expected " + size + " numbers, as the config says";
    if (found == tensors_.end()) throwMissing(name, expected);
    const io::StoredTensor& tensor = found->second;
    const auto fits = [](std::int64_t is, std::int64_t wanted) {
      return wanted == 0 ? is > 0 : is == wanted;
    };
    if (!std::ranges::equal(tensor.shape, shape, fits))
      throw Error("tensor " + io::inQuotes(found->first) + " is " + sizeText(tensor.shape), where_,
                  expected);
    if (tensor.format == nullptr || !tensor.format->real)
      throw Error("tensor " + io::inQuotes(found->first) + " holds " + tensor.type, where_,
                  "Expected F32, F64, F16 or BF16");
    used_.insert(found->first);
    return found;
  }

  Found find(const std::string& name) const {
    const Found found = tensors_.find(prefix_ + name);
    return found == tensors_.end() ? tensors_.find(name) : found;
  }
  Found none() const { return tensors_.end(); }

  /// The tensors that were not used. Throws Error for one of the model.
  std::vector<std::string> others() const {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : tensors_) {
      if (used_.contains(name)) continue;
      names.push_back(name);
      if (!name.starts_with(prefix_)) continue;
      const std::string_view inner = std::string_view(name).substr(prefix_.size());
      const auto begins = [&](std::string_view part) { return inner.starts_with(part); };
      const auto ends = [&](std::string_view end) { return inner.ends_with(end); };
      if (std::ranges::any_of(family_.parts, begins) && std::ranges::none_of(family_.ignored, ends))
        throw Error("tensor " + io::inQuotes(name) + " does not belong to the " +
                        std::string(family_.words),
                    where_, "The config.json describes one without it");
    }
    return names;
  }

 private:
  [[noreturn]] void throwMissing(const std::string& name, const std::string& expected) const {
    const std::string problem = "tensor " + io::inQuotes(prefix_ + name) + " is missing";
    for (const auto& [other, tensor] : tensors_)
      if (other.ends_with('.' + name))
        throw Error(problem, where_,
                    "The file has " + io::inQuotes(other) +
                        ": save the model alone, without the prefix " +
                        io::inQuotes(other.substr(0, other.size() - name.size())));
    throw Error(problem, where_, expected + ", in a file of a " + std::string(family_.words));
  }

  const Family& family_;
  const io::StoredTensors& tensors_;
  std::string where_;
  std::string prefix_;
  std::set<std::string> used_;
};

/// One of our parameters with what it comes from; the places are null where there is nothing.
struct Planned {
  const ParameterInfo* ours;
  ForeignTensor how;
  Tensors::Found from, added;
  std::vector<Tensors::Found> copies = {};
};

struct Plan {
  ParameterLayout layout;
  std::vector<Planned> parameters = {};
  std::vector<std::string> others = {};
  Tensors::Found none = {};
};

Plan planFor(const Family& family, const ModelConfig& config, std::string_view json,
             const io::StoredTensors& tensors, const std::string& where) {
  Plan plan{.layout = parameterLayout(config)};
  Tensors file(family, tensors, where);
  plan.none = file.none();
  ForeignModel model{config, tensors};
  if (family.factors != nullptr) model.factors = family.factors(json, where);
  for (const ParameterInfo& p : plan.layout.parameters) {
    Planned planned{&p, family.tensor(model, p), file.none(), file.none()};
    const ForeignTensor& how = planned.how;
    const bool left_out = how.optional && file.find(how.name) == file.none();
    if (!how.name.empty() && !left_out) planned.from = file.get(how.name, how.other, how.shape);
    if (!how.added.empty()) planned.added = file.get(how.added, "", {0, p.cols()});
    if (!how.other.empty() && file.find(how.other) != file.none() &&
        file.find(how.other) != planned.from)
      planned.copies.push_back(file.get(how.other, "", how.shape));
    for (const std::string& copy : how.copies)
      if (file.find(copy) != file.none()) planned.copies.push_back(file.get(copy, "", how.shape));
    plan.parameters.push_back(std::move(planned));
  }
  plan.others = file.others();
  return plan;
}

std::string factorText(double factor) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", factor);
  return text;
}

std::string doneText(const Planned& planned, Tensors::Found none) {
  const ForeignTensor& how = planned.how;
  std::vector<std::string> parts;
  const std::int64_t rows = rowsOf(*planned.ours), cols = colsOf(*planned.ours);
  const std::int64_t all = planned.from->second.size() / std::max<std::int64_t>(1, cols);
  if (how.transposed) parts.emplace_back("transposed");
  if (planned.from->second.paired_rows > 0) parts.emplace_back("neighbours to halves of each head");
  if (how.block > 0)
    parts.push_back("rows " + std::to_string(how.first + 1) + " to " +
                    std::to_string(how.first + how.block) + " of every " +
                    std::to_string(how.every));
  else if (all != rows)
    parts.push_back("rows " + std::to_string(how.first + 1) + " to " +
                    std::to_string(how.first + rows) + " of " + std::to_string(all));
  if (how.factor != 1.0) parts.push_back("times " + factorText(how.factor));
  if (how.plus != 0.0) parts.push_back("plus " + factorText(how.plus));
  if (planned.added != none) parts.push_back("first row of " + planned.added->first + " added");
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

template <class Real>
void requireFinite(const std::vector<Real>& values, std::size_t count, const std::string& name,
                   const std::string& where) {
  if (!std::all_of(values.begin(), values.begin() + std::ptrdiff_t(count),
                   [](Real value) { return std::isfinite(value); }))
    throw Error("tensor " + io::inQuotes(name) + " holds values that are not finite numbers", where,
                "The file is damaged or its training diverged");
}

/// Reads a tensor in order, some rows at a time: visit(first element, elements).
template <class Real, class Visit>
void readParts(Tensors::Found from, std::int64_t first, std::int64_t count, std::int64_t row,
               const std::string& where, const Visit& visit) {
  const std::int64_t most = std::max<std::int64_t>(1, std::int64_t(kPart) / row) * row;
  std::vector<Real> part(std::size_t(std::min(most, count)));
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t here = std::min(most, count - done);
    from->second.read(first + done, std::span(part).first(std::size_t(here)));
    requireFinite(part, std::size_t(here), from->first, where);
    visit(done, std::span<const Real>(part).first(std::size_t(here)));
    done += here;
  }
}

template <class Real>
void fill(const Planned& planned, Real* to, const std::string& where) {
  const std::int64_t rows = rowsOf(*planned.ours), cols = colsOf(*planned.ours);
  const ForeignTensor& how = planned.how;
  const auto changed = [factor = Real(how.factor), plus = Real(how.plus)](Real value) {
    return value * factor + plus;
  };
  if (!how.transposed) {
    const std::int64_t block = how.block > 0 ? how.block : rows;
    for (std::int64_t row = 0; row < rows; row += block)
      readParts<Real>(planned.from, how.rowOf(row) * cols, block * cols, 1, where,
                      [&](std::int64_t at, std::span<const Real> values) {
                        std::ranges::transform(values, to + row * cols + at, changed);
                      });
    return;
  }
  const std::int64_t all = planned.from->second.size() / cols;
  readParts<Real>(
      planned.from, 0, all * cols, all, where, [&](std::int64_t at, std::span<const Real> values) {
        const std::int64_t column = at / all;
        for (std::int64_t c = 0; c < std::ssize(values) / all; ++c)
          for (std::int64_t r = 0; r < rows; ++r)
            to[r * cols + column + c] = changed(values[std::size_t(c * all + how.rowOf(r))]);
      });
}

/// Throws Error unless a copy has the same numbers.
template <class Real>
void requireSame(const Planned& planned, Tensors::Found copy, const std::string& where) {
  const std::int64_t count = planned.from->second.size();
  readParts<Real>(copy, 0, count, 1, where, [&](std::int64_t at, std::span<const Real> values) {
    std::vector<Real> same(values.size());
    planned.from->second.read(at, std::span(same));
    if (!std::ranges::equal(values, same))
      throw Error("tensor " + io::inQuotes(copy->first) + " differs from " +
                      io::inQuotes(planned.from->first),
                  where,
                  "The config.json says that they are one: share_layers or "
                  "tie_word_embeddings");
  });
}

}  // namespace

ForeignTensor foreignTensor(std::span<const ForeignPart> parts, std::string_view layers,
                            const ParameterInfo& p) {
  const auto part = std::ranges::find_if(parts, [&](const ForeignPart& one) {
    return one.kind == p.tag.site.kind && one.part == p.tag.part;
  });
  check(part != parts.end(), "a family has every parameter of its models");
  const std::int64_t layer = p.tag.site.layer;
  const bool weight = p.tag.term == Term::Weight || p.tag.term == Term::Gain;
  ForeignTensor tensor;
  if (layer >= 0) tensor.name = std::string(layers) + std::to_string(layer) + ".";
  tensor.name.append(part->name).append(weight ? ".weight" : ".bias");
  tensor.shape = sizes(p.shape);
  if (part->third >= 0) {
    tensor.first = part->third * tensor.shape.front();
    tensor.shape.front() *= 3;
  }
  tensor.transposed = part->transposed && p.tag.term == Term::Weight;
  if (tensor.transposed) std::swap(tensor.shape.front(), tensor.shape.back());
  return tensor;
}

bool isOfHead(const ParameterInfo& p) {
  const ParameterPart& part = p.tag.part;
  return p.tag.site.kind == BlockKind{} &&
         (part == ParameterPart::Output || part == ParameterPart::Transform ||
          part == ParameterPart::TransformNorm);
}

const std::vector<Family>& families() {
  // Of several that have a model, the first is written: those with fewer parameters before others.
  static const std::vector<Family> all{
      bertFamily(),         distilBertFamily(), robertaFamily(), albertFamily(), funnelFamily(),
      torchEncoderFamily(), gpt2Family(),       qwen2Family(),   llamaFamily(),  mistralFamily(),
      qwen3Family(),        gemmaFamily(),      gptNeoXFamily(), phiFamily(),    optFamily(),
      bartFamily(),         marianFamily(),     t5Family()};
  return all;
}

const Family& familyNamed(std::string_view type) {
  const auto found = std::ranges::find(families(), type, &Family::type);
  check(found != families().end(), "a family of models that are read");
  return *found;
}

ModelConfig foreignConfig(const Family& family, std::string_view json, const std::string& where,
                          const io::StoredTensors& tensors) {
  ModelConfig config = family.config(json, where);
  if (family.masked_head.empty() || !tensors.contains(std::string(family.masked_head)))
    return config;
  config.output = OutputKind::Labels;
  config.output_size = config.source_vocabulary;
  config.tie_output = config.output_transform = config.output_bias = true;
  return config;
}

ModelConfig withoutHead(ModelConfig config) {
  if (config.architecture != Architecture::Encoder) return config;
  config.output = OutputKind::None;
  config.output_size = 0;
  config.tie_output = config.output_transform = false;
  return config;
}

std::vector<MappedTensor> tensorMap(const Family& family, const ModelConfig& config,
                                    std::string_view json, const io::StoredTensors& tensors,
                                    const std::string& where) {
  const Plan plan = planFor(family, config, json, tensors, where);
  std::vector<MappedTensor> map;
  for (const Planned& p : plan.parameters) {
    MappedTensor row{.name = "",
                     .type = "",
                     .shape = {},
                     .done = "zeros",
                     .ours = p.ours->name,
                     .our_shape = sizes(p.ours->shape)};
    if (p.from != plan.none) {
      row.name = p.from->first;
      row.type = p.from->second.type;
      row.shape = p.from->second.shape;
      row.done = doneText(p, plan.none);
    }
    map.push_back(std::move(row));
  }
  for (const std::string& name : plan.others) {
    const io::StoredTensor& tensor = tensors.at(name);
    map.push_back(
        {.name = name, .type = tensor.type, .shape = tensor.shape, .done = "not used", .ours = ""});
  }
  return map;
}

template <class Real>
AlignedVector<Real> foreignParameters(const Family& family, const ModelConfig& config,
                                      std::string_view json, const io::StoredTensors& tensors,
                                      const std::string& where) {
  const Plan plan = planFor(family, config, json, tensors, where);
  AlignedVector<Real> arena(std::size_t(plan.layout.total));
  for (const Planned& p : plan.parameters) {
    if (p.from == plan.none) continue;  // zeros
    Real* const to = arena.data() + p.ours->offset;
    fill(p, to, where);
    for (const Tensors::Found& copy : p.copies) requireSame<Real>(p, copy, where);
    if (p.added == plan.none) continue;
    const std::int64_t cols = p.ours->cols();
    readParts<Real>(p.added, 0, cols, 1, where, [&](std::int64_t at, std::span<const Real> values) {
      for (std::int64_t r = 0; r < p.ours->rows(); ++r)
        for (std::size_t c = 0; c < values.size(); ++c)
          to[r * cols + at + std::int64_t(c)] += values[c];
    });
  }
  return arena;
}

template AlignedVector<float> foreignParameters(const Family&, const ModelConfig&, std::string_view,
                                                const io::StoredTensors&, const std::string&);
template AlignedVector<double> foreignParameters(const Family&, const ModelConfig&,
                                                 std::string_view, const io::StoredTensors&,
                                                 const std::string&);

}  // namespace tfm
