// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QSpinBox;

namespace tfm::ui {

class Style;

/// How long each run of a study is, and with how many seeds: two named numbers.
class StudySizes : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kMaxSteps = 10'000'000;

  StudySizes(const Style& style, int steps, QWidget* parent = nullptr);

  QSpinBox& steps() { return *steps_; }
  QSpinBox& seeds() { return *seeds_; }

 private:
  QSpinBox *steps_, *seeds_;
};

}  // namespace tfm::ui
