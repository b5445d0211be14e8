// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QPainter>
#include <QRegularExpression>
#include <algorithm>
#include <utility>

#include "tests/test_program.h"
#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/views/view_bench.h"
#include "ui/scene/matrix_wall.h"
#include "ui/views/matrices/matrices_view.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/pin_chip.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/value_strip.h"

using namespace tfm;
using namespace tfm::ui;

class TestMatricesView : public QObject, private ViewBench<MatricesView> {
  Q_OBJECT

 private:
  int slabNamed(const QString& name) {
    const auto& slabs = view_->wall().slabs();
    const auto found = std::ranges::find(slabs, name, &MatrixSlab::name);
    if (found == slabs.end()) qFatal("no such slab");
    return int(found - slabs.begin());
  }
  const MatrixSlab& named(const QString& name) {
    return view_->wall().slabs()[std::size_t(slabNamed(name))];
  }

  /// All texts in the scene, in lower case.
  QString written() {
    QStringList words;
    const QRegularExpression text(">([^<>]+)</text>");
    auto found = text.globalMatch(QString::fromUtf8(svgOf(view_->wall())));
    while (found.hasNext()) words += found.next().captured(1).trimmed();
    return words.join(' ').toLower();
  }

 private slots:
  void init() { setUp(startRot13, {850, 640}, false); }
  void cleanup() { tearDown(); }

  void everyParameterIsASlab() {
    QCOMPARE(view_->wall().slabs().size(), document_->moments().layout().parameters.size());
    QCOMPARE(named("decoder.layers.0.self_attention.query.weight").group,
             QString("decoder layer 1: self attention"));
  }

