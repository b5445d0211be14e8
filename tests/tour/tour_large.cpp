// SPDX-License-Identifier: GPL-3.0-or-later
// A model of GPT-2 small's shape: clicks are answered at once there, too.
#include <QElapsedTimer>
#include <QListWidget>
#include <algorithm>

#include "core/io/utf8.h"
#include "core/model/model_state.h"
#include "tests/tour/robot.h"
#include "tests/tour/tour.h"
#include "ui/document/model_document.h"
#include "ui/figure/figure.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/flow/flow_view.h"
#include "ui/window/main_window.h"

namespace tfm::ui {
namespace {

constexpr std::int64_t kTokens = 50'257, kPositions = 1024;

/// Radford et al. 2019, the smallest one; random weights, and characters as tokens.
train::Document gpt2Small() {
  ModelConfig c;
  c.architecture = Architecture::Decoder;
  c.output = OutputKind::Vocabulary;
  c.target_vocabulary = kTokens;
  c.target_length = kPositions;
  c.hidden = 768;
  c.positions = Positions::Learned;
  c.activation = Activation::GeluTanh;
  c.tie_output = true;
  c.output_bias = false;
  c.initializer = InitialValues::Normal;
  setUniform(c, 0, 12, {12, 64, 64, 3072, 1e-5});
  std::vector<std::string> characters;
  for (char32_t code = U' '; std::ssize(characters) < kTokens; ++code)
    if (code < 0xD800 || code > 0xDFFF)  // surrogates are no characters
      characters.push_back(io::encodeUtf8(std::u32string(1, code)));
  const data::Vocabulary vocabulary(std::move(characters), {});
  train::Document document;
  document.codec = std::make_shared<const data::TextCodec>(
      "gpt2-small's shape", data::TaskForm::Text, vocabulary, vocabulary,
      data::TaskLengths{.source = kPositions, .target = kPositions, .input = kPositions});
  document.state = initialState(c, 1);
  return document;
}

/// The pictures that are shown.
std::vector<QWidget*> figuresOf(QWidget& window) {
  std::vector<QWidget*> figures;
  for (QWidget* widget : window.findChildren<QWidget*>())
    if (widget->isVisible() && dynamic_cast<Figure*>(widget) != nullptr) figures.push_back(widget);
  return figures;
}

}  // namespace

void Tour::measureClicksOn(const QString& screen) {
  double slowest = 0.0;
  constexpr int kAcross = 4, kDown = 3;
  for (QWidget* figure : figuresOf(window_)) {
    const auto* area = qobject_cast<QAbstractScrollArea*>(figure);
    QWidget& target = area != nullptr ? *area->viewport() : *figure;
    for (int i = 0; i < kAcross * kDown; ++i) {
      const QPointF place((i % kAcross + 0.5) / kAcross * target.width(),
                          (i / kAcross + 0.5) / kDown * target.height());
      const double took = Robot::click(target, place);
      if (took > slowest) {
        slowest = took;
        measure(screen + "_slowest_" + figure->metaObject()->className(), took);
      }
      Robot::wait(0.05);
    }
  }
  measure(screen + "_slowest_click_milliseconds", slowest);
}

void Tour::openLarge() {
  QElapsedTimer clock;
  clock.start();
  document_.adopt(gpt2Small());
  measure("large_open_milliseconds", double(clock.nsecsElapsed()) / 1e6);
  QString text;
  while (text.size() < kPositions - 1) text += "the picture shows a model of twelve layers ";
  text.truncate(kPositions - 1);
  clock.restart();
  document_.observing().setQuestion(text);
  measure("large_question_milliseconds", double(clock.nsecsElapsed()) / 1e6);
  clock.restart();
  window_.showScreen(kAttention);
  measure("large_attention_show_milliseconds", double(clock.nsecsElapsed()) / 1e6);
  await("a large model's attention is seen", [&] {
    return window_.attention().lock({0, 3, 5}, Cell{700, 200});
  });
  measure("large_attention_milliseconds", double(clock.nsecsElapsed()) / 1e6);
  picture("large-attention");
  measureClicksOn("large_attention");
  picture("large-attention-clicked");
  clock.restart();
  window_.showScreen(kMatrices);
  measure("large_matrices_milliseconds", double(clock.nsecsElapsed()) / 1e6);
  picture("large-matrices");
  measureClicksOn("large_matrices");
  clock.restart();
  document_.observing().setQuestion(text.left(32));
  window_.showScreen(kFlow);
  await("a large model's flow is seen", [&] { return window_.flow().isReady(); });
  measure("large_flow_milliseconds", double(clock.nsecsElapsed()) / 1e6);
  picture("large-flow");
  measureClicksOn("large_flow");
  picture("large-flow-clicked");
}

}  // namespace tfm::ui
