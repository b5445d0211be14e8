// SPDX-License-Identifier: GPL-3.0-or-later
// The documents that the program grew out of: their numbers, and the model of one of them.
#include <QPushButton>

#include "tests/tour/tour.h"
#include "ui/document/model_document.h"
#include "ui/study/claim_table.h"
#include "ui/study/sources_dialog.h"
#include "ui/window/main_window.h"

namespace tfm::ui {

void Tour::openSources() {
  SourcesDialog& sources = window_.sources();
  sources.show();
  for (int i = 0; i < int(reproduce::sources().size()); ++i) {
    sources.choose(i);
    const auto is_computed = [&] {
      for (const reproduce::Checked& one : sources.claims().claims())
        if (one.claim.ours && !one.ours) return false;
      return !sources.study().isRunning();
    };
    const QString name = QString::fromStdString(std::string(sources.source().name));
    await("the numbers of " + name + " are computed", is_computed);
    for (const reproduce::Checked& one : sources.claims().claims())
      check(!one.ours || one.pass, QString::fromStdString(one.claim.text));
    picture("source-" + name, sources);
  }
  exportAll("claims", sources.claims());
  for (int i = 0; i < 2; ++i) {  // those whose models read features
    sources.choose(i);
    sources.openButton().click();
    const reproduce::Source& source = sources.source();
    const auto is_seen = [&] {
      const auto& seen = document_.observing().snapshot();
      return seen && !seen->observed.empty() && document_.codec().featureWidth() > 0 &&
             document_.moments().model() == reproduce::recipeOf(source).state.config;
    };
    await("a model of features is seen inside", is_seen);
    sources.close();
    picture("attention-" + QString::fromStdString(std::string(source.name)));
  }
}

}  // namespace tfm::ui
