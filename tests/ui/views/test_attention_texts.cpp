// SPDX-License-Identifier: GPL-3.0-or-later
// What the Attention screen shows of several texts.
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "core/backend/op_arguments.h"
#include "tests/test_program.h"
#include "tests/ui/views/attention_bench.h"
#include "ui/views/attention/attention_cell.h"
#include "ui/views/attention/batch_view.h"
#include "ui/views/question_field.h"

using namespace tfm;
using namespace tfm::ui;

class TestAttentionTexts : public QObject, private AttentionBench {
  Q_OBJECT

 private:
  QuestionField& field() { return *view_->findChild<QuestionField*>(); }
  QList<QLineEdit*> lines() {
    QList<QLineEdit*> shown;
    for (QLineEdit* line : field().findChildren<QLineEdit*>())
      if (line->isVisible()) shown << line;
    return shown;
  }
  HeatMapView& secondCells() { return *view_->findChildren<HeatMapView*>()[1]; }
  /// Adds `text` as the second one, and waits until both were read.
  bool addSecond(const QString& text) {
    document_->observing().addText();
    document_->observing().setText(1, text);
    return QTest::qWaitFor([&] {
      const Observing& observing = document_->observing();
      return observing.inputOf(0) != nullptr && observing.inputOf(1) != nullptr &&
             snapshot().others.size() == 1;
    });
  }
  AttentionMaps mapsOf(int text) {
    return AttentionMaps(document_->observing().snapshot(), *document_->observing().inputOf(text),
                         text + 1);
  }

 private slots:
  void init() { setUp(); }
  void cleanup() { tearDown(); }

  void aTextIsAddedShownAndRemoved() {
    QCOMPARE(lines().size(), 1);
    auto* add = field().findChild<QPushButton*>();
    QCOMPARE(add->text(), QString("Add a text"));
    add->click();
    QCOMPARE(lines().size(), 2);
    QVERIFY(!lines()[1]->text().isEmpty());
    QVERIFY(lines()[1]->text() != "there");
    QCOMPARE(document_->observing().question(), lines()[1]->text());
    lines()[1]->setFocus();
    lines()[1]->selectAll();
    QTest::keyClicks(lines()[1], "hey");
    QCOMPARE(document_->observing().texts().all, (QStringList{"there", "hey"}));
    QTRY_VERIFY(document_->observing().inputOf(1) != nullptr && snapshot().others.size() == 1);
    QCOMPARE(grid().groups().size(), 3U);
    QVERIFY(view_->lock({0, 0, 0}, std::nullopt));
    // As long as the longest.
    QTRY_COMPARE(cells().map().col_labels, (QStringList{"h", "e", "y", "·", "·"}));
    QCOMPARE(cells().map().row_labels.size(), 5);
    // Another text is shown by its number.
    for (QToolButton* number : field().findChildren<QToolButton*>())
      if (number->isVisible() && number->text() == "1") number->click();
    QCOMPARE(document_->observing().question(), QString("there"));
    for (QToolButton* remove : field().findChildren<QToolButton*>())
      if (remove->toolTip() == "Remove text 2") remove->click();
    QCOMPARE(lines().size(), 1);
    QTRY_COMPARE(snapshot().others.size(), std::size_t(0));
    QCOMPARE(snapshot().probe.source_pads, 0);
  }

  void onlyVisibleViewsReadTheOtherTexts() {
    QVERIFY(addSecond("hey"));
    view_->hide();
    Need need;
    need.pattern = "*attention.probabilities";
    document_->observing().setNeed(this, need);
    QTRY_VERIFY(snapshot().others.empty());
    QCOMPARE(snapshot().probe.source_pads + snapshot().probe.decoder_pads, 0);
  }

