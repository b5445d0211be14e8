// SPDX-License-Identifier: GPL-3.0-or-later
// The Elastic screen after changes of the model.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <cmath>

#include "tests/test_program.h"
#include "tests/ui/views/elastic_bench.h"
#include "ui/elastic/nested_frames.h"
#include "ui/elastic/width_slider.h"
#include "ui/figure/corner_menu.h"
#include "ui/views/elastic/answer_rows.h"
#include "ui/views/elastic/nesting_form.h"

using namespace tfm;
using namespace tfm::ui;

class TestElasticChanges : public QObject, private ElasticBench {
  Q_OBJECT

 private:
  void startOther(const char* preset, const char* task, int encoders, int decoders) {
    ModelConfig model = presetNamed(preset).config();
    setUniform(model, encoders, decoders, {2, 4, 4, 16, 1e-6});
    document_->start(model, data::defaultTaskConfig(task), smallTraining());
    waitForAll();
  }
  QStringList layersToChoose() {
    const auto* box = view_->findChild<QComboBox*>();
    QStringList names;
    for (int i = 0; i < box->count(); ++i) names << box->itemText(i);
    return names;
  }
  QString words() { return view_->parts().pictures->cellWords().text(); }
  QPoint middleOf(int row, int col) {
    return view_->parts().pictures->frames().cellRect(row, col).center().toPoint();
  }
  QString plainWords() {
    for (const QLabel* label : view_->findChildren<QLabel*>())
      if (label->text().contains("Trained as MatFormer, the")) return label->text();
    return {};
  }

 private slots:
  void init() { setUp(); }
  void cleanup() { tearDown(); }

  void typedTextStaysUntilAnotherDocument() {
    NestingForm& form = view_->parts().setup->form();
    form.widths().setText("3 5");
    form.heads().setText("1 2 2");
    train::TrainConfig train = document_->training().config();
    train.batch_size = 8;
    document_->training().setConfig(train);
    QCOMPARE(form.widths().text(), QString("3 5"));
    document_->start(smallModel(), data::defaultTaskConfig("rot13"), smallTraining());
    QCOMPARE(form.widths().text(), QString("2 4 8 16"));
    QVERIFY(form.heads().text().isEmpty());
  }

  void theLayersOfferedAreTheModels() {
    QCOMPARE(layersToChoose(), (QStringList{"encoder layer 1", "decoder layer 1"}));
    view_->parts().pictures->showLayer(1);
    startOther("small-classifier", "parentheses", 2, 0);
    QCOMPARE(layersToChoose(), (QStringList{"encoder layer 1", "encoder layer 2"}));
    QVERIFY(view_->parts().pictures->frames().layer().name.startsWith("encoder layer 2"));
  }

  void thePinnedCellIsDescribedAsItIsNow() {
    NestedFrames& frames = view_->parts().pictures->frames();
    QVERIFY(words().startsWith("Hover a cell"));
    QTest::mouseClick(frames.viewport(), Qt::LeftButton, {}, middleOf(2, 9));
    QCOMPARE(frames.lockedCell(), (Cell{2, 9}));
    const auto isDescribed = [&] {
      return words() == frames.itemText(2 * frames.layer().units + 9);
    };
    QVERIFY(isDescribed());
    QVERIFY(words().contains("inside the chosen"));
    QTest::keyClick(&view_->parts().pictures->slider(), Qt::Key_PageDown);
    QVERIFY2(words().contains("outside the chosen"), "another width");
    view_->parts().pictures->showLayer(1);
    QVERIFY2(words().startsWith("decoder layer 1"), "another layer");
    view_->parts().pictures->showLook(ElasticPictures::Look::Space);
    QVERIFY(words().startsWith("Drag to turn"));
    view_->parts().pictures->showLook(ElasticPictures::Look::Matrices);
    QVERIFY2(isDescribed(), "it is still pinned");
    const QString before = words();
    QVERIFY(trainTo(*document_, 5));
    QTRY_COMPARE_WITH_TIMEOUT(explorer().state()->step, std::int64_t(5), kPatience);
    QVERIFY2(isDescribed() && words() != before, "other numbers");
    startOther("small-classifier", "parentheses", 2, 0);
    QVERIFY2(isDescribed() && words().startsWith("encoder"), "another model");
    QTest::mouseClick(frames.viewport(), Qt::LeftButton, {}, middleOf(2, 9));
    QTest::mouseMove(frames.viewport(), {1, 1});
    QTRY_VERIFY(words().startsWith("Hover a cell"));
  }

  void anUnknownCharacterMovesNothing() {
    startOther("character-model", "text", 0, 1);
    view_->resize(900, 560);  // it scrolls
    QTRY_VERIFY_WITH_TIMEOUT(!explorer().answers().answers.empty(), kPatience);
    QCoreApplication::processEvents();
    QLineEdit& question = view_->parts().answers->question();
    auto* scroll = view_->findChild<QScrollArea*>();
    scroll->ensureWidgetVisible(&question);
    QCoreApplication::processEvents();
    const QPoint place = question.mapTo(view_.get(), QPoint());
    const int range = scroll->verticalScrollBar()->maximum();
    question.setFocus();
    question.setText(QStringLiteral("ROMEO \u00e9"));
    emit question.textEdited(question.text());
    QTRY_VERIFY_WITH_TIMEOUT(explorer().answers().problem.has_value(), kPatience);
    QTest::qWait(50);  // layouts
    QCOMPARE(scroll->verticalScrollBar()->maximum(), range);
    QCOMPARE(question.mapTo(view_.get(), QPoint()), place);
    const QLabel* problem = nullptr;
    for (const QLabel* label : view_->parts().answers->findChildren<QLabel*>())
      if (label->isVisible() && label->text() == explorer().answers().problem->what())
        problem = label;
    QVERIFY(problem != nullptr);
    QVERIFY2(problem->height() >= problem->heightForWidth(problem->width()), "all of it is read");
  }

  void anUntrainedModelIsNotCalledTrained() {
    QVERIFY2(plainWords().contains("is untrained"), qPrintable(plainWords()));
    QVERIFY(trainTo(*document_, 5));
    QTRY_VERIFY2(plainWords().contains("was trained only as a whole"), qPrintable(plainWords()));
  }

  void everyCornerMenuExplains() {
    const QList<CornerMenu*> menus = view_->findChildren<CornerMenu*>();
    QCOMPARE(menus.size(), 3);  // matrices, scatter, curves
    for (const CornerMenu* menu : menus)
      for (const QAction* action : menu->menu()->actions())
        if (action->text() == "&Explain") QVERIFY(action->isEnabled());
  }

  void aTextsProbabilityIsPerCharacter() {
    QTRY_VERIFY_WITH_TIMEOUT(!explorer().answers().answers.empty(), kPatience);
    QVERIFY2(!view_->parts().answers->text(0, 2).contains("character"), "an answer has its own");
    startOther("character-model", "text", 0, 1);
    QTRY_VERIFY_WITH_TIMEOUT(explorer().answers().goes_on, kPatience);
    const auto& tokens = explorer().answers().answers[0].answer.tokens;
    QVERIFY(tokens.size() > 20);
    double logs = 0.0;
    for (const train::AnswerToken& token : tokens) logs += std::log(double(token.probability));
    QCOMPARE(view_->parts().answers->text(0, 2),
             QString::number(std::exp(logs / double(tokens.size())), 'f', 3) + " per character");
  }
};

TFM_TEST(TestElasticChanges)
#include "test_elastic_changes.moc"
