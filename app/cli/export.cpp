// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/cli/guarded_output.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "app/cli/unfinished.h"
#include "app/cli/verbs.h"
#include "core/base/error.h"
#include "core/document/document.h"
#include "core/document/exported.h"
#include "core/io/gguf.h"
#include "core/io/npz.h"
#include "core/tensor/shape.h"

namespace tfm::cli {
namespace {

struct ExportArguments {
  std::string file, format, out, as;
  bool json = false, dry_run = false;
};

/// An export format.
struct Format {
  const char* name;
  const char* ending;   ///< of FILE without its own, for the default name
  const char* written;  ///< the ending that such files have; null: it is a folder
  int (*run)(const ExportArguments& arguments, const std::string& out);
};

int sayWeights(const ExportArguments& o, const std::string& out, const ParameterLayout& layout) {
  if (o.json)
    printJson({{"tensors", layout.parameters.size()}, {"parameters", layout.total}, {"file", out}});
  else
    std::cout << "saved " << layout.parameters.size() << " tensors, " << withCommas(layout.total)
              << " parameters, as " << out << '\n';
  return kDone;
}

int exportNpz(const ExportArguments& o, const std::string& out) {
  const train::Document document = openSaved(o.file);
  const ModelState& state = document.state;
  io::NamedTensors weights;
  for (const ParameterInfo& p : state.layout.parameters)
    weights[p.name] = io::makeTensor(
        sizes(p.shape),
        std::span(state.parameters).subspan(std::size_t(p.offset), std::size_t(p.size())));
  io::writeNpz(out, weights);
  return sayWeights(o, out, state.layout);
}

int exportAlone(const ExportArguments& o, const std::string& out) {
  const train::Document document = openSaved(o.file);
  GuardedOutput guarded(out);
  requireReplaceable(guarded);
  guarded.save(train::modelAlone(document));
  return sayWeights(o, out, document.state.layout);
}

/// How each parameter becomes a tensor, which files there are, and what they do not hold.
void showExported(const ExportArguments& o, const ForeignFiles& model,
                  const std::vector<std::string>& left_out, const std::string& out,
                  const std::vector<std::string>& files) {
  const Family& family = *model.family;
  if (o.json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const MappedTensor& row : model.map)
      rows.push_back({{"parameter", row.ours},
                      {"parameter_shape", row.our_shape},
                      {"done", row.done},
                      {"tensor", row.name},
                      {"shape", row.shape}});
    printJson({{"family", family.type},
               {"other_families", model.other_families},
               {"tensors", std::move(rows)},
               {"left_out", left_out},
               {"files", files},
               {"out", o.dry_run ? "" : out}});
    return;
  }
  if (o.dry_run) {
    std::vector<std::vector<std::string>> rows{{"parameter", "shape", "done", "tensor", "shape"}};
    for (const MappedTensor& row : model.map)
      rows.push_back({row.ours, sizeText(row.our_shape), row.done, row.name,
                      row.name.empty() ? "" : sizeText(row.shape)});
    printColumns(rows);
    std::cout << '\n';
  }
  std::cout << "family      " << family.type << ", " << family.words;
  for (std::size_t i = 0; i < model.other_families.size(); ++i)
    std::cout << (i == 0 ? "; also with --as: " : ", ") << model.other_families[i];
  std::cout << '\n';
  for (const std::string& sentence : left_out) std::cout << "left out    " << sentence << '\n';
  if (o.dry_run) return;
  std::cout << "saved       " << out << (files.empty() ? "" : ":");
  for (const std::string& file : files) std::cout << ' ' << file;
  std::cout << '\n';
}

int exportHuggingFace(const ExportArguments& o, const std::string& out) {
  const train::Document document = openSaved(o.file);
  const train::ExportedModel model = train::exportedModel(document, o.as);
  std::vector<std::string> files;
  if (!o.dry_run) files = train::writeExported(model, out);
  showExported(o, model.model, model.left_out, out, files);
  return kDone;
}

int exportGguf(const ExportArguments& o, const std::string& out) {
  const train::Document document = openSaved(o.file);
  const train::ExportedGguf gguf = train::exportedGguf(document, o.as);
  if (!o.dry_run) io::writeGguf(out, gguf.files.file);
  showExported(o, gguf.files.model, gguf.left_out, out, {});
  return kDone;
}

constexpr std::array kFormats{
    Format{"npz", ".npz", ".npz", exportNpz},
    Format{"safetensors", ".weights.safetensors", ".safetensors", exportAlone},
    Format{"huggingface", "-huggingface", nullptr, exportHuggingFace},
    Format{"gguf", ".gguf", ".gguf", exportGguf},
};

std::string formatNames() {
  std::string names;
  for (const Format& format : kFormats)
    names += (names.empty() ? "" : ", ") + std::string(format.name);
  return names;
}

const Format& formatNamed(const std::string& name) {
  for (const Format& format : kFormats)
    if (name == format.name) return format;
  throw Error("there is no format '" + name + "'", "--format", "Choose one of " + formatNames());
}

int runExport(const ExportArguments& o) {
  const Format& format = formatNamed(o.format);
  const bool folder = format.written == nullptr;
  const bool ours = format.run == exportNpz || format.run == exportAlone;
  if (ours && (o.dry_run || !o.as.empty()))
    throw Error(std::string(o.dry_run ? "--dry-run" : "--as") + " says nothing about " + o.format,
                "command line", "It belongs to --format huggingface and gguf");
  std::string out = o.out;
  if (out.empty()) {
    std::filesystem::path beside(o.file);
    out = folder ? beside.replace_extension().string() + format.ending
                 : beside.replace_extension(format.ending).string();
  }
  if (!folder) requireOtherFiles({{"FILE", o.file}}, {{"--out", out, {format.written}}});
  return format.run(o, out);
}

}  // namespace

Action prepareExport(CLI::App& app) {
  const auto o = std::make_shared<ExportArguments>();
  addFileArgument(app, o->file);
  app.add_option("--format", o->format, "One of " + formatNames())->type_name("NAME")->required();
  app.add_option("--out", o->out,
                 "Where to save it; default beside FILE, with the extension of the format")
      ->type_name("FILE");
  app.add_option(
         "--as", o->as,
         "huggingface, gguf: the type of the family, such as llama; default the first that has "
         "this model")
      ->type_name("NAME");
  app.add_flag("--dry-run", o->dry_run,
               "huggingface, gguf: show what would become of each parameter, and save nothing");
  addJsonFlag(app, o->json);
  app.footer(
      "npz: the parameters, for NumPy. safetensors: the model alone, as NAME.weights.safetensors:\n"
      "weights, config and tokenizer, without task, texts, measurements and optimizer. It can be\n"
      "used, grown and exported, and trained with train --resume and --task or --data.\n"
      "huggingface: a folder for the transformers library, with config.json, model.safetensors,\n"
      "tokenizer and a model card; import reads it back. gguf: a file for llama.cpp, of the "
      "families\n"
      "llama, qwen2 and gpt2, with weights in F32. A model that no family has is refused, with "
      "what\n"
      "differs.");
  return [o] { return runExport(*o); };
}

}  // namespace tfm::cli