  /// The mask is what the model's numbers say, and no text alone has one for pads.
  void padsAreMasked() {
    QVERIFY(mapsOf(0).group({0, 0, 0}).masked.empty());
    QVERIFY(addSecond("hey"));
    const AttentionMaps maps = mapsOf(1);
    const AttentionGroup& encoder = maps.group({0, 0, 0});
    QVERIFY(!encoder.layers.front().shape.causal);
    for (int row = 0; row < encoder.rows; ++row)
      for (int col = 0; col < encoder.cols; ++col) {
        QCOMPARE(encoder.isMasked(row, col), col >= 3);
        QVERIFY(!encoder.isHidden(row, col));
      }
    QVERIFY(mapsOf(0).group({0, 0, 0}).masked.empty());
    const AttentionCell pad = attentionCell(maps, {0, 0, 0}, {1, 4});
    QCOMPARE(pad.mask, kPadScore);
    QCOMPARE(pad.probability, 0.0);
    QCOMPARE(attentionCell(maps, {0, 0, 0}, {1, 1}).mask, 0.0);
    const AttentionGroup& decoder = maps.group({1, 0, 0});
    QVERIFY(decoder.isMasked(0, 1) && decoder.isHidden(0, 1));
    QVERIFY(std::isinf(attentionCell(maps, {1, 0, 0}, {0, 1}).mask));
    // On screen: hatched, and the inspector says why.
    document_->observing().showText(1);
    QVERIFY(view_->lock({0, 0, 0}, Cell{1, 4}));
    press(Qt::Key_M);
    QVERIFY(cells().map().isMasked(1, 4) && !cells().map().isMasked(1, 1));
    QVERIFY(inspectorSays("column 5 is a pad"));
    QVERIFY(!inspectorSays("comes after"));
  }

  void twoTextsStandSideBySide() {
    QVERIFY(addSecond("hey"));
    QVERIFY(view_->lock({0, 0, 0}, std::nullopt));
    field().show(TextsShown::Beside);
    QVERIFY(secondCells().isVisible());
    QCOMPARE(cells().map().values, mapsOf(0).values({{0, 0, 0}}));
    QCOMPARE(secondCells().map().values, mapsOf(1).values({{0, 0, 0}}));
    QVERIFY(secondCells().map().name.contains("hey") && cells().map().name.contains("there"));
    press(Qt::Key_S);
    QCOMPARE(cells().map().scale, secondCells().map().scale);
    // The inspector is of the text that the pointer is at.
    QTest::mouseClick(secondCells().viewport(), Qt::LeftButton, {},
                      secondCells().cellRect(2, 2).center().toPoint());
    QVERIFY(inspectorSays("y"));
    QVERIFY(view_->forms().figureSize().width() > 1.5 * cells().figureSize().width());
    QCOMPARE(view_->forms().figureData().rows.size(), std::size_t(50));
    press(Qt::Key_L);
    field().show(TextsShown::One);
    QVERIFY(!secondCells().isVisible());
  }

  void equallyLongTextsAreSubtracted() {
    QVERIFY(addSecond("where"));
    QVERIFY(view_->lock({0, 0, 0}, Cell{0, 1}));
    field().show(TextsShown::Difference);
    const std::vector<float> a = mapsOf(0).values({{0, 0, 0}}), b = mapsOf(1).values({{0, 0, 0}});
    QCOMPARE(cells().map().scale.kind, ColorScale::Kind::Signed);
    for (std::size_t i = 0; i < a.size(); ++i) QCOMPARE(cells().map().values[i], b[i] - a[i]);
    QCOMPARE(cells().map().col_labels, (QStringList{"w/t", "h", "e", "r", "e"}));
    QVERIFY(view_->forms().figureTitle().contains("text 2 − text 1"));
    QVERIFY2(sentence().contains("where") && sentence().contains("there"), qPrintable(sentence()));
    QVERIFY(inspectorSays("text 2 − text 1"));
    QVERIFY(!says(field(), "No difference"));
  }

