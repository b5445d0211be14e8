// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/export_format.h"

#include <algorithm>
#include <array>

#include "core/document/exported.h"
#include "core/io/gguf.h"
#include "core/io/npz.h"

namespace tfm::train {
namespace {

using Shared = std::shared_ptr<const Document>;
namespace fs = std::filesystem;

/// All parameters as they are.
ExportPlan planAsTheyAre(const Shared& document) {
  ExportPlan plan;
  for (const ParameterInfo& p : document->state.layout.parameters)
    plan.map.push_back({.name = p.name,
                        .type = "F32",
                        .shape = sizes(p.shape),
                        .done = "",
                        .ours = p.name,
                        .our_shape = sizes(p.shape)});
  return plan;
}

ExportPlan planNpz(const Shared& document, std::string_view) {
  ExportPlan plan = planAsTheyAre(document);
  plan.left_out = {"All but the numbers: what they are is in the document alone."};
  plan.write = [document](const fs::path& path) {
    const ModelState& state = document->state;
    io::NamedTensors weights;
    for (const ParameterInfo& p : state.layout.parameters)
      weights[p.name] = io::makeTensor(
          sizes(p.shape),
          std::span(state.parameters)
              .subspan(static_cast<std::size_t>(p.offset), static_cast<std::size_t>(p.size())));
    io::writeNpz(path, weights);
    return std::vector<std::string>();
  };
  return plan;
}

ExportPlan planAlone(const Shared& document, std::string_view) {
  ExportPlan plan = planAsTheyAre(document);
  if (document->task) plan.left_out.emplace_back("The task, its texts and the measurements.");
  if (document->state.optimizer_step > 0)
    plan.left_out.emplace_back("The moments of the optimizer, with which training would go on.");
  plan.write = [document](const fs::path& path) {
    saveDocument(path, modelAlone(*document));
    return std::vector<std::string>();
  };
  return plan;
}

ExportPlan planOf(const ForeignFiles& files, std::vector<std::string> left_out) {
  ExportPlan plan;
  plan.family = std::string(files.family->type) + ", " + std::string(files.family->words);
  plan.other_families = files.other_families;
  plan.map = files.map;
  plan.left_out = std::move(left_out);
  return plan;
}

ExportPlan planHuggingFace(const Shared& document, std::string_view as) {
  const auto model = std::make_shared<const ExportedModel>(exportedModel(*document, as));
  ExportPlan plan = planOf(model->model, model->left_out);
  plan.write = [document, model](const fs::path& path) { return writeExported(*model, path); };
  return plan;
}

ExportPlan planGguf(const Shared& document, std::string_view as) {
  const auto gguf = std::make_shared<const ExportedGguf>(exportedGguf(*document, as));
  ExportPlan plan = planOf(gguf->files.model, gguf->left_out);
  plan.write = [document, gguf](const fs::path& path) {
    io::writeGguf(path, gguf->files.file);
    return std::vector<std::string>();
  };
  return plan;
}

constexpr std::array kFormats{
    ExportFormat{"huggingface", "Folder for transformers",
                 "The transformers library opens it with from_pretrained, and File, Import model.",
                 "", "-huggingface", true, planHuggingFace},
    ExportFormat{"gguf", "GGUF file",
                 "llama.cpp and what is built on it run it: models like Llama, Qwen2 and GPT-2.",
                 ".gguf", ".gguf", true, planGguf},
    ExportFormat{"npz", "NumPy archive", "numpy.load gives each parameter by its name.", ".npz",
                 ".npz", false, planNpz},
    ExportFormat{"safetensors", "The model alone",
                 "This program opens it; the safetensors library gives each parameter by its name.",
                 ".safetensors", ".weights.safetensors", false, planAlone}};

}  // namespace

std::span<const ExportFormat> exportFormats() { return kFormats; }

const ExportFormat* exportFormatNamed(std::string_view name) {
  const auto found = std::ranges::find(kFormats, name, &ExportFormat::name);
  return found == kFormats.end() ? nullptr : &*found;
}

std::string exportFormatNames() {
  std::string names;
  for (const ExportFormat& format : kFormats)
    names += (names.empty() ? "" : ", ") + std::string(format.name);
  return names;
}

}  // namespace tfm::train
