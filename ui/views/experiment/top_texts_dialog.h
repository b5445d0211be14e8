// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <optional>
#include <string>

#include "core/ask/top_texts.h"
#include "ui/document/forward.h"
#include "ui/document/latest_job.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// The held-out texts that excite a head or a neuron of the shown model most, read in the
/// background. Not modal; closing it cancels. Return or a double click shows a text on all screens.
class TopTextsDialog : public QDialog {
  Q_OBJECT

 public:
  /// `target`: see train::topTexts(). Requires a task.
  TopTextsDialog(const Style& style, ModelDocument& document, const std::string& target,
                 QWidget* parent = nullptr);

  Table& table() { return *table_; }
  bool isBusy() const { return job_.isBusy(); }

 private:
  struct Result {
    std::optional<train::TopTexts> top;
    std::optional<Error> problem;
  };

  void read();
  void showResult(const Result& result);

  ModelDocument& document_;
  std::string target_;
  Panel* panel_;
  Table* table_;
  LatestJob job_{this};
};

}  // namespace tfm::ui
