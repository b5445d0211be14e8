// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/recovery.h"

#include <unistd.h>

#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <ctime>
#include <system_error>
#include <utility>

#include "core/document/document.h"
#include "core/io/atomic_file.h"
#include "core/io/read_file.h"
#include "core/train/counted_answers.h"
#include "ui/document/model_document.h"

namespace tfm::ui {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kInterval(30);
constexpr std::int64_t kAfterPause = 500;  // milliseconds: single steps pause often
constexpr double kMaxCopying = 100.0;      // copying takes at most 1 / this of the time
constexpr std::uint64_t kLongestNote = 1 << 16;

/// A unique name, even if an earlier process had the same id.
fs::path copyIn(const fs::path& folder) {
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return folder /
         ("run-" + std::to_string(now) + "-" + std::to_string(::getpid()) + ".safetensors");
}

/// The metadata is a separate file because a copy may be large.
fs::path noteOf(fs::path copy) { return copy.replace_extension(".json"); }

fs::path made(fs::path folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw Error("cannot create the folder: " + failure.message(), folder.string(),
                "No recovery copies can be kept without it");
  return folder;
}

/// CPU time of this thread, in seconds.
double computed() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

void removeCopy(const fs::path& copy) {
  std::error_code gone;
  fs::remove(copy, gone);
  fs::remove(noteOf(copy), gone);
}

QJsonObject readNote(const fs::path& copy) {
  try {
    const std::string note = io::readFile(noteOf(copy), kLongestNote);
    return QJsonDocument::fromJson(QByteArray::fromStdString(note)).object();
  } catch (const Error&) {  // the copy itself is still worth offering
    return {};
  }
}

RecoverableRun recoverableRun(const fs::path& copy, io::FileLock lock) {
  const QJsonObject note = readNote(copy);
  RecoverableRun run;
  run.copy = copy;
  run.name = note["name"].toString(QString::fromStdString(copy.filename().string()));
  run.step = note["step"].toInteger();
  if (note["accuracy"].isDouble()) run.accuracy = note["accuracy"].toDouble();
  run.when = QDateTime::fromString(note["when"].toString(), Qt::ISODateWithMs).toLocalTime();
  run.file = {note["path"].toString(),
              {note["exists"].toBool(), note["inode"].toString().toULongLong(),
               note["size"].toString().toLongLong(), note["modified_ns"].toString().toLongLong()}};
  run.lock = std::move(lock);
  return run;
}

}  // namespace

/// What to write with a copied document, and where.
struct Recovery::Order {
  fs::path copy;
  QString name;
  DocumentFile file;
  data::TaskForm form{};

  void write(const train::Document& document) const;
};

void Recovery::Order::write(const train::Document& document) const {
  QJsonObject note{{"name", name},
                   {"step", qint64(document.state.step)},
                   {"when", QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs)},
                   {"path", file.path},
                   {"exists", file.known.exists},
                   // JSON numbers are doubles, which are too short for these.
                   {"inode", QString::number(file.known.inode)},
                   {"size", QString::number(file.known.size)},
                   {"modified_ns", QString::number(file.known.modified_ns)}};
  if (const auto& all = document.history.evaluations; !all.empty())
    note["accuracy"] = train::countedAccuracy(form, all.back());
  // The note first, so that no copy lacks one.
  io::writeFile(noteOf(copy), QJsonDocument(note).toJson().toStdString());
  train::saveDocument(copy, document);
}

