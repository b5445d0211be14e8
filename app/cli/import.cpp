// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/guarded_output.h"
#include "app/cli/output.h"
#include "app/cli/unfinished.h"
#include "app/cli/verbs.h"
#include "core/document/imported.h"

namespace tfm::cli {
namespace {

struct ImportArguments {
  std::string folder, out;
  bool json = false;
};

int runImport(const ImportArguments& o) {
  GuardedOutput out(o.out);
  requireReplaceable(out);
  std::vector<std::string> notes;
  const train::Document document = train::importedEncoder(o.folder, &notes);
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
  app.add_option("folder", o->folder,
                 "The folder of a BERT or Funnel: config.json, model.safetensors, vocab.txt or "
                 "tokenizer.json; or of an encoder of PyTorch, see below")
      ->type_name("FOLDER")
      ->required();
  app.add_option("--out", o->out, "Where to save the model (.safetensors)")
      ->type_name("FILE")
      ->required();
  addJsonFlag(app, o->json);
  app.footer(
      "The model has no task and gives no answers: info, probe, expand and export can use it.\n"
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
