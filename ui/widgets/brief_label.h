// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QStringList>

namespace tfm::ui {

/// A plain text of a few lines at most. What does not fit ends in an ellipsis, and the tooltip has
/// the whole. The least width does not depend on the text, and no height on more than those lines.
class BriefLabel : public QLabel {
  Q_OBJECT

 public:
  /// `role` as for wrappedLabel().
  BriefLabel(const char* role, int most_lines, QWidget* parent = nullptr);

  /// Whether the text has more lines than are shown.
  bool isCut() const { return linesOf(contentsRect().width()).cut; }

  QSize sizeHint() const override { return minimumSizeHint(); }
  QSize minimumSizeHint() const override;
  int heightForWidth(int width) const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Lines {
    QStringList texts;
    bool cut = false;
  };
  Lines linesOf(int width) const;

  const int most_lines_;
};

}  // namespace tfm::ui
