// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/guarded_output.h"
#include "app/cli/output.h"
#include "app/cli/unfinished.h"
#include "app/cli/verbs.h"
#include "core/base/error.h"
#include "core/document/imported.h"
#include "core/model/pretrained/pretrained_model.h"
#include "core/tensor/shape.h"

namespace tfm::cli {
namespace {

struct ImportArguments {
  std::string folder, out, map;
  bool json = false, dry_run = false;
};

/// How each tensor of the folder becomes ours.
int showTensorMap(const ImportArguments& o) {
  const std::vector<MappedTensor> map =
      o.map.empty() ? readTensorMap(o.folder) : readTensorMap(o.folder, readModelMap(o.map));
  if (o.json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const MappedTensor& row : map)
      rows.push_back({{"tensor", row.name},
                      {"type", row.type},
                      {"shape", row.shape},
                      {"done", row.done},
                      {"parameter", row.ours},
                      {"parameter_shape", row.our_shape}});
    printJson({{"tensors", std::move(rows)}});
    return kDone;
  }
  std::vector<std::vector<std::string>> rows{
      {"tensor", "type", "shape", "done", "parameter", "shape"}};
  for (const MappedTensor& row : map)
    rows.push_back({row.name, row.type, sizeText(row.shape), row.done, row.ours,
                    row.ours.empty() ? "" : sizeText(row.our_shape)});
  printColumns(rows);
  return kDone;
}

int runImport(const ImportArguments& o) {
  if (o.dry_run) return showTensorMap(o);
  if (o.out.empty())
    throw Error("there is no place to save the model", "--out",
                "Name a file, or give --dry-run to see only how the tensors are read");
  GuardedOutput out(o.out);
  requireReplaceable(out);
  std::vector<std::string> notes;
  const train::Document document =
      o.map.empty() ? train::importedModel(o.folder, &notes) : train::mappedModel(o.folder, o.map);
  out.save(document);
  for (const std::string& note : notes) say("note: " + note);
  const std::int64_t parameters = document.state.layout.total;
  const std::int64_t tokens = document.codec->sourceVocabulary().size();
  const std::int64_t width = document.codec->featureWidth();
  if (o.json) {
    printJson({{"parameters", parameters},
               {"vocabulary", tokens},
               {"feature_width", width},
               {"notes", notes},
               {"file", o.out}});
    return kDone;
  }
  std::cout << "imported    " << document.codec->name() << ", without a task\n"
            << "parameters  " << withCommas(parameters) << '\n'
            << "vocabulary  " << withCommas(tokens) << " tokens"
            << (width > 0 ? ", each a row of " + withCommas(width) + " numbers" : "") << '\n'
            << "saved       " << o.out << '\n';
  return kDone;
}

}  // namespace

Action prepareImport(CLI::App& app) {
  const auto o = std::make_shared<ImportArguments>();
  app.add_option(
         "folder", o->folder,
         "A GGUF file, or the folder of a GPT-2, Llama, Mistral, Qwen2, BERT, BART, T5 or "
         "Funnel: config.json, model.safetensors and the files of its tokenizer; or of an encoder "
         "of PyTorch, see below; with --map a .safetensors or .npz")
      ->type_name("FOLDER")
      ->required();
  app.add_option("--out", o->out, "Where to save the model (.safetensors)")->type_name("FILE");
  app.add_flag("--dry-run", o->dry_run,
               "Show how each tensor becomes a parameter, and save nothing");
  app.add_option("--map", o->map,
                 "How the tensors of the file become a model; see the manual, Models")
      ->type_name("FILE");
  addJsonFlag(app, o->json);
  app.footer(
      "The model has no task: info, probe, expand and export can use it, and write that of a "
      "decoder.\n"
      "To train a classifier on its features: train --encoder FOLDER.\n"
      "tokenizer_config.json and the other files of a tokenizer are read, too; other families and\n"
      "settings that are not read are refused by name. In a text, the name of a special token, "
      "such\n"
      "as [MASK], is that token.\n"
      "\n"
      "An nn.TransformerEncoder or nn.TransformerEncoderLayer of PyTorch: its state_dict() as\n"
      "model.safetensors or model.npz, and a config.json with \"model_type\": "
      "\"TransformerEncoder\",\n"
      "the arguments that it was made with by their names (d_model, nhead, norm_first, ...) and\n"
      "num_layers; \"norm\": true if a norm follows the last layer, and \"norm_eps\", its eps; "
      "\"share_layers\":\n"
      "true if all layers are one object. Its inputs: inputs.npz with the array inputs, or "
      "inputs.csv with the "
      "columns\n"
      "sequence, x1, x2, ...; then probe --input \"r1 r2 r3\" reads its first three rows. Without "
      "them,\n"
      "each letter stands for a row of random numbers.");
  return [o] { return runImport(*o); };
}

}  // namespace tfm::cli
