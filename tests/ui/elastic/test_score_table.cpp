// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the submodels as a table.
#include <QClipboard>

#include "tests/ui/elastic/sample_scores.h"
#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/ui_test.h"
#include "ui/elastic/score_columns.h"
#include "ui/elastic/score_table.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

int columnNamed(const QString& title) {
  for (std::size_t i = 0; i < scoreColumns(false).size(); ++i)
    if (scoreColumns(false)[i].title == title) return int(i);
  qFatal("no column %s", qPrintable(title));
}

}  // namespace

class TestScoreTable : public UiTest {
  Q_OBJECT

 private slots:
  void init() {
    table_ = std::make_unique<ScoreTable>(style_);
    table_->setPoints(sampleScores());
    table_->resize(900, 500);
    table_->show();
  }
  void cleanup() { table_.reset(); }

  void numbersSortAsNumbers() {
    table_->setPoints({pointOf(ElasticKind::Mixed, "a", {8000}, 9, 10),
                       pointOf(ElasticKind::Mixed, "b", {9}, 7, 10),
                       pointOf(ElasticKind::Mixed, "c", {100}, 8, 10)});
    const auto names = [this] {
      QStringList found;
      for (int row = 0; row < 3; ++row) found << text(row, 0);
      return found;
    };
    table_->sortByColumn(columnNamed("parameters"), Qt::DescendingOrder);
    QCOMPARE(names(), QStringList({"a", "c", "b"}));  // as text 2... is above 1,246,000
    table_->sortByColumn(columnNamed("accuracy"), Qt::AscendingOrder);
    QCOMPARE(names(), QStringList({"b", "c", "a"}));
  }

  void rowsAreMarksAndCellsTheirNumbers() {
    QCOMPARE(table_->model()->rowCount(), 17);
    QCOMPARE(text(0, columnNamed("widths")), QString("32 × 4"));
    QCOMPARE(text(0, columnNamed("95 %")), QString("0.787–0.821"));
    QCOMPARE(text(0, columnNamed("accuracy")), QString("0.804 ± 0.007"));
  }

  void copiesTheSelectionOrAllWithHeaders() {
    const auto copied = [this] {
      QTest::keySequence(table_.get(), QKeySequence::Copy);
      return QGuiApplication::clipboard()->text().split('\n');
    };
    table_->clearSelection();
    QCOMPARE(copied().size(), 18);
    table_->selectRow(2);
    const QStringList lines = copied();
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines[0].startsWith("name\tkind\tparameters"));
    QVERIFY2(lines[1].startsWith("32,32,32,64\tMix'n'Match"), qPrintable(lines[1]));
  }

  void enterChoosesTheRowShown() {
    QSignalSpy chosen(table_.get(), &ScoreTable::chosen);
    table_->sortByColumn(columnNamed("parameters"), Qt::DescendingOrder);
    table_->selectRow(0);
    QTest::keyClick(table_.get(), Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].value<Submodel>(), (Submodel{{256, 256, 256, 256}, {}}));
  }

  void aClickChoosesTheRow() {
    const QSignalSpy chosen(table_.get(), &ScoreTable::chosen);
    table_->sortByColumn(columnNamed("parameters"), Qt::AscendingOrder);
    const QRect first = table_->visualRect(table_->model()->index(0, 1));
    QTest::mouseClick(table_->viewport(), Qt::LeftButton, {}, first.center());
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].value<Submodel>(), (Submodel{{32, 32, 32, 32}, {}}));
  }

  void newNumbersLeaveTheSelection() {
    table_->sortByColumn(columnNamed("parameters"), Qt::AscendingOrder);
    table_->selectRow(2);
    std::vector<ElasticPoint> points = sampleScores();
    const QString before = text(2, columnNamed("loss"));
    for (ElasticPoint& point : points) point.score.loss += 1;
    table_->setPoints(points);
    QVERIFY(text(2, columnNamed("loss")) != before);
    QVERIFY(table_->selectionModel()->isRowSelected(2));
    points.resize(points.size() / 2);
    table_->setPoints(points);  // the control: other rows
    QVERIFY(!table_->selectionModel()->hasSelection());
  }

  void theChosenRowIsNamedInGoldAndSpoken() {
    const Submodel submodel{{64, 64, 128, 128}, {}};
    const auto marked = [this] {
      int rows = 0;
      for (int row = 0; row < table_->model()->rowCount(); ++row) {
        const QModelIndex cell = table_->model()->index(row, 0);
        const bool gold = cell.data(Qt::ForegroundRole).isValid();
        if (gold != cell.data(Qt::AccessibleTextRole).toString().endsWith(", chosen")) return -1;
        rows += gold;
      }
      return rows;
    };
    QCOMPARE(marked(), 0);
    table_->setChosen(submodel);
    QCOMPARE(marked(), 1);
    table_->setChosen(Submodel{{32, 32, 32, 32}, {}});  // not its separate twin
    QCOMPARE(marked(), 1);
  }

  void thePaperHasTheOrderOfTheScreen() {
    table_->sortByColumn(columnNamed("parameters"), Qt::DescendingOrder);
    QByteArray svg = svgOf(*table_);
    QVERIFY(svg.indexOf(">346096<") < svg.indexOf(">230512<"));
    table_->sortByColumn(columnNamed("parameters"), Qt::AscendingOrder);
    svg = svgOf(*table_);
    QVERIFY(svg.indexOf(">346096<") > svg.indexOf(">230512<"));
  }

  void theFileHasEverySeed() { QCOMPARE(table_->figureData().rows.size(), sampleScores().size()); }

  void anEmptyTableSaysWhatToDo() {
    const QImage full = table_->viewport()->grab().toImage();
    table_->setPoints({});
    const QImage words = table_->viewport()->grab().toImage();
    QImage blank(words.size(), words.format());
    blank.fill(words.pixelColor(1, words.height() - 2));
    QVERIFY(words != full);
    QVERIFY(words.copy(60, 60, 780, 380) != blank.copy(60, 60, 780, 380));
  }

 private:
  QString text(int row, int column) const {
    return table_->model()->index(row, column).data().toString();
  }

  std::unique_ptr<ScoreTable> table_;
};

TFM_TEST(TestScoreTable)
#include "test_score_table.moc"
