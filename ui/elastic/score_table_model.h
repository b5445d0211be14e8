// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <vector>

#include "ui/elastic/elastic_mark.h"

namespace tfm::ui {

class Style;

/// A table model with a row for each mark and the columns of scoreColumns(); kOrder is the sort
/// role.
class ScoreTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  static constexpr int kOrder = Qt::UserRole;

  explicit ScoreTableModel(const Style& style, QObject* parent = nullptr);

  void setMarks(std::vector<ElasticMark> marks);
  const std::vector<ElasticMark>& marks() const { return marks_; }
  void setChosen(const std::optional<Submodel>& submodel);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  bool isChosen(const ElasticMark& mark) const;

  const Style& style_;
  std::vector<ElasticMark> marks_;
  std::optional<Submodel> chosen_;
};

}  // namespace tfm::ui
