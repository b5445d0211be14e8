// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/model/sampling.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// How the next token is chosen, as three sliders: temperature, top-k, top-p. changed() is emitted
/// while they move.
class SamplingSliders : public QWidget {
  Q_OBJECT

 public:
  explicit SamplingSliders(const Style& style, QWidget* parent = nullptr);

  /// The temperature, top_k and top_p of the sliders; the rest is default.
  SamplingOptions options() const;
  /// The options as a formula: "softmax(logits / 0.80), top-k 40".
  QString formula() const;

  QSlider& temperature() { return *temperature_; }
  QSlider& topK() { return *top_k_; }
  QSlider& topP() { return *top_p_; }

 signals:
  void changed();

 private:
  QSlider* addSlider(const QString& name, const QString& hint, int most, int value,
                     QLabel*& number);
  void showNumbers();

  const Style& style_;
  QGridLayout* grid_;
  QLabel *temperature_number_, *top_k_number_, *top_p_number_;
  QSlider *temperature_, *top_k_, *top_p_;
};

}  // namespace tfm::ui
