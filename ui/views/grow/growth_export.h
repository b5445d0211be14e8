// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSize>
#include <QString>
#include <functional>
#include <memory>

#include "core/base/error.h"
#include "ui/document/forward.h"
#include "ui/growth/animation_export.h"
#include "ui/growth/forward.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"

namespace tfm::ui {

/// The path with the extension of the chosen kind of film ("mp4", "gif", or "" for a folder of
/// images). A typed extension of another kind overrides the dialog's default, which is mp4.
QString filmPath(const QString& path, const QString& ending);

/// The files of the Grow screen: plans as JSON, as the command line reads and writes them, and the
/// growth as a film or as a figure of before and after.
class GrowthExport : public QObject {
  Q_OBJECT

 public:
  /// What films and figures are of; null: nothing is planned or was applied.
  using Subject = std::function<std::shared_ptr<const GrowthPreview>()>;

  /// All must outlive this; dialogs belong to `window`.
  GrowthExport(const Style& style, PlanEditor& editor, GrowthPictures& pictures, Subject subject,
               QWidget& window);

  void openPlan(const QString& path);
  void savePlan(const QString& path);
  /// Before and after as one figure; there must be a subject.
  std::unique_ptr<GrowthPair> beforeAndAfter() const;
  /// Makes a painter of film frames, in the current look; there must be a subject.
  FramePainter film(const QSize& frame) const;

  /// The same after a dialog asks for a path. Films show their progress and can be cancelled.
  void askForPlan();
  void askWhereToSave();
  void askForFilm();
  void askForPair();

 signals:
  /// A file was written; `what` describes it.
  void saved(const QString& what, const QString& path);
  void failed(const tfm::Error& problem);

 private:
  /// Calls `write` and emits saved() with the path it returns, unless that is empty because the
  /// user cancelled, or failed() with the Error it throws.
  void write(const QString& what, const std::function<QString()>& write);
  QString writeFilm();
  QString writePair();

  const Style& style_;
  PlanEditor& editor_;
  GrowthPictures& pictures_;
  const Subject subject_;
  QWidget& window_;
};

}  // namespace tfm::ui
