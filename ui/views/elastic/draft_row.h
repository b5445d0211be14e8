// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <optional>

#include "ui/document/elastic_answers.h"
#include "ui/document/forward.h"
#include "ui/document/latest_job.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// Speculative decoding of the question on screen: the smallest granularity proposes tokens, the
/// whole model checks them. Shows how many it accepted and the time, compared with the whole model
/// alone. Hidden for models that do not write text.
class DraftRow : public QFrame {
  Q_OBJECT

 public:
  DraftRow(const Style& style, SubmodelExplorer& explorer, const ModelDocument& document,
           QWidget* parent = nullptr);

  QPushButton& startButton() { return *start_; }
  const QLabel& words() const { return *words_; }
  /// The last run; none while one is in progress and for another question or model.
  const std::optional<ElasticDraft>& draft() const { return draft_; }

 private:
  void start();
  void showModel();
  void showWords();
  /// The current question for the smallest granularity and the whole model.
  ElasticQuestion question() const;

  SubmodelExplorer& explorer_;
  const ModelDocument& document_;
  QPushButton* start_;
  QLabel* words_;
  std::optional<ElasticDraft> draft_;
  LatestJob job_{this};
};

}  // namespace tfm::ui
