// SPDX-License-Identifier: GPL-3.0-or-later
// The window with a model that has no task.
#include <QComboBox>
#include <QPushButton>

#include "core/document/imported.h"
#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"
#include "ui/document/demonstration.h"
#include "ui/views/experiment/new_run_dialog.h"
#include "ui/widgets/message_bar.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

train::Document withoutTask(Demonstration which) {
  train::Document document = demonstration(which);
  document.codec = train::makeCodec(document)->codec();
  document.task.reset();
  return document;
}

}  // namespace

class TestWindowNoTask : public WindowTest {
  Q_OBJECT

 private slots:
  void everyScreenShowsIt_data() {
    QTest::addColumn<int>("which");
    QTest::newRow("writes") << int(Demonstration::Rot13);
    QTest::newRow("classes") << int(Demonstration::Facts);
    QTest::newRow("encoder") << -1;
  }
  void everyScreenShowsIt() {
    QFETCH(const int, which);
    const train::Document model = which < 0 ? train::importedModel(TFM_TEST_DATA "/goldens/bert")
                                            : withoutTask(Demonstration(which));
    open(model);
    for (const int screen : screens()) {
      bench_->window().showScreen(screen);
      QCOMPARE(bench_->window().screen(), screen);
      QTest::qWait(50);
      QVERIFY(!bench_->window().grab().isNull());
    }
    bench_->window().showScreen(kAttention);
    QTRY_VERIFY(bench_->document().observing().snapshot() != nullptr);
    QCOMPARE(bench_->document().observing().snapshot()->problem, std::string());
  }

  void aFolderWithAnEncoderIsImported() {
    QVERIFY(bench_->window().openFile(TFM_TEST_DATA "/goldens/bert"));
    QVERIFY(bench_->document().task() == nullptr);
    QCOMPARE(bench_->document().moments().model(),
             train::importedModel(TFM_TEST_DATA "/goldens/bert").state.config);
    QVERIFY(bench_->document().files().path().isEmpty());
    auto* messages = bench_->window().findChild<MessageBar*>();
    QVERIFY(messages->accessibleName().contains("bert has no task"));
    QVERIFY(!bench_->window().openFile(TFM_TEST_DATA "/goldens"));  // the control: no encoder
    QVERIFY(messages->accessibleName().contains("is a folder"));
  }

  void playOffersATask() {
    open(withoutTask(Demonstration::Rot13));
    bench_->key(Qt::Key_Space);
    auto* messages = bench_->window().findChild<MessageBar*>();
    QVERIFY(messages->isVisible());
    QVERIFY(messages->accessibleName().contains("no task"));
    QPushButton* give = nullptr;
    for (auto* button : messages->findChildren<QPushButton*>())
      if (button->text().contains("task")) give = button;
    QVERIFY(give != nullptr);
    give->click();
    auto* dialog = bench_->window().findChild<NewRunDialog*>();
    QVERIFY(dialog != nullptr);
    QTRY_VERIFY(dialog->startButton().isEnabled());
    QCOMPARE(dialog->presets().currentText(), QString("The open model"));
    const std::int64_t step = bench_->document().training().step();
    dialog->accept();
    QTRY_VERIFY(bench_->document().task() != nullptr);
    // It goes on from where the model was.
    QTRY_VERIFY(bench_->document().training().step() > step);
    bench_->document().training().pause();
  }

 private:
  void open(const train::Document& document) {
    const QString path = bench_->path("no-task.safetensors");
    train::saveDocument(path.toStdString(), document);
    QVERIFY(bench_->window().openFile(path));
    QVERIFY(bench_->document().task() == nullptr);
  }
};

TFM_TEST(TestWindowNoTask)
#include "test_window_no_task.moc"
