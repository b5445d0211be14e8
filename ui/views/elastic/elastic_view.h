// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/forward.h"
#include "ui/elastic/forward.h"
#include "ui/style/forward.h"
#include "ui/views/elastic/elastic_shown.h"
#include "ui/views/forward.h"
#include "ui/views/view.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// The Elastic screen: one model that contains several. Widths are chosen on its matrices, and the
/// quality of the submodel is shown at once.
class ElasticView : public View {
  Q_OBJECT

 public:
  ElasticView(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  SubmodelExplorer& explorer() { return *explorer_; }
  /// What it is made of.
  struct Parts {
    ElasticPictures* pictures;
    QLabel* line;  ///< the numbers, if the inspector is hidden
    AccuracyScatter* scatter;
    GranularityCurves* curves;
    AnswerRows* answers;
    DraftRow* draft;
    QPushButton* nest;     ///< "Train as MatFormer"; hidden if the model already is
    QPushButton* example;  ///< opens a model that is; hidden then, too
    ElasticSetup* setup;
    ElasticInspector* inspector;
  };
  const Parts& parts() const { return parts_; }
  /// What is shown; each part holds its own. What the model does not have is left as it is.
  ElasticShown state() const;
  void setState(const ElasticShown& state);
  QSize minimumSizeHint() const override;
  /// Also measures the mixes once the model just opened is ready.
  void mixOnceReady() { mix_once_ready_ = true; }

 protected:
  /// What the explorer works on.
  Need need() const override { return {.parameters = true, .moments = true}; }
  void shown() override;
  void hidden() override;
  void inspectorShown(bool shown) override;
  QWidget* picture() const override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  static Parts makeParts(Style& style, ModelDocument& document, SubmodelExplorer& explorer);
  QWidget* makePlain();
  QWidget* makePlots();
  QWidget* makeBody();
  void connectAll();
  /// In a low view, puts the answers beside the matrices, in place of a plot.
  void placeAnswers();

  void showModel();
  void showSentence();
  /// The parameters of the same model changed.
  void showState();
  void showChoice();
  void showScores();
  void showCurves();

  Style& style_;
  ModelDocument& document_;
  SubmodelExplorer* explorer_;
  const Parts parts_;
  std::optional<ElasticShown> wanted_;  ///< to be restored as soon as there is a model
  bool mix_once_ready_ = false;

  Panel* panel_;
  QFrame* plain_;
  QLabel* plain_words_;
  PlotPair* plots_;
  QBoxLayout* body_;
};

}  // namespace tfm::ui
