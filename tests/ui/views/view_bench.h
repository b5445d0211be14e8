// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/ui_test.h"
#include "tests/ui/views/test_document.h"

namespace tfm::ui {

/// Whether a label that is not hidden contains a text.
inline bool says(const QWidget& widget, const QString& text) {
  for (const QLabel* label : widget.findChildren<QLabel*>())
    if (!label->isHidden() && label->text().contains(text)) return true;
  return false;
}

/// A visible view of a document, to derive classes of tests from.
template <class Shown>
class ViewBench {
 protected:
  /// `start` begins a run in the empty document.
  template <class Start>
  void setUp(Start start, const QSize& size, bool motion = true) {
    style_ = std::make_unique<Style>(*qApp);
    style_->setMotion(motion);
    document_ = std::make_unique<ModelDocument>(1);
    start(*document_);
    makeView(size);
  }
  void makeView(const QSize& size) {
    view_ = std::make_unique<Shown>(*style_, *document_);
    view_->resize(size);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
  }
  void tearDown() {
    view_.reset();
    document_.reset();
    style_.reset();
  }
  bool inspectorSays(const QString& text) const { return says(*view_->inspector(), text); }

  std::unique_ptr<Style> style_;
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<Shown> view_;
};

}  // namespace tfm::ui
