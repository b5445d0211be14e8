// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <optional>

#include "core/io/file_identity.h"
#include "core/io/file_kind.h"
#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/window/forward.h"

namespace tfm::ui {

/// The files of the main window: opening, importing, saving and recovery, with the questions that
/// belong to them.
class WindowFiles : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  WindowFiles(MainWindow& window, const Style& style, ModelDocument& document, Settings& settings);

  /// See MainWindow.
  bool open(const QString& path);
  void offerRecovery(Recovery& recovery);
  void setUnattended(bool unattended) { unattended_ = unattended; }

  /// Starts in this folder; "": in the last one used.
  void openChosen(const QString& folder = {});
  void importChosen();
  /// How the tensors of the imported model became parameters, or that the open one was not
  /// imported.
  void showTensorMap();
  bool save();
  bool saveAs();
  /// Asks where to save a copy without what the window shows.
  void saveBare();
  void exportWeights();
  /// Asks about unsaved changes; false to cancel.
  bool maybeSave();
  /// Reports, once per version, that another program has changed the file.
  void checkForExternalChange();

 private:
  enum class Conflict { Replace, AnotherName, Cancel };

  bool importModel(const QString& folder);
  /// Opens what `read` gives, on another thread, of that file or folder. False, and said: it is not
  /// open, because of an error or because the user cancelled.
  bool openRead(const QString& path, std::function<ReadModel()> read);
  /// Explains what kind of file this is if it is not a document.
  void explain(const QString& path, io::FileKind kind);
  /// Asks before replacing what another program has written.
  bool saveTo(const QString& path);
  Conflict askAbout(const io::FileReplaced& problem);
  QString proposedPath() const;
  /// How many bytes of moments and pins to save, asked once a document if they are many; none:
  /// saving is cancelled.
  std::optional<std::int64_t> keptBytes();

  MainWindow& window_;
  const Style& style_;
  ModelDocument& document_;
  Settings& settings_;
  bool unattended_ = false;
  QString imported_;  ///< the folder or file of the open model; empty: it is a document
  std::optional<std::int64_t> kept_bytes_;  ///< as asked for the open document
  io::FileIdentity noticed_;                ///< the last external version reported
};

}  // namespace tfm::ui
