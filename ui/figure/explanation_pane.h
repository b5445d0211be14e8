// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>
#include <QWidget>
#include <vector>

#include "ui/figure/explanation.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// Marks parts of a view: numbers them as in its explanation, draws a calm outline around each, or
/// crosses them out.
/// An overlay on top of the window that follows the parts and is transparent to the mouse.
class PartMarks : public QWidget {
  Q_OBJECT

 public:
  enum class Form { Numbers, Outlines, Crosses };

  /// Becomes a child of `window`, which contains the parts.
  PartMarks(const Style& style, QWidget& window, const std::vector<ExplainedPart>& parts,
            Form form = Form::Numbers);

  /// The places of the marks; empty for a part that is not visible.
  std::vector<QRect> marks() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  const Style& style_;
  const Form form_;
  std::vector<QPointer<QWidget>> parts_;
  std::vector<QRect> painted_;
};

/// The explanation of one view: its parts, numbered as on the view, the text, and the glossary
/// terms that occur in it or on the view. Esc closes it.
class ExplanationPane : public QFrame {
  Q_OBJECT

 public:
  explicit ExplanationPane(const Style& style, QWidget* parent = nullptr);
  ~ExplanationPane() override;

  void explain(const ExplanationPage& page);
  /// Removes the text and the marks.
  void clear();
  void dismiss();
  bool explains(const QWidget* host) const { return host != nullptr && page_.host == host; }
  QString text() const;

  QSize minimumSizeHint() const override;

 signals:
  void closed();
  /// The link to ExplanationPage::manual was followed.
  void manualRequested(const QString& place);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void write();
  void updateSizes();

  const Style& style_;
  ExplanationPage page_;
  QPointer<PartMarks> marks_;
  QVBoxLayout* column_;
  QLabel* title_;
  QToolButton* close_;
  QTextBrowser* text_;
};

}  // namespace tfm::ui
