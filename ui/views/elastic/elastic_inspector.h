// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "ui/document/forward.h"
#include "ui/elastic/forward.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/widgets/forward.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {

/// The right side of Elastic: the width of each layer of the chosen submodel, its numbers, and
/// Mix'n'Match.
class ElasticInspector : public SideZone {
  Q_OBJECT

 public:
  ElasticInspector(const Style& style, ModelDocument& document, SubmodelExplorer& explorer,
                   QWidget* parent = nullptr);

  WidthBars& bars() const { return *bars_; }
  ElasticNumbers& numbers() const { return *numbers_; }
  MixPanel& mixes() const { return *mixes_; }
  /// The model, its granularities or what is shown of them changed; `layer` is shown.
  void showModel(int layer);
  void showChoice();
  void showScores();
  /// Saves the chosen submodel as a document; saved() or failed() follows.
  void extractTo(const QString& path);

 signals:
  /// The submodel of that name was saved as a document.
  void saved(const QString& name, const QString& path);
  void failed(const tfm::Error& problem);

 private:
  void extract();

  ModelDocument& document_;
  SubmodelExplorer& explorer_;
  WidthBars* bars_;
  ElasticNumbers* numbers_;
  QPushButton* extract_;
  MixPanel* mixes_;
};

}  // namespace tfm::ui