/// One copy on its way from the training thread to the disk. Always calls finish().
class Recovery::Job {
 public:
  Job(Recovery& recovery, Order order) : recovery_(recovery), order_(std::move(order)) {}
  ~Job() {
    const auto pass = [recovery = &recovery_, cost = cost_, problem = problem_] {
      recovery->finish(cost, problem);
    };
    QMetaObject::invokeMethod(&recovery_, pass, Qt::QueuedConnection);
    done_.set_value();  // the recovery may be destroyed from now on
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  std::future<void> done() { return done_.get_future(); }

  void write(const train::Document& document, double copying) {
    const double begin = computed();
    problem_ = problemOf([&] { order_.write(document); });
    cost_ = copying + computed() - begin;
  }

 private:
  Recovery& recovery_;
  const Order order_;
  std::promise<void> done_;
  double cost_ = 0.0;
  std::optional<Error> problem_;
};

Recovery::Recovery(ModelDocument& document, fs::path folder, QObject* parent)
    : QObject(parent),
      document_(document),
      folder_(made(std::move(folder))),
      copy_(copyIn(folder_)),
      lock_(copy_),
      interval_(kInterval) {
  writer_.setMaxThreadCount(1);
  due_.setSingleShot(true);
  connect(&due_, &QTimer::timeout, this, &Recovery::begin);
  connect(&document_.training(), &Training::measured, this, &Recovery::changed);
  connect(&document_.training(), &Training::flagged, this, &Recovery::changed);
  connect(&document_.training(), &Training::configChanged, this, &Recovery::changed);
  connect(&document_.interventions(), &Interventions::changed, this, &Recovery::changed);
  const auto at_once = [this] {
    changed();
    at_once_ = document_.training().step() > 0;
    if (at_once_) copyWithin(0);
  };
  connect(&document_.training(), &Training::rewound, this, at_once);
  connect(&document_, &ModelDocument::replaced, this, at_once);
  connect(&document_.training(), &Training::runningChanged, this, [this](bool running) {
    if (!running && changed_) copyWithin(kAfterPause);
  });
  connect(&document_.files(), &Files::titleChanged, this, [this] {
    if (!document_.files().isModified() && !busy_) remove();
  });
}

Recovery::~Recovery() {
  wait();
  if (!kept_) remove();
}

bool Recovery::isWanted() const {
  if (!document_.isOpen() || !document_.files().isModified()) return false;
  return document_.training().step() > 0 || !fs::exists(copy_);
}

void Recovery::changed() {
  changed_ = true;
  copyWithin(interval_.count());
}

void Recovery::copyWithin(std::int64_t milliseconds) {
  const auto dear = std::int64_t(1000.0 * kMaxCopying * cost_);
  const std::int64_t passed = since_copy_.isValid() ? since_copy_.elapsed() : dear;
  const std::int64_t rest = milliseconds == 0 ? 0 : std::max(milliseconds, dear - passed);
  if (!due_.isActive() || due_.remainingTime() > rest) due_.start(std::chrono::milliseconds(rest));
}

Recovery::Order Recovery::order() const {
  const DocumentFile& file = document_.files().file();
  const QString task = QString::fromStdString(document_.codec().name());
  const QString name = file.path.isEmpty() ? task : document_.files().name();
  return {copy_, name, file, document_.codec().form()};
}

void Recovery::begin() {
  if (busy_ || kept_ || !isWanted()) return;  // finish() starts the next one
  busy_ = true;
  changed_ = at_once_ = false;
  const auto job = std::make_shared<Job>(*this, order());
  job_ = job->done();
  document_.copy([job, writer = &writer_](train::Document document, double seconds) {
    const auto copied = std::make_shared<const train::Document>(std::move(document));
    writer->start([job, copied, seconds] { job->write(*copied, seconds); });
  });
}

void Recovery::finish(double cost, const std::optional<Error>& problem) {
  busy_ = false;
  cost_ = cost;
  since_copy_.start();
  due_.stop();  // what was due by the cost of the copy before
  emit copied(cost);
  if (kept_) return;
  if (!document_.files().isModified()) {
    remove();
  } else if (problem) {
    changed_ = true;
    copyWithin(interval_.count());
    if (!std::exchange(failure_reported_, true)) emit failed(*problem);
  } else if (changed_) {
    copyWithin(at_once_ ? 0 : document_.training().isRunning() ? interval_.count() : kAfterPause);
  }
}

void Recovery::wait() {
  if (job_.valid()) job_.wait();
}

void Recovery::remove() { removeCopy(copy_); }

std::vector<RecoverableRun> Recovery::recoverableRuns() const {
  std::vector<RecoverableRun> runs;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, failure)) {
    fs::path copy = entry.path();
    const bool note = copy.extension() == ".json";
    copy.replace_extension(".safetensors");
    if ((!note && entry.path() != copy) || copy == copy_) continue;
    io::FileLock lock(copy);
    if (!lock.held()) continue;  // its window still runs
    if (note && !fs::exists(copy)) removeCopy(copy);
    if (!note) runs.push_back(recoverableRun(copy, std::move(lock)));
  }
  std::ranges::sort(runs, std::ranges::greater(), &RecoverableRun::when);
  return runs;
}

void Recovery::open(const RecoverableRun& run) {
  train::Document document = train::openDocument(run.copy);
  wait();
  document_.recover(std::move(document), run.file);
  // From now on this program owns the copy.
  std::error_code failure;
  fs::rename(run.copy, copy_, failure);
  fs::rename(noteOf(run.copy), noteOf(copy_), failure);
}

void Recovery::discard(const RecoverableRun& run) { removeCopy(run.copy); }

QString Recovery::rescue() {
  kept_ = true;
  wait();
  if (!document_.files().isModified()) remove();
  if (!isWanted()) return fs::exists(copy_) ? QString::fromStdString(copy_.string()) : QString();
  const auto copied = std::make_shared<std::promise<train::Document>>();
  document_.copy(
      [copied](train::Document document, double) { copied->set_value(std::move(document)); });
  order().write(copied->get_future().get());
  return QString::fromStdString(copy_.string());
}

}  // namespace tfm::ui
