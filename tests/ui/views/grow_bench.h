// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/ui_test.h"
#include "tests/ui/views/test_document.h"
#include "ui/growth/growth_wall.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/grow/proof_panel.h"

namespace tfm::ui {

/// The untrained rot13 preset on the Grow screen.
class GrowBench {
 protected:
  static constexpr int kPatience = 20000;

  void setUp() {
    style_ = std::make_unique<Style>(*qobject_cast<QApplication*>(qApp));
    style_->setMotion(false);
    document_ = std::make_unique<ModelDocument>(1);
    startRot13(*document_);
    makeView();
  }
  void tearDown() {
    dropView();
    document_.reset();
    style_.reset();
  }
  void makeView() {
    view_ = std::make_unique<GrowView>(*style_, *document_);
    view_->resize(1000, 800);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    QTRY_VERIFY_WITH_TIMEOUT(view_->planner().preview() != nullptr, kPatience);
  }
  void dropView() {
    if (!view_) return;
    view_.reset();
  }

  bool isPlanned() const {
    const auto& preview = view_->planner().preview();
    return preview && !view_->planner().plan().empty() &&
           preview->changes().size() == view_->planner().plan().size();
  }
  void plan(expand::Kind kind) {
    view_->choose(kind);
    QTRY_VERIFY_WITH_TIMEOUT(isPlanned(), kPatience);
  }
  void prove() {
    view_->proof().proveButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(view_->planner().proof() != nullptr, kPatience);
  }
  QString selectedName() const {
    const int selection = view_->wall().selection();
    const auto& matrices = view_->planner().preview()->matrices;
    if (selection < 0 || selection >= int(matrices.size())) return {};
    return QString::fromStdString(matrices[std::size_t(selection)].growth.after.name);
  }
  bool proofSays(const QString& text) const {
    for (const QLabel* label : view_->proof().findChildren<QLabel*>())
      if (label->text().contains(text)) return true;
    return false;
  }

  std::unique_ptr<Style> style_;
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<GrowView> view_;
};

}  // namespace tfm::ui
