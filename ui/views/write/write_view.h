// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/views/view.h"
#include "ui/views/write/writer.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// What the Write screen shows beside the text, as a value.
struct WriteShown {
  // Of the sliders.
  std::int64_t temperature = 0, top_k = 0, top_p = 0;
  std::int64_t length = 1;  ///< tokens to write
  bool at_once = false;
};
std::vector<io::Field> fieldsOf(WriteShown& shown);

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
  void write() { writer_.write(); }

  /// What it is made of.
  struct Parts {
    PromptField* input;
    QPushButton *write, *one, *stop;
    Segmented* pace;
    QSpinBox* length;
    QLabel* state;  ///< how much is written, and by which weights
    QLabel* problem;
    TokenLine* text;
    QScrollArea* scroll;
    NextToken* next;
    BeamPanel* beams;
  };
  const Parts& parts() const { return parts_; }

  QSize minimumSizeHint() const override;

 protected:
  Need need() const override;
  void shown() override;
  void hidden() override;
  /// If the inspector is hidden, as on a projector, the next token is shown beside the text.
  void inspectorShown(bool shown) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  static Parts makeParts(Style& style, ModelDocument& document, Form form);
  QWidget* makeTools();
  QWidget* makeBody();
  void connectParts();
  void showModel();
  void showSentence();
  /// Draws what changed in the text.
  void render(const Written& before, const Written& now);
  void showText(const Written& text);
  /// Shows what the pointed token was chosen from, or what comes next.
  void showChoice();
  void showState(const Written& text);
  /// Shows the next token beside the text only if there is room for both.
  void showAside();
  void updateSizes();

  Style& style_;
  ModelDocument& document_;
  const Form form_;
  const Parts parts_;
  Writer writer_;
  std::size_t given_ = 0;  ///< items of the text not written by the model
  bool follows_ = true;    ///< keep the end of the growing text visible

  Panel* panel_;
  QWidget* tools_;
  QWidget* aside_;
  Section* next_section_;
  Section* beam_section_;
};

}  // namespace tfm::ui
