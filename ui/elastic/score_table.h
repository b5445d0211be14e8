// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <optional>
#include <vector>

#include "ui/elastic/elastic_mark.h"
#include "ui/figure/figure.h"
#include "ui/forward.h"

namespace tfm::ui {

/// The scatter's data as a table: one row for each kind and submodel, mean ± standard deviation for
/// several seeds. Clicking a header sorts; Ctrl+C copies the selected rows with the headers, or all
/// rows.
class ScoreTable : public QTableView, public Figure {
  Q_OBJECT

 public:
  explicit ScoreTable(const Style& style, QWidget* parent = nullptr);

  void setPoints(std::vector<ElasticPoint> points);
  /// Highlights the row of the chosen submodel, if any.
  void setChosen(const std::optional<Submodel>& submodel);

  QString figureTitle() const override;
  QSizeF figureSize() const override;
  /// The rows in the order shown.
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// Every point with its seed.
  DataTable figureData() const override;

 signals:
  /// A row was clicked or confirmed with Enter.
  void chosen(const tfm::Submodel& submodel);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  /// Writes the marks into their rows; the chosen one is gold.
  void fill();
  void updateSizes();
  void copy() const;
  void choose(const QModelIndex& index);
  /// The shown texts, headers first.
  std::vector<QStringList> shownRows() const;

  const Style& style_;
  QStandardItemModel* cells_;
  std::vector<ElasticPoint> points_;
  std::vector<ElasticMark> marks_;
  std::optional<Submodel> chosen_;
};

}  // namespace tfm::ui
