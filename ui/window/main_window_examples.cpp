// SPDX-License-Identifier: GPL-3.0-or-later
// The built-in trained models.
#include "ui/document/demonstration.h"
#include "ui/document/model_document.h"
#include "ui/views/elastic/elastic_view.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"

namespace tfm::ui {

void MainWindow::openElasticExample(bool facts) {
  attempt([&] {
    document_.adopt(demonstration(facts ? Demonstration::Facts : Demonstration::Sentiment));
    if (facts)
      document_.observing().setQuestion(
          "kim gave noah");  // a fact that only the whole model remembers
    demonstrating_ = true;
    elastic_->mixOnceReady();
    say({MessageKind::Good,
         facts ? tr("This network remembers who gave whom what.")
               : tr("This network tells praise from blame."),
         {},
         tr("Press Space to reset it and train it again."),
         tr("Back to rot13"),
         [this] {
           if (!maybeSave()) return;
           showScreen(kAttention);
           openDemonstration();
         }});
  });
}

}  // namespace tfm::ui
