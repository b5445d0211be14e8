// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/guarded_output.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "app/cli/unfinished.h"
#include "app/cli/verbs.h"
#include "core/base/error.h"
#include "core/document/export_format.h"
#include "core/tensor/shape.h"

namespace tfm::cli {
namespace {

struct ExportArguments {
  std::string file, format, out, as;
  bool json = false, dry_run = false;
};

/// How each parameter becomes a tensor, which files there are, and what they do not hold.
void showExported(const ExportArguments& o, const train::ExportPlan& plan, const std::string& out,
                  const std::vector<std::string>& files, std::int64_t parameters) {
  if (o.json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const MappedTensor& row : plan.map)
      rows.push_back({{"parameter", row.ours},
                      {"parameter_shape", row.our_shape},
                      {"done", row.done},
                      {"tensor", row.name},
                      {"shape", row.shape}});
    printJson({{"parameters", parameters},
               {"tensors", plan.map.size()},
               {"map", std::move(rows)},
               {"family", plan.family.substr(0, plan.family.find(','))},
               {"other_families", plan.other_families},
               {"left_out", plan.left_out},
               {"file", o.dry_run ? "" : out},
               {"files", files}});
    return;
  }
  if (o.dry_run) {
    std::vector<std::vector<std::string>> rows{{"parameter", "shape", "done", "tensor", "shape"}};
    for (const MappedTensor& row : plan.map)
      rows.push_back({row.ours, sizeText(row.our_shape), row.done, row.name,
                      row.name.empty() ? "" : sizeText(row.shape)});
    printColumns(rows);
    std::cout << '\n';
  }
  if (!o.dry_run) {
    std::cout << "saved       " << out << ", " << withCommas(parameters) << " parameters";
    for (std::size_t i = 0; i < files.size(); ++i) std::cout << (i == 0 ? ": " : ", ") << files[i];
    std::cout << '\n';
  }
  if (!plan.family.empty()) std::cout << "family      " << plan.family;
  for (std::size_t i = 0; i < plan.other_families.size(); ++i)
    std::cout << (i == 0 ? "; also with --as: " : ", ") << plan.other_families[i];
  if (!plan.family.empty()) std::cout << '\n';
  for (const std::string& sentence : plan.left_out) std::cout << "left out    " << sentence << '\n';
}

int runExport(const ExportArguments& o) {
  const train::ExportFormat* const found = train::exportFormatNamed(o.format);
  if (found == nullptr)
    throw Error("there is no format '" + o.format + "'", "--format",
                "Choose one of " + train::exportFormatNames());
  const train::ExportFormat& format = *found;
  if (!format.of_families && !o.as.empty())
    throw Error("--as says nothing about " + o.format, "command line",
                "It belongs to --format huggingface and gguf");
  std::string out = o.out;
  if (out.empty())
    out = std::filesystem::path(o.file).replace_extension().string() + std::string(format.beside);
  const std::string ending(format.ending);
  if (!ending.empty()) requireOtherFiles({{"FILE", o.file}}, {{"--out", out, {ending.c_str()}}});
  std::optional<GuardedOutput> guard;
  if (ending == ".safetensors" && !o.dry_run) {
    guard.emplace(out);
    requireReplaceable(*guard);
  }
  const auto document = std::make_shared<const train::Document>(openSaved(o.file));
  const train::ExportPlan plan = format.plan(document, o.as);
  std::vector<std::string> files;
  if (guard)
    guard->save(train::modelAlone(*document));  // not over what another program wrote meanwhile
  else if (!o.dry_run)
    files = plan.write(out);
  showExported(o, plan, out, files, document->state.layout.total);
  return kDone;
}

}  // namespace

Action prepareExport(CLI::App& app) {
  const auto o = std::make_shared<ExportArguments>();
  addFileArgument(app, o->file);
  app.add_option("--format", o->format, "One of " + train::exportFormatNames())
      ->type_name("NAME")
      ->required();
  app.add_option("--out", o->out,
                 "Where to save it; default beside FILE, with the extension of the format")
      ->type_name("FILE");
  app.add_option("--as", o->as,
                 "huggingface, gguf: the type of the family, such as llama; default the first that "
                 "has this model")
      ->type_name("NAME");
  app.add_flag("--dry-run", o->dry_run,
               "Show what would become of each parameter, and save nothing");
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
