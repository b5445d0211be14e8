// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/data/vocabulary.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// One choice of a token.
struct TokenChoice {
  std::shared_ptr<const std::vector<float>> logits;  ///< null: no longer known
  std::optional<std::int32_t> written;               ///< what was chosen
};

/// The most probable tokens of one choice as bars, and the sliders for sampling. The bars follow
/// the sliders without running the model again.
class NextToken : public QWidget {
  Q_OBJECT

 public:
  explicit NextToken(Style& style, QWidget* parent = nullptr);

  /// `vocabulary` has the names of the logits.
  void showChoice(const QString& title, const TokenChoice& choice,
                  const data::Vocabulary& vocabulary);
  void clear(const QString& title);
  /// Whether tokens are drawn; else the most probable one is taken, and there are no sliders.
  void setDrawn(bool drawn);
  /// Shows only as many bars as fit, without requesting height for all.
  void setCompact(bool compact);

  SamplingSliders& sliders() { return *sliders_; }
  BarList& bars() { return *bars_; }
  /// How many tokens may be drawn.
  QLabel& count() { return *count_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  std::size_t mostBars() const;
  void rank();
  void refresh();
  void updateSizes();

  Style& style_;
  bool compact_ = false;
  bool drawn_ = true;
  TokenChoice choice_;
  data::Vocabulary vocabulary_;
  QStringList names_;             ///< of the bars
  std::vector<std::size_t> ids_;  ///< of the bars, most probable first
  QLabel* title_;
  BarList* bars_;
  QLabel* count_;
  SamplingSliders* sliders_;
};

}  // namespace tfm::ui
