// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <optional>

#include "core/train/train_config.h"
#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/views/view.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// What the Train screen shows, as a value.
struct TrainShown {
  bool logarithmic = false;
  std::int64_t smoothing = 0;  ///< in percent
};
std::vector<io::Field> fieldsOf(TrainShown& shown);

/// The Train screen: loss and accuracy over all steps, and answers to held-out questions.
class TrainView : public View {
  Q_OBJECT

 public:
  TrainView(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  /// With little height the curves shrink and the answers are beside them if there is room; two
  /// answers are always visible.
  QSize minimumSizeHint() const override;
  LearningCurves& curves() { return *curves_; }
  SampleStream& stream() { return *stream_; }
  /// Shows `pane` instead of the answers of a model that writes texts; takes ownership.
  void setTextPane(QWidget* pane);

 protected:
  Need need() const override;
  void inspectorShown(bool) override { updateNeed(); }
  void resizeEvent(QResizeEvent* event) override;

 private:
  Panel* makeSamples();
  void explain();
  bool showsText() const;
  void showPane();
  void showModel();
  void showSamples();
  /// The answer to one of the document's samples in the newest snapshot, if there is one.
  std::optional<SampleLine> answerTo(std::size_t index) const;
  void addSample(std::size_t index);
  /// Updates which moment is shown.
  void showMoment();
  void showSentences();
  void flagChange();
  void updateSizes();
  void arrange();

  Style& style_;
  ModelDocument& document_;
  SampleStream* stream_;
  TrainInspector* inspector_;
  LearningCurves* curves_;
  Panel* samples_;
  QWidget* text_pane_ = nullptr;
  QBoxLayout* panels_;
  train::TrainConfig training_;
  QElapsedTimer since_sample_;
  std::size_t next_sample_ = 0;
};

}  // namespace tfm::ui
