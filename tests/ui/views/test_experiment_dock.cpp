// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment dock and its dialog with a real document.
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QTemporaryDir>

#include "core/data/batches.h"
#include "tests/ui/views/view_bench.h"
#include "ui/views/experiment/data_summary.h"
#include "ui/views/experiment/experiment_dock.h"
#include "ui/views/experiment/model_numbers.h"
#include "ui/views/experiment/new_run.h"
#include "ui/views/experiment/new_run_dialog.h"
#include "ui/views/experiment/say_something.h"
#include "ui/views/experiment/task_column.h"
#include "ui/views/experiment/training_form.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/field_text.h"
#include "ui/widgets/path_row.h"
#include "ui/widgets/prompt_field.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/token_line.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

void enter(QWidget* field, const QString& text) {
  auto* line = qobject_cast<QLineEdit*>(field);
  QVERIFY(line != nullptr);
  line->selectAll();
  QTest::keyClick(line, Qt::Key_Delete);
  QTest::keyClicks(line, text);
  QTest::keyClick(line, Qt::Key_Return);
}

QStringList shownProblems(const QWidget& widget) {
  QStringList problems;
  for (const auto* label : widget.findChildren<QLabel*>())
    if (label->property("role").toByteArray() == "bad" && !label->isHidden())
      problems += label->text();
  return problems;
}

}  // namespace

class TestExperimentDock : public QObject, private ViewBench<ExperimentDock> {
  Q_OBJECT

 private slots:
  void init() { setUp(startRot13, {260, 900}); }
  void cleanup() { tearDown(); }
  /// Each size separately: one number if it is the same everywhere, whatever else differs.
  void sizesThatDifferAreNamed() {
    ModelConfig model = document_->moments().model();
    const auto value = [&](const QString& name) {
      for (const ModelNumber& number : modelNumbers(model))
        if (number.name == name) return number.value;
      return QString();
    };
    QCOMPARE(value("Heads"), "7");
    for (LayerConfig& layer : model.decoder_layers)
      layer.first<SelfAttention>()->sizes.heads = layer.first<CrossAttention>()->sizes.heads = 8;
    QCOMPARE(value("Heads"), "7–8");
    QCOMPARE(value("Key, value size"), "5, 5");
    QCOMPARE(value("Feed-forward"), "5 · ReLU");
  }

  void hotLearningRateReachesTheEngine() {
    enter(view_->training().form().editor("learning_rate"), "0.125");
    QCOMPARE(document_->training().config().schedule.learning_rate, 0.125);
    QVERIFY(shownProblems(view_->training()).isEmpty());
    QVERIFY(trainTo(*document_, 3));
    QCOMPARE(document_->training().history().steps.back().learning_rate, 0.125);
  }

  void invalidEntriesAreNotApplied() {
    const train::TrainConfig before = document_->training().config();
    FieldForm& form = view_->training().form();
    for (const QString wrong : {"2000", "abc", "", "-1"}) {
      enter(form.editor("learning_rate"), wrong);
      QCOMPARE(document_->training().config(), before);
      const QStringList problems = shownProblems(form);
      QCOMPARE(problems.size(), 1);
      QVERIFY(problems[0].contains("Learning rate"));
      QVERIFY(problems[0].contains(wrong.isEmpty() ? "empty" : wrong));
      QVERIFY(problems[0].contains("from 0 to below 1000"));
      // The field shows the value that holds.
      QCOMPARE(qobject_cast<QLineEdit*>(form.editor("learning_rate"))->text(),
               QString::number(before.schedule.learning_rate, 'g', 6));
      QVERIFY(form.isValid());
    }
    enter(form.editor("learning_rate"), "0.02");
    QVERIFY(shownProblems(form).isEmpty());
    QVERIFY(form.isValid());
    QCOMPARE(document_->training().config().schedule.learning_rate, 0.02);
  }

  void trainingIsGivenInStepsOrEpochs() {
    FieldForm& form = view_->training().form();
    QVERIFY(form.editor("stop_epochs")->isHidden());  // words are generated without end
    train::TrainConfig train;
    train.batch_size = 64;
    document_->start(presetNamed("facts").config(), data::defaultTaskConfig("facts"), train);
    QVERIFY(!form.editor("stop_epochs")->isHidden());
    const auto steps = [&] { return document_->training().config().stop.steps; };
    const auto stepsOf = [&](double epochs) {
      return data::stepsOfEpochs(*document_->task(), document_->framing(), epochs,
                                 document_->training().config().batch_size);
    };
    const auto text = [&](const char* field) {
      return qobject_cast<QLineEdit*>(form.editor(field))->text();
    };
    enter(form.editor("stop_epochs"), "3");
    QVERIFY(stepsOf(3) > 3);
    QCOMPARE(steps(), stepsOf(3));
    QCOMPARE(text("stop_epochs"), QString("3"));
    QCOMPARE(text("stop_steps"), QString::number(stepsOf(3)));
    enter(form.editor("stop_steps"), QString::number(stepsOf(1000)));
    QCOMPARE(text("stop_epochs").toDouble(), 1000.0);
    enter(form.editor("stop_epochs"), "0");
    QCOMPARE(steps(), std::int64_t{0});
    enter(form.editor("stop_epochs"), "-1");
    QCOMPARE(steps(), std::int64_t{0});
    QCOMPARE(shownProblems(form).size(), 1);
  }

