// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include "core/ask/answering.h"
#include "ui/forward.h"
#include "ui/views/view.h"

namespace tfm::ui {

/// A language model continues a text, token by token or at once; any other model answers during
/// training. Beside it are the candidates for each token or, for answers, the best ones.
class WriteView : public View {
  Q_OBJECT

 public:
  enum class Form {
    Screen,  ///< the Write screen: a text stays until the next one
    Pane,    ///< a part of another screen: the text is written anew as the model learns
  };
  WriteView(Style& style, ModelDocument& document, Form form = Form::Screen,
            QWidget* parent = nullptr);

  /// Continues the question, replacing what was written before.
  void write();
  /// Continues the written text by one token.
  void writeOne();
  void stop();

  PromptField& input() { return *input_; }
  TokenLine& text() { return *text_; }
  NextToken& next() { return *next_; }
  BeamPanel& beams() { return *beams_; }
  Segmented& pace() { return *pace_; }
  QSpinBox& length() { return *length_; }
  QScrollArea& scroll() { return *scroll_; }
  QPushButton& writeButton() { return *write_; }
  QPushButton& oneButton() { return *one_; }
  QPushButton& stopButton() { return *stop_; }
  QLabel& problem() { return *problem_; }
  /// How much is written, and by which weights.
  QLabel& state() { return *state_; }

  QSize minimumSizeHint() const override;

 protected:
  Need need() const override;
  void shown() override;
  /// If the inspector is hidden, as on a projector, the next token is shown beside the text.
  void inspectorShown(bool shown) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// The purpose of the newest question to the model.
  enum class Asked { Nothing, Look, Text, Again };

  QWidget* makeBody();
  QWidget* makeTools();
  void connectAll();
  bool writesText() const;
  void showModel();
  void showSentence();
  void showQuestion();
  void showLiveAnswer();
  /// Asks what would come next if nothing has been written yet.
  void look();
  void lookAgain();
  /// In a pane, writes the text anew if the shown model has changed, but rarely enough to cost
  /// little of the training.
  void writeAgain();
  void modelChanged();
  void ask(Asked asked, std::int64_t tokens);
  void take(const train::AnsweredQuestion& part, bool finished);
  void reveal();
  void end();
  void forgetText();
  void showText();
  void showChoice();
  void showState();
  /// Shows the next token beside the text only if there is room for both.
  void showAside();
  void updateSizes();

  Style& style_;
  ModelDocument& document_;
  const Form form_;
  Answers& answers_;
  train::AnsweredQuestion answer_;  ///< the whole answer; the first shown_ tokens are on screen
  std::size_t shown_ = 0;
  std::size_t known_ = 0;  ///< tokens of the answer when the model was asked
  std::size_t given_ = 0;  ///< items of the text not written by the model
  Asked asked_ = Asked::Nothing;
  bool arriving_ = false;  ///< the model has not finished yet
  std::uint64_t seed_ = 0;
  std::int64_t wanted_ = 0;
  QTimer reveal_, look_again_, write_again_;
  QElapsedTimer since_asked_, since_written_;
  qint64 writing_milliseconds_ = 0;  ///< the last text took
  bool outdated_ = true;             ///< the shown model is not the one that wrote the text

  Panel* panel_;
  PromptField* input_;
  QPushButton *write_, *one_, *stop_;
  Segmented* pace_;
  QSpinBox* length_;
  QLabel* length_name_;
  QLabel* state_;
  QLabel* problem_;
  QWidget* tools_;
  TokenLine* text_;
  QScrollArea* scroll_;
  QWidget* aside_;
  NextToken* next_;
  Section* next_section_;
  BeamPanel* beams_;
  Section* beam_section_;
  bool follows_ = true;  ///< keep the end of the growing text visible
};

}  // namespace tfm::ui
