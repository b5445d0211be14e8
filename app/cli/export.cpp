// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/guarded_output.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "app/cli/unfinished.h"
#include "app/cli/verbs.h"
#include "core/base/error.h"
#include "core/document/document.h"
#include "core/io/npz.h"

namespace tfm::cli {
namespace {

struct ExportArguments {
  std::string file, format, out;
  bool json = false;
};

/// An export format for weights.
struct Format {
  const char* name;
  const char* ending;   ///< of FILE without its own, for the default name
  const char* written;  ///< the ending that such files have
  void (*write)(const std::filesystem::path& path, const train::Document& document);
};

void writeNpz(const std::filesystem::path& path, const train::Document& document) {
  const ModelState& state = document.state;
  io::NamedTensors weights;
  for (const ParameterInfo& p : state.layout.parameters)
    weights[p.name] = io::makeTensor(
        sizes(p.shape),
        std::span(state.parameters).subspan(std::size_t(p.offset), std::size_t(p.size())));
  io::writeNpz(path, weights);
}

void writeAlone(const std::filesystem::path& path, const train::Document& document) {
  GuardedOutput out(path);
  requireReplaceable(out);
  out.save(train::modelAlone(document));
}

constexpr std::array kFormats{
    Format{"npz", ".npz", ".npz", writeNpz},
    Format{"safetensors", ".weights.safetensors", ".safetensors", writeAlone},
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
  const std::string out =
      o.out.empty() ? std::filesystem::path(o.file).replace_extension(format.ending).string()
                    : o.out;
  requireOtherFiles({{"FILE", o.file}}, {{"--out", out, {format.written}}});
  const train::Document document = openSaved(o.file);
  format.write(out, document);
  const ParameterLayout& layout = document.state.layout;
  if (o.json)
    printJson({{"tensors", layout.parameters.size()}, {"parameters", layout.total}, {"file", out}});
  else
    std::cout << "saved " << layout.parameters.size() << " tensors, " << withCommas(layout.total)
              << " parameters, as " << out << '\n';
  return kDone;
}

}  // namespace

Action prepareExport(CLI::App& app) {
  const auto o = std::make_shared<ExportArguments>();
  addFileArgument(app, o->file);
  app.add_option("--format", o->format, "One of " + formatNames())->type_name("NAME")->required();
  app.add_option("--out", o->out,
                 "Where to save the weights; default beside FILE, with the extension of the format")
      ->type_name("FILE");
  addJsonFlag(app, o->json);
  app.footer(
      "npz: the parameters, for NumPy. safetensors: the model alone, as NAME.weights.safetensors:\n"
      "weights, config and tokenizer, without task, texts, measurements and optimizer. It can be\n"
      "used, grown and exported, and trained with train --resume and --task or --data.");
  return [o] { return runExport(*o); };
}

}  // namespace tfm::cli