  void theDemonstrationCanBeChosenAndLeft() {
    const train::TrainConfig before = document_->training().config();
    auto* schedule = qobject_cast<QComboBox*>(view_->training().form().editor("schedule"));
    schedule->setCurrentIndex(schedule->count() - 1);
    QVERIFY(schedule->currentText().contains("fails"));
    QCOMPARE(document_->training().config().schedule, train::notebookSchedule());
    QCOMPARE(document_->training().config().optimizer.kind, train::OptimizerKind::Sgd);
    schedule->setCurrentIndex(0);
    QCOMPARE(document_->training().config(), before);
  }

  void fieldsOfOtherOptimizersAreHidden() {
    FieldForm& form = view_->training().form();
    QVERIFY(form.editor("momentum")->isHidden());
    auto* optimizer = qobject_cast<QComboBox*>(form.editor("optimizer"));
    optimizer->setCurrentIndex(0);
    QCOMPARE(document_->training().config().optimizer.kind, train::OptimizerKind::Sgd);
    QVERIFY(!form.editor("momentum")->isHidden());
  }

  void adamWDecaysUnlessADecayWasTyped() {
    FieldForm& form = view_->training().form();
    auto* optimizer = qobject_cast<QComboBox*>(form.editor("optimizer"));
    const auto decay = [&] { return document_->training().config().optimizer.weight_decay; };
    QCOMPARE(decay(), 0.0);
    optimizer->setCurrentIndex(int(train::OptimizerKind::AdamW));
    QCOMPARE(decay(), 0.01);
    optimizer->setCurrentIndex(int(train::OptimizerKind::Adam));
    QCOMPARE(decay(), 0.0);
    enter(form.editor("weight_decay"), "0.3");
    optimizer->setCurrentIndex(int(train::OptimizerKind::AdamW));
    QCOMPARE(decay(), 0.3);
  }

  void lossPositionsKeepTheWeights() {
    QVERIFY(trainTo(*document_, 5));
    auto* loss = view_->findChild<Segmented*>();
    loss->setCurrent(1);
    QCOMPARE(document_->task()->config().loss_positions, data::LossPositions::FirstPad);
    QCOMPARE(document_->training().step(), std::int64_t(5));
    QCOMPARE(document_->training().history().steps.size(), std::size_t(5));
    QVERIFY(trainTo(*document_, 6));
  }

  void aQuestionIsAnswered() {
    SaySomething& say = view_->saySomething();
    say.input().selectAll();
    QTest::keyClicks(&say.input(), "hello");
    QCOMPARE(document_->observing().question(), QString("hello"));
    QTRY_VERIFY(!say.answer().figureData().rows.empty());
    QVERIFY(say.problem().isHidden());
  }

  void unknownCharactersAreNamed() {
    SaySomething& say = view_->saySomething();
    say.input().selectAll();
    QTest::keyClicks(&say.input(), "he7lo");
    QVERIFY(!say.problem().isHidden());
    QVERIFY(say.problem().text().contains('7'));
    QVERIFY(say.problem().text().contains("a-z"));
    QTest::keyClick(&say.input(), Qt::Key_Backspace);
    QTest::keyClick(&say.input(), Qt::Key_Backspace);
    QTest::keyClick(&say.input(), Qt::Key_Backspace);
    QVERIFY(say.problem().isHidden());
  }

  void theDialogStartsAnotherTask() {
    NewRunDialog* dialog = view_->changeModel();
    QVERIFY(!dialog->startButton().isEnabled());  // nothing is ready yet
    QComboBox& tasks = dialog->task().tasks();
    tasks.setCurrentIndex(tasks.findText("sort"));
    emit tasks.activated(tasks.currentIndex());
    QTRY_VERIFY(dialog->startButton().isEnabled());
    QVERIFY(dialog->data().samples().text().contains("<b>"));
    QVERIFY(dialog->cost().text().contains("parameters"));
    enter(dialog->modelForm().editor("hidden"), "16");
    QVERIFY(document_->codec().name() == "rot13");
    if (dialog->isVisible()) dialog->accept();
    QTRY_COMPARE(document_->codec().name(), std::string("sort"));
    QCOMPARE(document_->moments().model().hidden, std::int64_t(16));
    QCOMPARE(document_->training().step(), std::int64_t(0));
    QVERIFY(trainTo(*document_, 2));
  }

  void aNewRunOffersNoFieldsOfGrowth() {
    NewRun run;
    QStringList offered;
    for (const io::Field& field : run.modelFields())
      offered << QString::fromUtf8(field.name.data(), qsizetype(field.name.size()));
    for (const char* grown : {"sinusoid_size", "sinusoid_repeats", "feature_size", "mask_size",
                              "mask_begin", "mask_steps"})
      QVERIFY2(!offered.contains(grown), grown);
    QVERIFY(offered.contains("hidden") && offered.contains("positions"));
  }

