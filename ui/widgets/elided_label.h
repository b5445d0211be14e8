// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QStringList>
#include <vector>

namespace tfm::ui {

/// A plain text label with a maximum number of lines. A longer text is elided and shown in full in
/// the tooltip. The minimum size does not depend on the text.
class ElidedLabel : public QLabel {
  Q_OBJECT

 public:
  /// `role` as for wrappedLabel().
  ElidedLabel(const char* role, int most_lines, QWidget* parent = nullptr);

  /// Underlines the characters at these places of the text.
  void setMarks(std::vector<int> places, const QColor& colour);

  /// Whether the text is elided.
  bool isElided() const { return linesOf(contentsRect().width()).cut; }

  QSize sizeHint() const override { return minimumSizeHint(); }
  QSize minimumSizeHint() const override;
  int heightForWidth(int width) const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Lines {
    QStringList texts;
    std::vector<int> begins;  ///< of each in the text
    bool cut = false;
  };
  Lines linesOf(int width) const;

  const int most_lines_;
  std::vector<int> marks_;
  QColor mark_;
};

}  // namespace tfm::ui
