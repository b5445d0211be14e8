// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <filesystem>

#include "core/io/file_lock.h"
#include "ui/document/open_run.h"
#include "ui/document/undo_history.h"

namespace tfm::ui {

/// The file of the open document, and whether it holds all of it.
class Files : public QObject {
  Q_OBJECT

 public:
  explicit Files(const OpenRun& run) : run_(run) {}

  const DocumentFile& file() const { return file_; }
  const QString& path() const { return file_.path; }
  /// The name for the title bar: that of the file, or of the task.
  QString name() const;
  /// Whether the content is not what was saved.
  bool isModified() const { return modified_; }
  /// Whether another program has changed the document's file since it was opened or saved.
  bool isModifiedExternally() const;
  /// Which other program has the document's file open, e.g. "process 4711 on lab-pc-3"; else "".
  QString lockHolder() const { return QString::fromStdString(lock_.holder()); }

  /// For the document: its content may have changed.
  void update(const Content& content);
  /// The same: it has another file, and this content. Without a signal: emit titleChanged().
  void set(const DocumentFile& file, const Content& content);
  /// Throws Error and leaves the old file unchanged. Unless `replace`, throws io::FileReplaced if
  /// another program has changed the document's file since it was opened or saved, or has the file
  /// open.
  /// `content`: of the document, and `now`: that of the open one, which may have been trained on.
  void save(const QString& path, const train::Document& document, bool replace,
            const Content& content, const Content& now);
  /// Saves to another file; the document keeps its own. Throws Error, also if that is its own.
  void saveCopy(const QString& path, const train::Document& document) const;

 signals:
  void titleChanged();

 private:
  bool isOwn(const QString& path) const;

  const OpenRun& run_;
  DocumentFile file_;
  io::FileLock lock_;
  bool modified_ = false;
};

/// The path of a file as the standard library writes it.
std::filesystem::path filePath(const QString& path);

}  // namespace tfm::ui