  void theDialogRefusesInvalidModels() {
    NewRunDialog* dialog = view_->changeModel();
    QTRY_VERIFY(dialog->startButton().isEnabled());
    const QString cost = dialog->cost().text();
    QVERIFY(cost.contains("4665"));
    auto* hidden = qobject_cast<QLineEdit*>(dialog->modelForm().editor("hidden"));
    hidden->selectAll();
    QTest::keyClicks(hidden, "0");
    QVERIFY(!dialog->startButton().isEnabled());
    QVERIFY(shownProblems(*dialog).join(' ').contains("Hidden: “0”"));
    hidden->selectAll();
    QTest::keyClicks(hidden, "7");  // sines and cosines come in pairs
    QVERIFY(!dialog->startButton().isEnabled());
    QVERIFY(dialog->problem().text().contains("hidden is 7"));
    hidden->selectAll();
    QTest::keyClicks(hidden, "65536");  // more memory than there is
    auto* heads = qobject_cast<QLineEdit*>(dialog->modelForm().editor("heads"));
    heads->selectAll();
    QTest::keyClicks(heads, "1024");
    auto* keys = qobject_cast<QLineEdit*>(dialog->modelForm().editor("key_size"));
    keys->selectAll();
    QTest::keyClicks(keys, "8192");
    QVERIFY(!dialog->startButton().isEnabled());
    QVERIFY(dialog->problem().text().contains("memory"));
    dialog->reject();
    QCOMPARE(document_->codec().name(), std::string("rot13"));
  }

  void aTableIsLearnedFromAFile() {
    QTemporaryDir folder;
    QFile file(folder.filePath("pairs.tsv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int i = 0; i < 40; ++i)
      file.write(QByteArray::number(i) + "\t" + QByteArray::number(i + 1) + "\n");
    file.close();
    NewRunDialog* dialog = view_->changeModel();
    QComboBox& tasks = dialog->task().tasks();
    tasks.setCurrentIndex(tasks.findText("pairs"));
    emit tasks.activated(tasks.currentIndex());
    PathRow& path = dialog->task().path("path");
    QTRY_VERIFY(path.problem().text().contains("path is empty"));
    enter(&path.editor(), file.fileName());
    QTRY_VERIFY(dialog->startButton().isEnabled());
    if (dialog->isVisible()) dialog->accept();
    QTRY_COMPARE(document_->codec().name(), std::string("pairs"));
    dialog = view_->changeModel();
    QCOMPARE(dialog->task().path("path").path(), file.fileName());
    QTRY_VERIFY2(dialog->startButton().isEnabled(), "once more with the same file");
    QComboBox& again = dialog->task().tasks();
    for (const char* kind : {"sort", "pairs"}) {
      again.setCurrentIndex(again.findText(kind));
      emit again.activated(again.currentIndex());
    }
    QCOMPARE(dialog->task().path("path").path(), file.fileName());
    dialog->reject();
  }

  void aLanguageModelWritesAndStops() {
    document_->start(presetNamed("characters").config(), data::defaultTaskConfig("text"), {});
    SaySomething& say = view_->saySomething();
    const QSignalSpy wanted(view_.get(), &ExperimentDock::writeRequested);
    QVERIFY(!say.writeButton().isHidden());
    say.input().selectAll();
    QTest::keyClicks(&say.input(), "the ");
    say.writeButton().click();
    QCOMPARE(wanted.size(), 1);
    QTest::keyClick(&say.input(), Qt::Key_Return);
    QCOMPARE(wanted.size(), 2);
    SamplingOptions endless;
    endless.max_tokens = 100000;
    int longest = 0;
    bool finished = false;
    connect(&document_->answers(), &Answers::answering, this,
            [&](const train::AnsweredQuestion& answer, bool end) {
              longest = int(answer.tokens.size());
              finished = end;
            });
    document_->answers().ask("the ", endless);
    QTRY_VERIFY(longest > 3);
    document_->answers().stop();
    QTRY_VERIFY(finished);
    QVERIFY(longest < 100000);
  }

  void aFieldTakesWhatIsAllowed() {
    double value = 0.5;
    const io::Field field{"clip_norm", "", io::RealSlot{&value, 0.0, 10.0}};
    QVERIFY(assignTyped(field, " 1e-3 "));
    QCOMPARE(value, 1e-3);
    QVERIFY(!assignTyped(field, "nan"));
    QVERIFY(!assignTyped(field, "10"));
    QVERIFY(!assignTyped(field, "1,000.5"));
    QCOMPARE(value, 1e-3);
    const io::Field whole{"clip_norm", "", io::RealSlot{&value, 0.0, 10.0, true}};
    QVERIFY(assignTyped(whole, "10"));
    QCOMPARE(value, 10.0);
  }
};

TFM_TEST(TestExperimentDock)
#include "test_experiment_dock.moc"
