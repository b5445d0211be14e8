// SPDX-License-Identifier: GPL-3.0-or-later
// The panel below the matrices: answers, long texts, invalid sizes, and inexact growths.
#include <QComboBox>
#include <QLineEdit>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <future>
#include <vector>

#include "tests/core/expand/growth_to.h"
#include "tests/ui/ui_test.h"
#include "tests/ui/views/grow_bench.h"
#include "tests/ui/widgets/on_paper.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/grow/growth_chain.h"
#include "ui/views/grow/growth_form.h"
#include "ui/views/grow/proof_panel.h"
#include "ui/widgets/field_form.h"

using namespace tfm;
using namespace tfm::ui;
using expand::Kind;
using tfm::test::growthTo;

namespace {

/// Puts this into a number's field as if it were typed.
void type(QWidget* editor, const QString& text) {
  auto* line = qobject_cast<QLineEdit*>(editor);
  line->setText(text);
  emit line->textEdited(text);
}

expand::Growth brokenKeys(std::int64_t size) {
  expand::Growth growth = growthTo(Kind::KeySize, size);
  growth.broken = expand::Break::NoKeyRescale;
  return growth;
}

}  // namespace

class TestProofPanel : public QObject, private GrowBench {
  Q_OBJECT

 private:
  void set(const expand::Plan& plan) {
    view_->parts().planner->setPlan(plan);
    QTRY_VERIFY_WITH_TIMEOUT(view_->parts().planner->isCurrent(), kPatience);
  }
  void apply() {
    view_->parts().proof->applyButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(
        view_->parts().planner->plan().empty() && view_->parts().planner->preview(), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(labelWith("Grown"), kPatience);
  }
  QWidget* sizeField() const {
    return view_->inspector()->findChild<GrowthForm*>()->findChild<FieldForm*>()->editor("size");
  }
  /// Whether the buttons that prove, schedule and apply are all enabled, or all not.
  bool buttonsAre(bool enabled) const {
    const auto buttons = view_->parts().proof->findChildren<QPushButton*>();
    return std::ranges::all_of(std::array{"Prove", "Later…", "Apply"}, [&](const char* name) {
      return std::ranges::any_of(buttons, [&](const QPushButton* button) {
        return button->text() == name && button->isEnabled() == enabled;
      });
    });
  }
  bool lampIs(const QColor& colour) const {
    for (const QLabel* label : view_->parts().proof->findChildren<QLabel*>())
      if (!label->pixmap(Qt::ReturnByValue).isNull())
        return pixelsOf(label->pixmap(Qt::ReturnByValue).toImage(), colour) > 0;
    return false;
  }
  QLabel* labelWith(const QString& text) const {
    for (QLabel* label : view_->parts().proof->findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(text)) return label;
    return nullptr;
  }

 private slots:
  void init() { setUp(); }
  void cleanup() { tearDown(); }

  /// Whatever is shown above them, the buttons do not move.
  void buttonsStayWhereTheyAre() {
    plan(Kind::KeySize);
    const auto places = [&] {
      QCoreApplication::processEvents();  // layouts
      std::vector<QPoint> corners;
      for (const QWidget* button : {static_cast<QWidget*>(view_->parts().proof->breakButton()),
                                    static_cast<QWidget*>(view_->parts().proof->proveButton()),
                                    static_cast<QWidget*>(view_->parts().proof->applyButton())})
        corners.push_back(button->mapTo(view_.get(), QPoint(button->width(), button->height())));
      return corners;
    };
    const std::vector<QPoint> planned = places();
    const QSize picture = view_->parts().pictures->size();
    prove();
    QCOMPARE(places(), planned);
    QVERIFY2(view_->parts().pictures->width() == picture.width() &&
                 view_->parts().pictures->height() > picture.height() - 40,
             "the proof is beside the matrices, not over them");
    view_->parts().proof->setProblem(QString("a long sentence about a size ").repeated(30));
    view_->parts().proof->showState(*view_->parts().planner);
    QCOMPARE(places(), planned);
    view_->parts().proof->setProblem({});
    view_->parts().proof->showState(*view_->parts().planner);
    view_->showLook(GrowView::Look::One);
    QCOMPARE(places(), planned);
    apply();
    QCOMPARE(places(), planned);
  }

  void longWorkCanBeCancelled_data() {
    QTest::addColumn<bool>("by_key");
    QTest::newRow("by its button") << false;
    QTest::newRow("by Escape") << true;
  }
  void longWorkCanBeCancelled() {
    QFETCH(bool, by_key);
    plan(Kind::Heads);
    prove();
    QPushButton* cancel = view_->parts().proof->cancelButton();
    QVERIFY(!cancel->isVisible());
    QSignalSpy failed(view_.get(), &GrowView::failed);
    // Training is busy with something else until the growth is cancelled.
    std::promise<void> over;
    document_->changes().apply("Nothing", [&](const ModelState& state) {
      over.get_future().wait();
      return state;
    });
    view_->parts().proof->applyButton()->click();
    QVERIFY(buttonsAre(false));
    QTRY_VERIFY_WITH_TIMEOUT(cancel->isVisible(), kPatience);
    QVERIFY(labelWith("Growing …"));
    if (by_key)
      QTest::keyClick(view_.get(), Qt::Key_Escape);
    else
      cancel->click();
    over.set_value();
    QTRY_VERIFY_WITH_TIMEOUT(!view_->parts().planner->isApplying(), kPatience);
    QVERIFY(!cancel->isVisible() && buttonsAre(true));
    QVERIFY(view_->parts().planner->preview()->grown && !view_->parts().planner->plan().empty());
    QVERIFY(failed.isEmpty());  // the user knows
  }

  void answersAreOnOneLineWithoutMarkup() {
    view_.reset();
    data::TaskConfig text = data::defaultTaskConfig("text");
    for (int i = 0; i < 60; ++i) text.text += "<b>a & b</b>\nto be\n";
    document_->start(presetNamed("characters").config(), text, {});
    makeView();
    plan(Kind::Heads);
    prove();
    QVERIFY(view_->parts().planner->proof()->answers_before.front().question.find('\n') !=
            std::string::npos);
    const QLabel* answers = nullptr;
    for (const QLabel* label : view_->parts().inspector->proof().findChildren<QLabel*>())
      if (label->text().contains("<span")) answers = label;
    QVERIFY(answers != nullptr);
    QCOMPARE(answers->textFormat(), Qt::RichText);
    QVERIFY2(answers->text().contains("&lt;b&gt;") && !answers->text().contains("<b>"),
             qPrintable(answers->text()));
    QVERIFY(answers->text().contains(QChar(0x21b5)) && !answers->text().contains('\n'));
  }

  void noTextWidensThePanel_data() {
    QTest::addColumn<double>("scale");
    QTest::newRow("planner") << 1.0;
    QTest::newRow("projector") << 1.6;
  }
  void noTextWidensThePanel() {
    QFETCH(double, scale);
    style_->setScale(scale);
    QCoreApplication::processEvents();
    ProofPanel& panel = *view_->parts().proof;
    const int width = panel.minimumSizeHint().width();
    const int view = view_->minimumSizeHint().width();
    const auto say = [&](const QString& problem) {
      panel.setProblem(problem);
      panel.showState(*view_->parts().planner);
      QVERIFY(labelWith(problem) != nullptr);
      QCoreApplication::processEvents();  // layouts forget what they knew
      QCOMPARE(panel.minimumSizeHint().width(), width);
      QCOMPARE(view_->minimumSizeHint().width(), view);
    };
    say(QString("no method is exact for this model; ").repeated(10));
    const int high = panel.heightForWidth(width);
    say(QString("no method is exact for this model; ").repeated(100));
    QCOMPARE(panel.heightForWidth(width), high);
    say(QString(500, 'm'));
    say("short");
    QVERIFY(panel.heightForWidth(width) < high);
    view_->parts().planner->setPlan({growthTo(Kind::Hidden, 11)});  // refused, with a hint
    QTRY_VERIFY_WITH_TIMEOUT(view_->parts().planner->problem(), kPatience);
    panel.setProblem({});
    panel.showState(*view_->parts().planner);
    QVERIFY(labelWith("exact") != nullptr);
    QCoreApplication::processEvents();
    QCOMPARE(panel.minimumSizeHint().width(), width);
  }

  void anInvalidSizeIsNeitherProvedNorApplied_data() {
    QTest::addColumn<QString>("typed");
    for (const char* typed : {"99999999999", "-3", "0", "abc"})
      QTest::newRow(typed) << QString(typed);
  }
  void anInvalidSizeIsNeitherProvedNorApplied() {
    QFETCH(QString, typed);
    plan(Kind::FeedForward);
    prove();
    QVERIFY(buttonsAre(true) && labelWith("Nothing changed"));
    QVERIFY(!view_->parts().inspector->proof().isHidden());
    const expand::Plan allowed = view_->parts().planner->plan();
    const QString size = QString::number(allowed.front().size);
    type(sizeField(), typed);
    QVERIFY(buttonsAre(false));
    QVERIFY2(labelWith("“" + typed + "”"), "the field's own message");
    QVERIFY2(view_->parts().inspector->proof().isHidden(), "the proof is of another number");
    type(sizeField(), typed + "x");
    QVERIFY2(labelWith("“" + typed + "x”"), "of what stands there now");
    emit view_->parts().planner->previewChanged();
    emit view_->parts().planner->proofChanged();
    QVERIFY(buttonsAre(false));
    view_->apply();
    QTest::qWait(100);
    QVERIFY(view_->parts().planner->plan() == allowed);
    QVERIFY(document_->training().history().events.empty());
    // Both the planned number and another one enable the buttons again.
    type(sizeField(), size);
    QVERIFY(buttonsAre(true) && labelWith("Nothing changed"));
    type(sizeField(), typed);
    QVERIFY(buttonsAre(false));
    type(sizeField(), size + "1");
    QTRY_VERIFY_WITH_TIMEOUT(view_->parts().planner->isCurrent(), kPatience);
    QVERIFY(buttonsAre(true) && labelWith("Not proved yet"));
  }

  void anotherGrowthOrNoneEndsAWrongSize() {
    auto* chain = view_->inspector()->findChild<GrowthChain*>();
    plan(Kind::FeedForward);
    plan(Kind::Heads);
    type(sizeField(), "abc");
    QVERIFY(buttonsAre(false));
    emit chain->selected(0);
    QVERIFY(buttonsAre(true));
    emit chain->removed(1);
    QTRY_VERIFY_WITH_TIMEOUT(view_->parts().planner->isCurrent(), kPatience);
    type(sizeField(), "abc");
    QVERIFY(buttonsAre(false));
    emit chain->removed(0);
    QTRY_VERIFY_WITH_TIMEOUT(labelWith("Choose what to enlarge"), kPatience);
    plan(Kind::FeedForward);  // the same growth again
    QVERIFY(buttonsAre(true));
    QCOMPARE(qobject_cast<QLineEdit*>(sizeField())->text(),
             QString::number(view_->parts().planner->plan().front().size));
  }

  void aWrongNumberInAHiddenFieldDoesNotMatter() {
    GrowthForm form(*style_);
    expand::Growth growth = growthTo(Kind::Hidden, 11);
    growth.hidden_method = expand::HiddenMethod::Mask;
    form.showGrowth(growth, document_->moments().model());
    auto* fields = form.findChild<FieldForm*>();
    auto* method = qobject_cast<QComboBox*>(fields->editor("hidden_method"));
    const int mask = method->currentIndex();
    type(fields->editor("mask_steps"), "abc");
    QVERIFY(form.problem().contains("abc"));
    method->setCurrentIndex(0);
    QVERIFY(form.problem().isEmpty());
    method->setCurrentIndex(mask);
    QVERIFY(form.problem().contains("abc"));
  }

  void typedTextSurvivesAPreview() {
    GrowthForm form(*style_);
    ModelConfig model = document_->moments().model();
    expand::Growth growth = growthTo(Kind::Heads, 9);
    form.showGrowth(growth, model);
    QWidget* size = form.findChild<FieldForm*>()->editor("size");
    type(size, "9x");
    model.hidden *= 2;  // an earlier growth is worked out
    form.showGrowth(growth, model);
    QVERIFY(form.problem().contains("9x"));
    QCOMPARE(qobject_cast<QLineEdit*>(size)->text(), QString("9x"));
    growth.size = 10;
    form.showGrowth(growth, model);
    QVERIFY(form.problem().isEmpty());
    QCOMPARE(qobject_cast<QLineEdit*>(size)->text(), QString("10"));
  }

  void anInexactGrowthIsNotASuccess() {
    set({brokenKeys(8)});
    prove();
    const expand::Verdict verdict = view_->parts().planner->proof()->verdict;
    apply();
    QVERIFY(labelWith("Grown, not exactly"));
    QVERIFY(lampIs(style_->palette().bad) && !lampIs(style_->palette().good));
    for (const double moved : {verdict.max_difference, verdict.max_difference_double})
      QVERIFY2(labelWith(QString::number(moved, 'g', 2)), "the measured difference");

    set({brokenKeys(9)});
    apply();
    QVERIFY2(labelWith("is unknown"), "the proof of another growth is not shown");
    QVERIFY(lampIs(style_->palette().bad) && !lampIs(style_->palette().good));

    set({growthTo(Kind::KeySize, 10)});
    prove();
    apply();
    QVERIFY(labelWith("Grown: ") && !labelWith("changed by"));
    QVERIFY(lampIs(style_->palette().good) && !lampIs(style_->palette().bad));
  }
};

TFM_TEST(TestProofPanel)
#include "test_proof_panel.moc"
