// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <future>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/io/file_lock.h"
#include "ui/document/forward.h"
#include "ui/document/undo_history.h"

namespace tfm::ui {

/// A run that was not saved before its program crashed or was killed.
struct RecoverableRun {
  std::filesystem::path copy;
  QString name;  ///< of its file, else of its task
  std::int64_t step = 0;
  std::optional<double> accuracy;  ///< share of right answers to held-out questions
  QDateTime when;                  ///< the copy was made
  DocumentFile file;               ///< the run's own file
  io::FileLock lock;               ///< keeps other programs from offering it
};

/// Keeps a recovery copy of an unsaved document in case the program crashes or is killed. The copy
/// is taken between two steps and written on another thread: 30 seconds after the first change it
/// lacks, soon after a pause, and at once for another model or run; later only if copying would
/// take more than a hundredth of the time. It is removed when the document is saved and when the
/// program ends normally. A run at step 0 does not replace the copy of another run.
class Recovery : public QObject {
  Q_OBJECT

 public:
  /// Writes to `folder`, which is created if missing; each program has its own copy. Throws Error.
  Recovery(ModelDocument& document, std::filesystem::path folder, QObject* parent = nullptr);
  ~Recovery() override;

  /// The longest time before a change is copied.
  void setInterval(std::chrono::milliseconds interval) { interval_ = interval; }

  /// Runs left by programs that no longer run, newest first. While an entry exists, no other
  /// program gets it.
  std::vector<RecoverableRun> recoverableRuns() const;
  /// Opens the run as an unsaved document. Throws Error and leaves the copy where it is.
  void open(const RecoverableRun& run);
  static void discard(const RecoverableRun& run);

  /// Copies unsaved work before the program ends, and waits for it; needs no event loop. Returns
  /// the path of the copy, which is kept; "" if nothing would be lost. Throws Error.
  QString rescue();

  const std::filesystem::path& copy() const { return copy_; }

 signals:
  /// A copy was made and took this much computing, in seconds.
  void copied(double cost);
  /// A copy could not be written. The next attempt is made later.
  void failed(const tfm::Error& problem);

 private:
  struct Order;
  class Job;

  bool isWanted() const;
  void changed();
  /// Copies within this many milliseconds.
  void copyWithin(std::int64_t milliseconds);
  void begin();
  void finish(double cost, const std::optional<Error>& problem);
  void wait();
  void remove();
  Order order() const;

  ModelDocument& document_;
  const std::filesystem::path folder_, copy_;
  io::FileLock lock_;
  QThreadPool writer_;
  QTimer due_;
  QElapsedTimer since_copy_;
  std::chrono::milliseconds interval_;
  std::future<void> job_;
  bool busy_ = false;
  bool changed_ = false;  ///< since the newest copy
  bool at_once_ = false;  ///< the change is another model or run
  bool kept_ = false;     ///< rescue() has been called
  bool failure_reported_ = false;
  double cost_ = 0.0;  ///< seconds of computing that the last copy took
};

}  // namespace tfm::ui
