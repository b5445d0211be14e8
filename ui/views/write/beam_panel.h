// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// How a model that writes answers chooses among them: greedy decoding, or a beam search, whose
/// answers are listed with their scores. The search runs in the background, again for each question
/// and change of what is in force and, during training, a few times per second; leaving cancels it.
class BeamPanel : public QWidget {
  Q_OBJECT

 public:
  BeamPanel(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  /// Whether the open model writes answers, rather than texts or labels.
  static bool apply(const ModelDocument& document);

  Segmented& choice() { return *choice_; }
  BarList& beams() { return *beams_; }
  QLabel& words() { return *words_; }

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  bool wanted() const;
  void search();
  void searchAgain();
  void take(const FoundBeams& found);
  void clear(const QString& words);

  Style& style_;
  ModelDocument& document_;
  QTimer again_;
  bool searching_ = false;
  Segmented* choice_;
  BarList* beams_;
  QLabel* words_;
};

}  // namespace tfm::ui
