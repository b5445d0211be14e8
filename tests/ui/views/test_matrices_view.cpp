// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <memory>

#include "tests/ui/views/test_document.h"
#include "ui/scene/matrix_wall.h"
#include "ui/style/style.h"
#include "ui/views/matrices/matrices_view.h"

using namespace tfm;
using namespace tfm::ui;

class TestMatricesView : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<Style> style_;
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<MatricesView> view_;

  bool inspectorSays(const QString& text) {
    for (const QLabel* label : view_->inspector()->findChildren<QLabel*>())
      if (!label->isHidden() && label->text().contains(text)) return true;
    return false;
  }
  const MatrixSlab& named(const QString& name) {
    for (const MatrixSlab& slab : view_->wall().slabs())
      if (slab.name == name) return slab;
    qFatal("no such slab");
  }

 private slots:
  void init() {
    style_ = std::make_unique<Style>(*qobject_cast<QApplication*>(qApp));
    style_->setMotion(false);
    document_ = std::make_unique<ModelDocument>(1);
    startRot13(*document_);
    view_ = std::make_unique<MatricesView>(*style_, *document_);
    view_->resize(850, 640);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
  }
  void cleanup() {
    view_.reset();
    document_.reset();
    style_.reset();
  }

  void everyParameterIsASlab() {
    QCOMPARE(view_->wall().slabs().size(), document_->layout().parameters.size());
    QCOMPARE(named("decoder.layers.0.self_attention.query.weight").group,
             QString("decoder layer 1: self attention"));
  }

  void axesAreWrittenWithTheMultiplicationSign() {
    const MatrixSlab& key = named("decoder.layers.0.self_attention.key.weight");
    QCOMPARE(key.row_axis, QString("head %1 key").arg(QChar(0x00d7)));
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

  void theInspectorSaysWhatToDoAndThenWhatACellIs() {
    QVERIFY(inspectorSays("Point at a cell"));
    view_->wall().setPickedCell(CellRef{1, 0, 0});
    QVERIFY(!inspectorSays("Point at a cell"));
    QVERIFY(inspectorSays(view_->wall().slabs()[1].name));
    view_->wall().setPickedCell(std::nullopt);
    QVERIFY(inspectorSays("Point at a cell"));
    emit view_->wall().cellHovered(0, 1, 1);
    QVERIFY(inspectorSays(view_->wall().slabs()[0].name));
    emit view_->wall().hoverEnded();
    QVERIFY(inspectorSays("Point at a cell"));
  }
};

QTEST_MAIN(TestMatricesView)
#include "test_matrices_view.moc"
