// SPDX-License-Identifier: GPL-3.0-or-later
// A model's text, and the candidates for each token, with a real document.
#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <algorithm>
#include <cmath>
#include <memory>

#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"
#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/views/write/beam_panel.h"
#include "ui/views/write/next_token.h"
#include "ui/views/write/sampling_sliders.h"
#include "ui/views/write/write_view.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/prompt_field.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/token_line.h"

using namespace tfm;
using namespace tfm::ui;

class TestWriteView : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    style_ = std::make_unique<Style>(*qobject_cast<QApplication*>(qApp));
    document_ = std::make_unique<ModelDocument>(1);
    document_->start(presetNamed("characters").config(), data::defaultTaskConfig("text"), {});
    view_ = std::make_unique<WriteView>(*style_, *document_);
    view_->resize(700, 500);
    view_->inspector()->show();
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    view_->parts().pace->setCurrent(1);
  }
  void cleanup() {
    delete view_->inspector();
    view_.reset();
    document_.reset();
    style_.reset();
  }

  void allRequestedTokensAreWritten() {
    for (const int count : {64, 200, 1000}) {
      write(count);
      QCOMPARE(written().size(), std::size_t(count));
    }
    // The end is visible, and all of it can be scrolled to.
    QScrollBar* bar = view_->parts().scroll->verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > 0 && bar->value() == bar->maximum());
    const QRectF last =
        view_->parts().text->itemRect(int(view_->parts().text->tokens().size()) - 1);
    QVERIFY(view_->parts().text->height() >= last.bottom());
  }

  void theEndStaysVisibleOnAProjector() {
    view_->parts().pace->setCurrent(0);
    view_->parts().length->setValue(400);
    view_->parts().write->click();
    QTRY_VERIFY(written().size() >= 5);
    style_->setScale(1.6);
    view_->inspector()->hide();
    view_->parts().pace->setCurrent(1);
    QTRY_COMPARE_WITH_TIMEOUT(written().size(), std::size_t(400), 60'000);
    QScrollBar* bar = view_->parts().scroll->verticalScrollBar();
    const auto end = [&] {
      return view_->parts().text->itemRect(int(view_->parts().text->tokens().size()) - 1).bottom();
    };
    QTRY_VERIFY(view_->parts().text->height() >= end());
    QTRY_VERIFY(bar->maximum() > 0 && bar->value() == bar->maximum());
  }

  void tokenByTokenShowsEveryTokenOnTheWay() {
    view_->parts().pace->setCurrent(0);
    view_->parts().length->setValue(12);
    QSet<std::size_t> seen;
    view_->parts().write->click();
    QTRY_VERIFY([&] {
      seen.insert(written().size());
      return written().size() == 12 && !view_->parts().stop->isEnabled();
    }());
    QVERIFY(seen.size() > 3);
  }

  void oneTokenAtATimeIsTheSameTextAsAtOnce() {
    write(8);
    const auto whole = written();
    const QString question = document_->observing().question();
    ask("the");
    ask(question);
    QCOMPARE(written().size(), std::size_t(0));
    for (std::size_t i = 0; i < whole.size(); ++i) {
      view_->parts().one->click();
      QTRY_COMPARE(written().size(), i + 1);
      QTRY_VERIFY(!view_->parts().stop->isEnabled());
    }
    QCOMPARE(texts(), textsOf(whole));
  }

  void movingASliderChangesOnlyTheBars() {
    write(400);
    QScrollBar* bar = view_->parts().scroll->verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > 0);
    bar->setValue(bar->maximum() / 2);
    const int place = bar->value();
    const auto text = texts();
    const QSignalSpy asked(&document_->answers(), &Answers::answering);
    SamplingSliders& sliders = view_->parts().next->sliders();
    sliders.temperature().setValue(20);  // 1.0
    sliders.topP().setValue(20);         // all
    const std::vector<double> plain = bars();
    sliders.temperature().setValue(10);  // 0.5 squares the probabilities
    const std::vector<double> sharp = bars();
    QVERIFY(std::abs(sharp[0] / sharp[1] - std::pow(plain[0] / plain[1], 2)) < 1e-6);
    sliders.topK().setValue(2);  // the three most probable
    const std::vector<double> three = bars();
    QVERIFY(std::abs(three[0] + three[1] + three[2] - 1.0) < 1e-9);
    QCOMPARE(three[3], 0.0);
    QVERIFY(view_->parts().next->count().text().startsWith("3 of"));
    sliders.temperature().setValue(0);
    QCOMPARE(bars()[0], 1.0);
    QApplication::processEvents();
    QCOMPARE(asked.size(), 0);
    QCOMPARE(texts(), text);
    QCOMPARE(bar->value(), place);
  }

  /// The most probable token is taken, so there is nothing to set, and one probability.
  void anAnswerIsNotDrawn() {
    document_->start(presetNamed("rot13").config(), data::defaultTaskConfig("rot13"), {});
    NextToken& next = *view_->parts().next;
    QVERIFY(!next.sliders().isVisibleTo(&next) && !next.count().isVisibleTo(&next));
    next.sliders().temperature().setValue(10);
    // The bars of a token have the probability that colours it.
    TokenLine& text = *view_->parts().text;
    const auto answered = [&] { return text.tokens().size() > 2; };  // after the text, and an arrow
    QTRY_VERIFY(answered());
    QTest::mouseClick(&text, Qt::LeftButton, {}, text.itemRect(2).center().toPoint());
    QTRY_VERIFY(answered() && std::ranges::any_of(bars(), [&](double p) {
                  return std::abs(p - text.tokens()[2].probability) < 1e-6;
                }));
    const double answer = text.itemRect(0).height();
    document_->start(presetNamed("characters").config(), data::defaultTaskConfig("text"), {});
    QTRY_VERIFY(next.sliders().isVisibleTo(&next));
    QTRY_VERIFY(text.itemRect(0).height() < answer);  // large letters are for answers
  }

  void aTokenIsShownWithWhatItWasChosenFrom() {
    write(10);
    QTRY_VERIFY(!bars().empty());
    view_->parts().next->sliders().temperature().setValue(20);
    view_->parts().next->sliders().topP().setValue(20);
    TokenLine& text = *view_->parts().text;
    const int token = int(text.tokens().size()) - 4;
    QTest::mouseClick(&text, Qt::LeftButton, {}, text.itemRect(token).center().toPoint());
    // At temperature 1 the bar is the probability that colours the token.
    const double probability = text.tokens()[std::size_t(token)].probability;
    bool found = false;
    for (const double p : bars()) found = found || std::abs(p - probability) < 1e-6;
    QVERIFY(found);
    // At another one, the panel names both.
    const auto says = [&] { return view_->parts().next->count().text(); };
    QVERIFY2(!says().contains("without these settings"), qPrintable(says()));
    view_->parts().next->sliders().temperature().setValue(10);
    QVERIFY2(says().contains("without these settings is " + shortNumber(probability)),
             qPrintable(says()));
    view_->parts().next->sliders().temperature().setValue(20);
    const std::vector<double> at_token = bars();
    QTest::keyClick(&text, Qt::Key_Left);
    QVERIFY(bars() != at_token);
    QTest::keyClick(&text, Qt::Key_Escape);
    QCOMPARE(bars(), at_token);  // where the pointer still is
  }

  void theNextTokenIsShownBeforeAnyText() {
    QTRY_VERIFY(!bars().empty());
    const std::vector<double> first = bars();
    ask("qu");
    QTRY_VERIFY(!bars().empty() && bars() != first);
    QVERIFY(written().empty());
  }

  void stopKeepsWhatIsShown() {
    view_->parts().pace->setCurrent(0);
    view_->parts().length->setValue(100'000);
    view_->parts().write->click();
    QTRY_VERIFY(written().size() >= 3);
    view_->parts().stop->click();
    const std::size_t count = written().size();
    QVERIFY(count < 100'000);
    QTRY_VERIFY(!view_->parts().stop->isEnabled());
    view_->parts().one->click();
    QTRY_COMPARE(written().size(), count + 1);
  }

  void anotherQuestionForgetsTheTextAndSaysWhatIsWrong() {
    write(5);
    ask(QString::fromUtf8("\xE2\x82\xAC"));
    QVERIFY(written().empty());
    QVERIFY(!view_->parts().write->isEnabled());
    QVERIFY(view_->parts().problem->isVisible());
    ask("the ");
    QVERIFY(view_->parts().write->isEnabled() && !view_->parts().problem->isVisible());
  }

  void returnWritesAndLeavesTheField() {
    view_->parts().length->setValue(5);
    view_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(view_.get()));
    view_->parts().input->setFocus();
    QTest::keyClick(view_->parts().input, Qt::Key_Return);
    QVERIFY(view_->parts().text->hasFocus());
    QTRY_COMPARE(written().size(), std::size_t(5));
  }

  void aShortAnswerIsShownAtOnceAndFollowsTraining() {
    startRot13(*document_);
    QVERIFY(!view_->parts().write->isVisible());
    ask("hey");
    QTRY_VERIFY(!written().empty() && !bars().empty());
    QVERIFY(trainTo(*document_, 3));
    QTRY_VERIFY(document_->observing().snapshot()->step == 3 && !written().empty());
    TokenLine& text = *view_->parts().text;
    const int last = int(text.tokens().size()) - 1;
    QTest::mouseClick(&text, Qt::LeftButton, {}, text.itemRect(last).center().toPoint());
    QVERIFY(!bars().empty());
  }

  void theBestAnswersAreThoseOfABeamSearch() {
    QVERIFY(!view_->parts().beams->isVisible());  // a text has no end to search for
    startRot13(*document_);
    QVERIFY(trainTo(*document_, 3));
    ask("hey");
    QVERIFY(view_->parts().beams->isVisible() && !view_->parts().beams->beams().isVisible());
    QSignalSpy found(&document_->answers(), &Answers::found);
    view_->parts().beams->choice().setCurrent(1);
    const auto rows = [&] { return view_->parts().beams->beams().figureData().rows; };
    QTRY_COMPARE(rows().size(), std::size_t(4));
    const auto result = qvariant_cast<FoundBeams>(found.back().front());
    QCOMPARE(result.step, 3);
    for (std::size_t i = 0; i < rows().size(); ++i) {
      const train::BeamAnswer& beam = result.beams[i];
      QCOMPARE(rows()[i][0], QString::fromStdString(beam.answer));
      const double penalty = lengthPenalty(std::ssize(beam.tokens), 0.6);
      QVERIFY(std::abs(rows()[i][1].toDouble() - beam.log_probability / penalty) < 1e-9);
      QVERIFY(i == 0 || beam.score <= result.beams[i - 1].score);
    }
    QVERIFY(!result.greedy.tokens.empty());
    QVERIFY(view_->parts().beams->words().text().contains(rows()[0][0]));
    // Another question, another list; greedy decoding lists nothing.
    const auto first = rows();
    ask("there");
    QTRY_VERIFY(rows().size() == 4 && rows() != first);
    // So does the model with a change in force.
    const auto unchanged = rows();
    observe::Intervention off;
    off.target = "decoder.layers.0.cross_attention";
    document_->interventions().add(off);
    QTRY_VERIFY(rows().size() == 4 && rows() != unchanged);
    document_->interventions().clear();
    QTRY_VERIFY(rows() == unchanged);
    view_->parts().beams->choice().setCurrent(0);
    QVERIFY(rows().empty() && !view_->parts().beams->beams().isVisible());
  }

  void anAbandonedSearchSaysNothing() {
    startRot13(*document_);
    ask("hey");
    const QSignalSpy found(&document_->answers(), &Answers::found);
    view_->parts().beams->choice().setCurrent(1);
    view_->parts().beams->choice().setCurrent(0);
    QTest::qWait(200);
    QCOMPARE(found.size(), 0);
  }

  void aPaneIsWrittenAnewAsTheModelLearns() {
    const auto pane = makePane();
    // Without a click, by the untrained model.
    QTRY_COMPARE(written(*pane).size(), std::size_t(20));
    const QStringList untrained = textsOf(written(*pane));
    QVERIFY(trainTo(*document_, 30));
    QTRY_VERIFY(pane->parts().state->text().contains("step 30"));
    QVERIFY(textsOf(written(*pane)) != untrained);
    QCOMPARE(written(*pane).size(), std::size_t(20));
    const QStringList trained = textsOf(written(*pane));
    // A shown moment writes its own; the same seed and model write the same.
    document_->moments().show(0);
    QTRY_COMPARE(textsOf(written(*pane)), untrained);
    document_->moments().showNow();
    QTRY_COMPARE(textsOf(written(*pane)), trained);
    // A token that is read stays.
    QTest::mouseClick(pane->parts().text, Qt::LeftButton, {},
                      pane->parts()
                          .text->itemRect(int(pane->parts().text->tokens().size()) - 1)
                          .center()
                          .toPoint());
    QVERIFY(pane->parts().text->lockedItem() >= 0);
    document_->moments().show(0);
    QTest::qWait(200);
    QCOMPARE(textsOf(written(*pane)), trained);
    QTest::keyClick(pane->parts().text, Qt::Key_Escape);
    QTRY_COMPARE(textsOf(written(*pane)), untrained);
  }

  void aPaneLeavesTrainingItsTime() {
    const auto pane = makePane();
    pane->parts().length->setValue(2000);
    std::vector<qint64> begun, ended;  // of each text, in milliseconds
    QElapsedTimer clock;
    clock.start();
    bool writing = false;
    connect(&document_->liveAnswers(), &Answers::answering, this,
            [&](const train::AnsweredQuestion&, bool finished) {
              if (!writing) begun.push_back(clock.elapsed());
              if (finished) ended.push_back(clock.elapsed());
              writing = !finished;
            });
    train::TrainConfig config = document_->training().config();
    config.stop = {};
    document_->training().setConfig(config);
    document_->training().play();
    QTRY_VERIFY_WITH_TIMEOUT(ended.size() >= 2, 120'000);
    document_->training().pause();
    QVERIFY2(begun[1] - ended[0] >= 1990, qPrintable(QString::number(begun[1] - ended[0])));
  }

  void aPaneAndTheScreenWriteSideBySide() {
    const auto pane = makePane();
    view_->parts().pace->setCurrent(0);
    view_->parts().length->setValue(60);
    view_->parts().write->click();
    pane->parts().write->click();
    QTRY_COMPARE(written(*pane).size(), std::size_t(20));
    QTRY_VERIFY(!view_->parts().stop->isEnabled());
    QCOMPARE(written().size(), std::size_t(60));
  }

 private:
  std::unique_ptr<WriteView> makePane() {
    auto pane = std::make_unique<WriteView>(*style_, *document_, WriteView::Form::Pane);
    pane->resize(700, 300);
    pane->parts().pace->setCurrent(1);
    pane->parts().length->setValue(20);
    pane->show();
    return pane;
  }
  void ask(const QString& question) { document_->observing().setQuestion(question); }
  void write(int count) {
    view_->parts().length->setValue(count);
    view_->parts().write->click();
    QTRY_VERIFY_WITH_TIMEOUT(!view_->parts().stop->isEnabled(), 60'000);
  }
  /// What the model wrote of the text.
  std::vector<ShadedToken> written() { return written(*view_); }
  static std::vector<ShadedToken> written(WriteView& view) {
    std::vector<ShadedToken> tokens = view.parts().text->tokens();
    std::erase_if(tokens, [](const ShadedToken& t) { return std::isnan(t.probability); });
    return tokens;
  }
  static QStringList textsOf(const std::vector<ShadedToken>& tokens) {
    QStringList all;
    for (const ShadedToken& token : tokens) all << token.text;
    return all;
  }
  QStringList texts() { return textsOf(written()); }
  std::vector<double> bars() {
    std::vector<double> values;
    for (const QStringList& row : view_->parts().next->bars().figureData().rows)
      values.push_back(row[1].toDouble());
    return values;
  }

  std::unique_ptr<Style> style_;
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<WriteView> view_;
};

TFM_TEST(TestWriteView)
#include "test_write_view.moc"
