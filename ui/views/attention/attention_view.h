// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <functional>
#include <optional>

#include "ui/document/forward.h"
#include "ui/heatmap/forward.h"
#include "ui/style/forward.h"
#include "ui/views/attention/attention_content.h"
#include "ui/views/attention/attention_shown.h"
#include "ui/views/forward.h"
#include "ui/views/view.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// Attention: all heads as small maps, one large map or lines, its stages, rollout, and the
/// difference from pin A.
class AttentionView : public View {
  Q_OBJECT

 public:
  /// Both must outlive the view.
  AttentionView(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

  const AttentionShown& state() const { return shown_; }
  /// Shows another map, form or lock, as clicks would. What does not exist now is shown once it
  /// does.
  void setState(const AttentionShown& state);
  /// Locks a map and a cell; false if they do not exist now.
  bool lock(const MapId& map, const std::optional<Cell>& cell);
  /// What is exported: the large map with its step.
  AttentionForms& forms() { return *forms_; }
  QSize minimumSizeHint() const override;

 protected:
  Need need() const override;
  void shown() override;
  /// If the inspector is hidden, as on a projector, the cell is shown beside the map.
  void inspectorShown(bool shown) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeBody();
  void connectAll();
  void takeSnapshot();
  void takePin();
  /// Shows no maps, and why.
  void showNothing(const QString& title, const QString& sentence);
  /// Draws the maps and the choice.
  void render();
  void refreshInspector();
  void showSentence();
  AttentionChoice choice() const;
  /// Changes the state.
  void change(const std::function<void(AttentionShown&)>& change);
  /// Tells other views which cell of one head is locked.
  void choose();
  /// Locks what another view has chosen.
  void followChoice();
  /// Whether there is only enough height for the maps.
  bool isLow() const;
  void updateSizes();

  const Style& style_;
  ModelDocument& document_;
  AttentionContent content_;
  AttentionShown shown_;
  bool alone_ = false;  ///< the inspector is hidden

  Panel* panel_;
  QuestionField* question_;
  HeatGrid* grid_;
  AttentionForms* forms_;
  AttentionAside* aside_;
  AttentionTools* tools_;
  AttentionChanges* changes_;
  QPointer<AttentionInspector> inspector_;
  QBoxLayout* body_;
};

}  // namespace tfm::ui
