// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <initializer_list>
#include <set>
#include <vector>

#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// A side panel: sections one below the other, scrolled if they do not fit.
class SideZone : public QFrame {
  Q_OBJECT

 public:
  /// `least` is the minimum width, in pixels at scale 1.
  explicit SideZone(const Style& style, double least = 220, QWidget* parent = nullptr);

  /// Adds a section at the bottom; takes ownership. `fills`: it takes the height that is left.
  void add(QWidget* section, bool fills = false);
  /// Makes a Section of these parts and adds it.
  Section* addSection(const QString& label, std::initializer_list<QWidget*> parts,
                      const QString& sentence = {});
  /// Lets sections be folded. What does not fit is folded from the bottom up, so that nothing has
  /// to be scrolled: `last` only after all others, and nothing that the user has unfolded. Texts
  /// that become longer fold at most more, so that hovering moves nothing to and fro.
  void setFolds(const Section* last = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void foldLater(bool anew);
  void fold(bool anew);

  const Style& style_;
  const double least_;
  QVBoxLayout* column_;
  QScrollArea* scroll_;
  std::vector<Section*> sections_;
  std::set<const Section*> chosen_;  ///< folded or unfolded by the user
  const Section* last_ = nullptr;    ///< to be folded
  bool folds_ = false;
  bool due_ = false;    ///< fold() is,
  bool again_ = false;  ///< anew
};

}  // namespace tfm::ui