  /// Rows of the embeddings and of the output layer are named by their tokens, others are not.
  void rowsAreNamedByTheirTokens() {
    for (const char* name :
         {"encoder.embedding.weight", "decoder.embedding.weight", "output.weight", "output.bias"}) {
      const MatrixSlab& slab = named(name);
      QCOMPARE(std::ssize(slab.row_names), slab.rows);
      QCOMPARE(slab.row_names[1], QString("b"));
    }
    QVERIFY(named("encoder.layers.0.feed_forward.linear1.weight").row_names.empty());
    MatrixWall& wall = view_->wall();
    const int output = slabNamed("output.weight");
    QVERIFY(wall.describe({output, 4, 2}).contains(QString::fromUtf8("“e”")));
    wall.setPickedCell(CellRef{output, 4, 2});
    const auto labels = view_->inspector()->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
      return label->text().contains(QString::fromUtf8("row 5 “e” of 28"));
    }));
    // Beside the rows once they are large enough.
    const auto tokens = [&] { return written().split(' ').count("q"); };
    const auto far = tokens();
    wall.approachSlab(output);
    QTRY_VERIFY(tokens() > far);
  }

  void matricesFillThePane() {
    // The box around all slabs that can be pointed at, as a share of the pane.
    const MatrixWall& wall = view_->wall();
    QRect box;
    for (int y = 0; y < wall.height(); y += 4)
      for (int x = 0; x < wall.width(); x += 4)
        if (wall.cellAt(QPointF(x, y))) box |= QRect(x, y, 4, 4);
    QVERIFY(box.width() > wall.width() * 0.8);
    QVERIFY(box.height() > wall.height() * 0.6);
  }

  void theSelectedViewIsTheCurrentCamera() {
    auto& views = *view_->findChild<Segmented*>();
    MatrixWall& wall = view_->wall();
    const Camera home = wall.camera();
    const auto atHome = [&] {
      return views.current() == int(MatrixWall::kHome) && wall.camera().azimuth == home.azimuth &&
             wall.camera().distance == home.distance;
    };
    QVERIFY(atHome());
    QTest::keyClick(&wall, Qt::Key_Left);
    QCOMPARE(views.current(), -1);  // turned by the user, it is none of the three
    views.setCurrent(int(MatrixWall::kHome));
    QVERIFY(atHome());
    wall.setFocus();
    QTest::keyClick(&wall, Qt::Key_Left);
    view_->setFocus();  // R is the screen's key, whatever has the focus
    QTest::keyClick(view_.get(), Qt::Key_R);
    QVERIFY(atHome());
    QTest::keyClick(view_.get(), Qt::Key_I);
    QCOMPARE(views.current(), int(MatrixWall::View::Iso));
    document_->start(presetNamed("tagger").config(), data::defaultTaskConfig("sort"), {});
    QVERIFY(wall.view() == MatrixWall::kHome);
    QCOMPARE(views.current(), int(MatrixWall::kHome));
  }

  void aCellOfADifferenceSaysSo() {
    const auto* number = view_->inspector()->findChild<NamedNumber*>();
    view_->wall().setPickedCell(CellRef{0, 1, 2});
    QCOMPARE(number->name(), QString("value"));
    document_->moments().pin(Pin::A);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::A));
    QVERIFY(trainTo(*document_, 3));
    document_->moments().pin(Pin::B);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::B));
    document_->moments().compare(Comparison::Difference);
    QTRY_COMPARE(number->name(), QString("difference"));
    document_->moments().showNow();
    QTRY_COMPARE(number->name(), QString("value"));
  }

  void headsAreSetApart() {
    QCOMPARE(named("encoder.layers.0.self_attention.query.weight").row_stripe, 5);
    QCOMPARE(named("encoder.layers.0.self_attention.query.weight").col_stripe, 0);
    QCOMPARE(named("encoder.layers.0.self_attention.query.bias").row_stripe, 5);
    QCOMPARE(named("encoder.layers.0.self_attention.output.weight").col_stripe, 5);
    QCOMPARE(named("encoder.layers.0.feed_forward.linear1.weight").row_stripe, 0);
    const auto lines = [&] { return svgOf(view_->wall()).count("<polyline"); };
    const auto with_heads = lines();
    auto slabs = view_->wall().slabs();
    for (MatrixSlab& slab : slabs) slab.row_stripe = slab.col_stripe = 0;
    view_->wall().setSlabs(std::move(slabs));
    // Three attentions of seven heads: six borders in each of four weights and three biases.
    QCOMPARE(with_heads - lines(), 3 * 6 * 7);
  }

  void placesAreCountedFromOne() {
    const int index = slabNamed("encoder.layers.0.feed_forward.linear1.weight");
    const MatrixSlab& slab = view_->wall().slabs()[std::size_t(index)];
    view_->wall().setPickedCell(CellRef{index, slab.rows - 1, slab.cols - 1});
    QVERIFY(inspectorSays(QString("row %1 of %1 ").arg(slab.rows)));
    QVERIFY(inspectorSays(QString("column %1 of %1 ").arg(slab.cols)));
    view_->wall().setPickedCell(CellRef{index, 0, 0});
    QVERIFY(inspectorSays(QString("row 1 of %1 ").arg(slab.rows)));
    QVERIFY(inspectorSays(QString("column 1 of %1 ").arg(slab.cols)));
  }

  void theRowMarksTheCellInTheColoursOfTheScene() {
    QTRY_VERIFY(view_->wall().slabs()[0].value(1, 0) != 0.0F);
    view_->wall().setPickedCell(CellRef{0, 1, 2});
    auto& row = *view_->inspector()->findChild<ValueStrip*>();
    QCOMPARE(row.lockedItem(), 2);
    // The same value has the same colour.
    const MatrixSlab& slab = view_->wall().slabs()[0];
    const QColor color = signedColor(paperPalette(), slab.value(1, 0), view_->wall().limit());
    QImage paper(row.figureSize().toSize(), QImage::Format_RGB32);
    QPainter painter(&paper);
    row.paintFigure(painter, paper.rect(), paperPalette());
    painter.end();
    QCOMPARE(paper.pixel(3, 3), color.rgb());
    // A click in the row goes to that cell.
    emit row.locked(4);
    QCOMPARE(view_->wall().pickedCell()->col, 4);
    QCOMPARE(view_->wall().pickedCell()->row, 1);
    QCOMPARE(row.lockedItem(), 4);
  }

  void pickingACellMovesNoTitlesOrNames() {
    MatrixWall& wall = view_->wall();
    const auto titled = [&](const QString& words) {
      for (const MatrixSlab& each : wall.slabs())
        QVERIFY2(words.contains(each.group), qPrintable(each.group + " in " + words));
    };
    wall.resize(944, 560);  // as in a window of 1280 x 800
    titled(written());
    QVERIFY(written().count("norm") >= 4);
    wall.setPickedCell(CellRef{slabNamed("encoder.layers.0.self_attention.query.weight"), 0, 0});
    titled(written());
    wall.setPickedCell(std::nullopt);
    wall.resize(1000, 700);
    QCOMPARE(written().count("norm"), 5);
    QVERIFY(written().contains("one scale for all matrices"));
    QString group;
    for (int slab = 0; slab < int(wall.slabs().size()); ++slab) {
      const QString& own = wall.slabs()[std::size_t(slab)].group;
      if (std::exchange(group, own) == own) continue;
      wall.setPickedCell(CellRef{slab, 0, 0});
      titled(written());
    }
  }

  void theNameOfAnAxisCoversNoOtherMatrix() {
    MatrixWall& wall = view_->wall();
    wall.resize(1000, 700);
    wall.setPickedCell(CellRef{slabNamed("encoder.layers.0.self_attention.key.weight"), 0, 0});
    // The query's matrix stands where the brace has its tip.
    QVERIFY(!written().contains(QString("35 head %1 key").arg(QChar(0x00d7))));
    QCOMPARE(wall.slabs()[0].name, QString("encoder.embedding.weight"));
    wall.setPickedCell(CellRef{0, 0, 0});
    QVERIFY2(written().contains("8 hidden"), qPrintable(written()));
  }

  void aLockedCellSaysSoAndCanBeUnlocked() {
    auto& kept = *view_->inspector()->findChild<PinChip*>();
    QVERIFY(kept.isHidden());
    view_->wall().setPickedCell(CellRef{1, 0, 0});
    QVERIFY(!kept.isHidden());
    emit kept.closed();
    QVERIFY(!view_->wall().pickedCell());
    QVERIFY(kept.isHidden());
  }

  void aWeightIsChosenEverywhere() {
    Selection& selection = document_->selection();
    const QString name = "encoder.layers.0.self_attention.query.weight";
    view_->wall().setPickedCell(CellRef{slabNamed(name), 3, 2});
    QVERIFY(selection.weight() != nullptr);
    QCOMPARE(*selection.weight(), (ChosenWeight{name.toStdString(), 3, 2}));
    // A bias stands as a column, but is a row of the model.
    const QString bias = "encoder.layers.0.self_attention.query.bias";
    selection.choose(ChosenWeight{bias.toStdString(), 0, 7});
    QCOMPARE(view_->wall().pickedCell(), std::optional(CellRef{slabNamed(bias), 7, 0}));
    view_->wall().setPickedCell(CellRef{slabNamed(bias), 8, 0});
    QCOMPARE(*selection.weight(), (ChosenWeight{bias.toStdString(), 0, 8}));
    view_->wall().setPickedCell(std::nullopt);
    QVERIFY(selection.weight() == nullptr);
    selection.choose(ChosenWeight{bias.toStdString(), 0, 1000});
    QVERIFY2(!view_->wall().pickedCell(), "there is no such number");
  }

  void aChosenHeadIsFramed() {
    document_->selection().choose(ChosenCell{"encoder.layers.0.self_attention", 2});
    const auto& frames = view_->wall().frames();
    const int query = slabNamed("encoder.layers.0.self_attention.query.weight");
    const int output = slabNamed("encoder.layers.0.self_attention.output.weight");
    const auto of = [&](int slab) { return *std::ranges::find(frames, slab, &SlabFrame::slab); };
    QCOMPARE(of(query).row, 10);
    QCOMPARE(of(query).rows, 5);
    QCOMPARE(of(output).col, 10);
    QCOMPARE(of(output).cols, 5);
    QCOMPARE(frames.size(), std::size_t{7});  // four weights, and three biases
    document_->selection().clear();
    QVERIFY(frames.empty());
  }

  void aReadTokenHasItsRowFramed() {
    document_->selection().choose(ReadToken{Stack::Decoder, 3, 17});
    const auto& frames = view_->wall().frames();
    QCOMPARE(frames.size(), std::size_t{1});
    QCOMPARE(frames[0].slab, slabNamed("decoder.embedding.weight"));
    QCOMPARE(frames[0].row, 17);
    QCOMPARE(frames[0].rows, 1);
    QCOMPARE(frames[0].cols, 8);
    document_->selection().choose(ReadToken{Stack::Encoder, 3, 1000});
    QVERIFY2(frames.empty(), "there is no such token");
  }

  void theInspectorShowsAHintThenTheCell() {
    QVERIFY(inspectorSays("Hover a cell"));
    view_->wall().setPickedCell(CellRef{1, 0, 0});
    QVERIFY(!inspectorSays("Hover a cell"));
    QVERIFY(inspectorSays(view_->wall().slabs()[1].name));
    view_->wall().setPickedCell(std::nullopt);
    QVERIFY(inspectorSays("Hover a cell"));
    emit view_->wall().cellHovered(0, 1, 1);
    QVERIFY(inspectorSays(view_->wall().slabs()[0].name));
    emit view_->wall().hoverEnded();
    QVERIFY(inspectorSays("Hover a cell"));
  }
};

TFM_TEST(TestMatricesView)
#include "test_matrices_view.moc"