  void otherLengthsAreNotSubtracted() {
    QVERIFY(addSecond("hey"));
    QVERIFY(view_->lock({0, 0, 0}, std::nullopt));
    field().show(TextsShown::Difference);
    QVERIFY(says(field(), "No difference: text 1 has 5 tokens, text 2 has 3"));
    QCOMPARE(cells().map().scale, ColorScale::sequential());
    QCOMPARE(cells().map().values, mapsOf(1).values({{0, 0, 0}}));
  }

  void theBatchIsAMatrixOfIds() {
    QVERIFY(addSecond("hey"));
    press(Qt::Key_B);
    auto& batch = *view_->findChild<BatchView*>();
    QVERIFY(batch.isVisible() && !cells().isVisible());
    QCOMPARE(batch.tables().size(), std::size_t(4));
    const TokenTable& ids = batch.tables()[0];
    QCOMPARE(ids.rows.size(), 2);
    QCOMPARE(ids.cols.size(), 5);
    QCOMPARE(ids.words.first(5).join(""), QString("there"));
    QCOMPARE(ids.left_out, (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 1, 1}));
    const data::Vocabulary& vocabulary = document_->codec().sourceVocabulary();
    QCOMPARE(ids.numbers[5], QString::number(snapshot().probe.batch.source[0]));
    QCOMPARE(ids.numbers[9], QString::number(vocabulary.pad()));
    // The masks are what the engine adds.
    const TokenTable& pads = batch.tables()[1];
    for (int col = 0; col < 5; ++col) {
      QCOMPARE(pads.words[col], QString("0"));
      QCOMPARE(pads.words[5 + col], col < 3 ? QString("0") : QString("−1e+30"));
    }
    const TokenTable& causal = batch.tables()[3];
    QCOMPARE(causal.rows.size(), causal.cols.size());
    QCOMPARE(causal.words[1], QString("−∞"));
    QCOMPARE(causal.words[causal.cols.size()], QString("0"));
    QCOMPARE(batch.itemText(8), QString("text 2, position 4: a pad"));
    QVERIFY(batch.itemText(0).contains("t, token"));
    QCOMPARE(view_->forms().figureData().columns.first(), QString("matrix"));
    QCOMPARE(view_->forms().figureTitle(), QString("The padded batch"));
    // Every item is where it is drawn, and within reach of the arrow keys.
    for (int item = 0; item < batch.itemCount(); ++item)
      QCOMPARE(batch.itemUnder(batch.itemRect(item).center()), item);
    press(Qt::Key_B);
    QVERIFY(cells().isVisible());
  }

  void aSingleTextHasNoPads() {
    const auto matrices = batchTables({document_->observing().inputOf(0)}, {0});
    QCOMPARE(std::ranges::count(matrices[0].left_out, 1), 0);
    QCOMPARE(std::ranges::count(matrices[1].left_out, 1), 0);
    QVERIFY(std::ranges::count(matrices[3].left_out, 1) > 0);
  }

  void aTextThatCannotBeReadSaysSoAndLeavesTheOther() {
    QVERIFY(addSecond("hey"));
    document_->observing().showText(0);
    document_->observing().setText(1, "he7");
    QTRY_VERIFY(snapshot().others.empty());
    QVERIFY(lines()[1]->accessibleDescription().contains("7"));
    QVERIFY(lines()[0]->accessibleDescription().isEmpty());
    QCOMPARE(snapshot().probe.question, std::string("there"));
    QVERIFY(snapshot().problem.empty());
  }

  void theTextsSurviveChangesOfTheModel() {
    QVERIFY(addSecond("hey"));
    const AskedTexts before = document_->observing().texts();
    document_->changes().newSeed();
    QTRY_VERIFY(document_->changes().canUndo());
    QCOMPARE(document_->observing().texts(), before);
    startRot13(*document_);  // another document begins with one of its own
    QCOMPARE(document_->observing().texts().all.size(), 1);
  }
};

TFM_TEST(TestAttentionTexts)
#include "test_attention_texts.moc"
