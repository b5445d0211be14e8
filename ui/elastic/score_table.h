// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/elastic/elastic_mark.h"
#include "ui/widgets/table.h"

namespace tfm::ui {

/// The scatter's data as a table: one row for each kind and submodel, mean ± standard deviation for
/// several seeds. Clicking a header sorts.
class ScoreTable : public Table {
  Q_OBJECT

 public:
  explicit ScoreTable(const Style& style, QWidget* parent = nullptr);

  void setPoints(std::vector<ElasticPoint> points);
  /// Highlights the row of the chosen submodel, if any.
  void setChosen(const std::optional<Submodel>& submodel);

  QSize sizeHint() const override { return QTableWidget::sizeHint(); }
  /// Every point with its seed.
  DataTable figureData() const override;

 signals:
  /// A row was clicked or confirmed with Enter.
  void chosen(const tfm::Submodel& submodel);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void showTitles(bool by_position);
  /// Writes the marks into their rows; the chosen one is gold.
  void fill();
  void updateSizes();
  void choose(const QModelIndex& index);

  std::vector<ElasticPoint> points_;
  std::vector<ElasticMark> marks_;
  std::optional<Submodel> chosen_;
};

}  // namespace tfm::ui
