// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/base/error.h"
#include "core/model/submodel.h"
#include "ui/forward.h"
#include "ui/views/elastic/elastic_pictures.h"
#include "ui/views/view.h"

namespace tfm::ui {

/// The Elastic screen: one model that contains several. Widths are chosen on its matrices, and the
/// quality of the submodel is shown at once.
class ElasticView : public View {
  Q_OBJECT

 public:
  using Look = ElasticPictures::Look;
  /// Built-in trained nested models: for a task where width matters, and for one where it hardly
  /// does.
  enum class Example { Facts, Sentiment };

  ElasticView(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  SubmodelExplorer& explorer() { return *explorer_; }
  NestedFrames& frames() { return pictures_->frames(); }
  MatrixWall& space() { return pictures_->space(); }
  WidthSlider& slider() { return pictures_->slider(); }
  WidthBars& bars() { return *bars_; }
  AccuracyScatter& scatter() { return *scatter_; }
  GranularityCurves& curves() { return *curves_; }
  ElasticNumbers& numbers() { return *numbers_; }
  AnswerRows& answers() { return *answers_; }
  DraftRow& draft() { return *draft_; }
  NestingForm& form() { return *form_; }
  MixPanel& mixes() { return *mixes_; }
  TwinsPanel& twins() { return *twins_; }
  const QLabel& numbersLine() const { return *line_; }
  /// The text below the matrices: the hovered or locked cell, else a hint.
  const QLabel& cellWords() const { return pictures_->cellWords(); }
  /// "Train as MatFormer" beside the explanation; hidden if the model already is.
  QPushButton* nestButton() const { return nest_; }
  /// Opens a built-in example.
  QPushButton* exampleButton(Example example) const { return examples_[std::size_t(example)]; }
  void showLook(Look look) { pictures_->showLook(look); }
  QSize minimumSizeHint() const override;
  void showLayer(int layer) { pictures_->showLayer(layer); }
  /// Also measures the mixes once the model just opened is ready.
  void mixOnceReady() { mix_once_ready_ = true; }
  /// Saves the chosen submodel as a document of its own; saved() or failed() follows.
  void extractTo(const QString& path);

 signals:
  /// The submodel of that name was saved as a document.
  void saved(const QString& name, const QString& path);
  /// A requested action failed.
  void failed(const tfm::Error& problem);
  void exampleRequested(tfm::ui::ElasticView::Example example);

 protected:
  /// What the explorer works on.
  Need need() const override { return {.parameters = true, .moments = true}; }
  void shown() override;
  void hidden() override;
  void inspectorShown(bool shown) override;
  QWidget* picture() const override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makePlain();
  QWidget* makePlots();
  void makeSetup();
  void makeInspector();
  void connectAll();
  /// Whether there is too little height for pictures above answers.
  bool isLow() const;
  /// In a low view, puts the answers beside the matrices, in place of a plot.
  void placeAnswers();

  void showModel();
  void showForm();
  void showSentence();
  /// The parameters of the same model changed.
  void showState();
  void showChoice();
  void showScores();
  void showAnswers();
  void showCurves();
  void nest();
  void extract();

  Style& style_;
  ModelDocument& document_;
  SubmodelExplorer* explorer_;
  bool mix_once_ready_ = false;

  Panel* panel_;
  QFrame* plain_;
  QLabel* plain_words_;
  QPushButton* nest_;
  ElasticPictures* pictures_;
  QLabel* line_;  ///< the numbers, if the inspector is hidden
  AccuracyScatter* scatter_;
  GranularityCurves* curves_;
  PlotPair* plots_;
  QBoxLayout* body_;
  AnswerRows* answers_;
  DraftRow* draft_;

  SideZone* setup_;
  NestingForm* form_;
  TwinsPanel* twins_;
  std::array<QPushButton*, 2> examples_{};
  SideZone* inspector_;
  WidthBars* bars_;
  MixPanel* mixes_;
  ElasticNumbers* numbers_;
  QPushButton* extract_;
};

}  // namespace tfm::ui
