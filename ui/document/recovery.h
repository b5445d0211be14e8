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
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/io/file_lock.h"
#include "ui/document/undo_history.h"

namespace tfm::ui {

class ModelDocument;

/// A run that was not saved when its program ended in no orderly way.
struct LeftRun {
  std::filesystem::path copy;
  QString name;  ///< of its file, else of its task
  std::int64_t step = 0;
  std::optional<double> accuracy;  ///< share of right answers to held-out questions
  QDateTime when;                  ///< it was copied
  DocumentFile file;               ///< that the run had
  io::FileLock lock;               ///< it is offered by nobody else
};

/// Keeps a copy of a document that is not saved, for the day that the program is killed. A copy is
/// taken between two steps and written on another thread: 30 seconds after the first change that it
/// lacks, soon after a pause, and at once when another model or run is gone on with; later only
/// where all that would take more than a hundredth of the time. It goes when the document is saved
/// and when the program ends in order. A run without a step takes no other run's place.
class Recovery : public QObject {
  Q_OBJECT

 public:
  /// Copies are in `folder`, which is made where it is missing; each program has its own. Throws
  /// Error.
  Recovery(ModelDocument& document, std::filesystem::path folder, QObject* parent = nullptr);
  ~Recovery() override;

  /// The longest time that a change waits for its copy.
  void setInterval(std::chrono::milliseconds interval) { interval_ = interval; }

  /// What dead programs have left, the newest first. As long as an entry lives nobody else gets it.
  std::vector<LeftRun> leftRuns() const;
  /// Makes it the document, not saved. Throws Error; then it stays where it was.
  void open(const LeftRun& run);
  static void discard(const LeftRun& run);

  /// Copies what is not saved before the program ends, and waits for it; needs no event loop.
  /// Returns where the copy is, which stays there; "" where nothing would be lost. Throws Error.
  QString rescue();

  const std::filesystem::path& copy() const { return copy_; }

 signals:
  /// A copy could not be written. The next one is tried later.
  void failed(const tfm::Error& problem);

 private:
  struct Order;
  class Job;

  bool isWanted() const;
  void changed();
  /// Copies so many milliseconds from now at the latest.
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
  bool told_ = false;     ///< that it failed
  double cost_ = 0.0;     ///< seconds of computing that the last copy took
};

}  // namespace tfm::ui
