// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the Attention screen about a map, and what is beside it.

#include "tests/test_program.h"
#include "tests/ui/views/view_bench.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/views/attention/attention_inspector.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/attention/attention_words.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/panel.h"

using namespace tfm;
using namespace tfm::ui;

class TestAttentionWords : public QObject, private ViewBench<AttentionView> {
  Q_OBJECT

 private slots:
  void init() {
    setUp(startRot13, {1000, 800});
    QTRY_VERIFY(document_->observing().snapshot() &&
                !document_->observing().snapshot()->observed.empty());
  }
  void cleanup() { tearDown(); }

  void theProductIsAlsoBesideTheMap() {
    view_->inspector()->hide();
    QVERIFY(view_->lock({2, 0, 4}, Cell{1, 1}));
    const auto* product = view_->findChild<BarList*>();
    QVERIFY(product != nullptr && product->isVisible());
    const std::vector<QStringList> rows = product->figureData().rows;
    const auto& softmax = document_->observing().snapshot()->observed.at(
        "decoder.layers.0.cross_attention.probabilities");
    const auto& score =
        document_->observing().snapshot()->observed.at("decoder.layers.0.cross_attention.scores");
    const int row = 4 * view_->findChild<HeatMapView*>()->map().rows + 1;
    QCOMPARE(rows[rows.size() - 1][0], QString("softmax"));
    QCOMPARE(rows[rows.size() - 1][1].toFloat(), softmax.at(row, 1));
    QCOMPARE(rows[rows.size() - 3][0], QString("sum = score"));
    QVERIFY(std::abs(rows[rows.size() - 3][1].toFloat() - score.at(row, 1)) < 1e-4F);
    QVERIFY(view_->lock({2, -1, -1}, Cell{1, 1}));  // a mean is no product
    QVERIFY(!product->isVisible());
  }

  void positionsWithoutTokensCountFromOne() {
    QCOMPARE(AttentionWords::label({}, 0), QString("position 1"));
    QCOMPARE(AttentionWords::label({"a", "b"}, 1), QString("b"));
  }

  void rowsAreNamedByTheirTokens() {
    QVERIFY2(sentence().contains("character"), qPrintable(sentence()));
    document_->start(presetNamed("sentiment").config(), data::defaultTaskConfig("sentiment"), {});
    QTRY_VERIFY2(sentence().contains("Each row is a word"), qPrintable(sentence()));
  }

 private:
  QString sentence() { return view_->findChild<Panel*>()->accessibleDescription(); }
};

TFM_TEST(TestAttentionWords)
#include "test_attention_words.moc"
