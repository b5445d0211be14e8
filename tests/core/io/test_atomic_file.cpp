// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/resource.h>
#include <unistd.h>

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <filesystem>
#include <limits>
#include <memory>

#include "core/io/atomic_file.h"
#include "core/io/read_file.h"
#include "tests/core/io/error_of.h"

using namespace tfm::io;
namespace fs = std::filesystem;

namespace {

/// While it lives, no file of this process may grow beyond `bytes`: a full disk without a disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

}  // namespace

class TestAtomicFile : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void writesAndReplaces();
  void leavesTheOldFileWithoutCommit();
  void keepsTheOldFileOnFullDisk();
  void refusesMissingFolder();
  void refusesReadOnlyFolder();
  void refusesWriteProtectedFile();
  void refusesFoldersAndDevices();
  void keepsPermissionsAndLinks();
  void writesTwoFilesAtOnce();
  void limitsWhatIsRead();
  void saysWhatDoesNotFitOnTheDisk();

 private:
  fs::path path(const char* name) const { return fs::path(folder_->path().toStdString()) / name; }
  QStringList files() const {
    return QDir(folder_->path()).entryList(QDir::Files | QDir::Hidden, QDir::Name);
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

void TestAtomicFile::init() { folder_ = std::make_unique<QTemporaryDir>(); }

void TestAtomicFile::writesAndReplaces() {
  writeFile(path("a"), "first");
  writeFile(path("a"), "second");
  QCOMPARE(readFile(path("a"), 100), std::string("second"));
  QCOMPARE(files(), QStringList{"a"});
}

void TestAtomicFile::leavesTheOldFileWithoutCommit() {
  writeFile(path("a"), "old");
  {
    AtomicFile file(path("a"));
    file.write("new");
    QCOMPARE(files().size(), 2);  // the temporary file is beside the target
    QCOMPARE(readFile(path("a"), 100), std::string("old"));
  }
  QCOMPARE(files(), QStringList{"a"});
  QCOMPARE(readFile(path("a"), 100), std::string("old"));
}

void TestAtomicFile::keepsTheOldFileOnFullDisk() {
  writeFile(path("a"), "old");
  QByteArray message;
  {
    const FileSizeLimit limit(4096);
    message = tfm::test::errorOf([&] { writeFile(path("a"), std::string(10'000, 'x')); });
  }
  QVERIFY2(message.contains("File too large") && message.contains("Free some space"), message);
  QCOMPARE(files(), QStringList{"a"});
  QCOMPARE(readFile(path("a"), 100), std::string("old"));
}

void TestAtomicFile::refusesMissingFolder() {
  TFM_VERIFY_ERROR(writeFile(path("no/a"), "x"), "No such file or directory");
  TFM_VERIFY_ERROR(writeFile(path("no/a"), "x"), "The folder does not exist");
}

void TestAtomicFile::refusesReadOnlyFolder() {
  // Root may write everywhere but to the kernel's own folder.
  const bool root = ::geteuid() == 0;
  if (!root) fs::permissions(path(""), fs::perms::owner_read | fs::perms::owner_exec);
  const QByteArray message =
      tfm::test::errorOf([&] { writeFile(root ? fs::path("/sys/a") : path("a"), "x"); });
  if (!root) fs::permissions(path(""), fs::perms::owner_all);
  QVERIFY2(message.contains("Choose a place that you may write to"), message);
}

void TestAtomicFile::refusesWriteProtectedFile() {
  if (::geteuid() == 0) QSKIP("root may write to every file");
  writeFile(path("a"), "old");
  fs::permissions(path("a"), fs::perms::owner_read);
  TFM_VERIFY_ERROR(writeFile(path("a"), "new"), "Permission denied");
  QCOMPARE(readFile(path("a"), 100), std::string("old"));
}

void TestAtomicFile::refusesFoldersAndDevices() {
  TFM_VERIFY_ERROR(writeFile(path("").parent_path(), "x"), "a folder has this name");
  TFM_VERIFY_ERROR(writeFile(path(""), "x"), "a file name is missing");
  TFM_VERIFY_ERROR(writeFile("/dev/null", "x"), "a device or a pipe");
  QVERIFY(fs::is_character_file("/dev/null"));
}

void TestAtomicFile::keepsPermissionsAndLinks() {
  writeFile(path("real"), "old");
  fs::permissions(path("real"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real", path("link"));
  writeFile(path("link"), "new");
  QVERIFY(fs::is_symlink(path("link")));
  QCOMPARE(readFile(path("real"), 100), std::string("new"));
  QVERIFY(fs::status(path("real")).permissions() ==
          (fs::perms::owner_read | fs::perms::owner_write));
}

void TestAtomicFile::writesTwoFilesAtOnce() {
  AtomicFile a(path("a"));
  AtomicFile b(path("b"));
  a.write("1");
  b.write("2");
  a.commit();
  b.commit();
  QCOMPARE(readFile(path("a"), 100), std::string("1"));
  QCOMPARE(readFile(path("b"), 100), std::string("2"));
}

void TestAtomicFile::limitsWhatIsRead() {
  writeFile(path("a"), "12345");
  QCOMPARE(readFile(path("a"), 5), std::string("12345"));
  TFM_VERIFY_ERROR(readFile(path("a"), 4), "has 5 bytes; at most 4");
  // A sparse file claims more than any memory holds.
  writeFile(path("sparse"), "");
  fs::resize_file(path("sparse"), std::uintmax_t{1} << 42);
  TFM_VERIFY_ERROR(readFile(path("sparse"), 1 << 20), "4398046511104 bytes");
  TFM_VERIFY_ERROR(readFile(path("no"), 4), "No such file");
  TFM_VERIFY_ERROR(readFile(path("").parent_path(), 4), "this is a folder");
  TFM_VERIFY_ERROR(readFile("/dev/zero", 4), "a device or a pipe");
}

void TestAtomicFile::saysWhatDoesNotFitOnTheDisk() {
  requireRoom(path("a"), 0);
  TFM_VERIFY_ERROR(requireRoom(path("a"), std::numeric_limits<std::int64_t>::max()),
                   "needs about 9.22 EB and ");
  requireRoom(path("no/a"), std::numeric_limits<std::int64_t>::max());  // opening it tells more
}

QTEST_GUILESS_MAIN(TestAtomicFile)
#include "test_atomic_file.moc"
