// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>

#include "core/io/atomic_file.h"
#include "core/io/file_identity.h"
#include "core/io/file_lock.h"
#include "core/io/read_file.h"
#include "tests/core/io/error_of.h"
#include "tests/obeys_permissions.h"
#include "tests/test_program.h"

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

/// Runs `work` in a process of its own, which is then killed.
void inKilledProcess(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  QCOMPARE(::waitpid(child, &status, 0), child);
  QVERIFY(WIFSIGNALED(status));
}

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
  void writesWhatALinkPointsTo();
  void nobodyReadsWhatAPrivateFileBecomes();
  void writesTwoFilesAtOnce();
  void sweepsWhatKilledProcessesLeft();
  void leavesWhatIsStillBeingWritten();
  void noticesWhatAnotherProgramDid();
  void keepsWhatAnotherProgramPutThere();
  void locksAFileForOneWriter();
  void aLockIsAFileOfItsOwn();
  void locksOutliveReplacingAndEndWithTheirProcess();
  void limitsWhatIsRead();
  void readsNothingThatIsNoFile();
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
  const tfm::test::ObeysPermissions obeys;
  fs::permissions(path(""), fs::perms::owner_read | fs::perms::owner_exec);
  const QByteArray message = tfm::test::errorOf([&] { writeFile(path("a"), "x"); });
  fs::permissions(path(""), fs::perms::owner_all);
  QVERIFY2(message.contains("Choose a folder you may write to"), message);
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

void TestAtomicFile::writesWhatALinkPointsTo() {
  fs::create_directory(path("folder"));
  fs::create_symlink("folder/new", path("second"));
  fs::create_symlink(path("second"), path("first"));
  {
    const FileLock lock(path("first"));
    QVERIFY(!FileLock(path("folder/new")).held());
    writeFile(path("first"), "1");  // to a file that was not there
  }
  QCOMPARE(readFile(path("folder/new"), 100), std::string("1"));
  QVERIFY(fs::is_symlink(path("first")) && fs::is_symlink(path("second")));
  writeFile(path("first"), "2");
  QCOMPARE(readFile(path("folder/new"), 100), std::string("2"));
  fs::create_symlink("nowhere/new", path("lost"));
  TFM_VERIFY_ERROR(writeFile(path("lost"), "x"), "nowhere/new: cannot write");
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  TFM_VERIFY_ERROR(writeFile(path("a"), "x"), "cannot follow the link");
  QVERIFY(fs::is_symlink(path("a")));
}

void TestAtomicFile::nobodyReadsWhatAPrivateFileBecomes() {
  writeFile(path("a"), "old");
  fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write);
  AtomicFile file(path("a"));
  file.write("new");
  const QDir folder(folder_->path(), ".tfm-*", QDir::Name, QDir::Files | QDir::Hidden);
  QCOMPARE(folder.entryInfoList().size(), 1);
  QCOMPARE(folder.entryInfoList().front().permission(QFile::ReadGroup | QFile::ReadOther), false);
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

void TestAtomicFile::sweepsWhatKilledProcessesLeft() {
  inKilledProcess([this] {
    AtomicFile file(path("a"));
    file.write("half");
    const FileLock lock(path("a"));
    ::kill(::getpid(), SIGKILL);
  });
  QCOMPARE(files().size(), 2);  // nothing else can have removed them
  writeFile(path(".tfm-notes"), "mine");
  writeFile(path("b"), "whole");
  QCOMPARE(files(), (QStringList{".tfm-notes", "b"}));
}

void TestAtomicFile::leavesWhatIsStillBeingWritten() {
  AtomicFile slow(path("a"));
  slow.write("first ");
  const FileLock lock(path("a"));
  sweepLeftovers(path(""));
  QCOMPARE(files().size(), 2);
  slow.write("second");
  slow.commit();
  QCOMPARE(readFile(path("a"), 100), std::string("first second"));
}

void TestAtomicFile::noticesWhatAnotherProgramDid() {
  const FileIdentity missing = fileIdentity(path("a"));
  QVERIFY(!missing.exists);
  requireUnchanged(path("a"), missing);
  writeFile(path("a"), "old");
  QVERIFY_THROWS_EXCEPTION(FileReplaced, requireUnchanged(path("a"), missing));

  const FileIdentity opened = fileIdentity(path("a"));
  QVERIFY(opened.exists && opened.size == 3 && opened.modified_ns > 0);
  requireUnchanged(path("a"), opened);
  // Of the same length and time, under the same name: another file.
  writeFile(path("b"), "new");
  fs::last_write_time(path("b"), fs::last_write_time(path("a")));
  fs::rename(path("b"), path("a"));
  QVERIFY_THROWS_EXCEPTION(FileReplaced, requireUnchanged(path("a"), opened));
  // The same file with other content.
  const FileIdentity before = fileIdentity(path("a"));
  fs::last_write_time(path("a"), fs::last_write_time(path("a")) + std::chrono::nanoseconds(1000));
  QVERIFY_THROWS_EXCEPTION(FileReplaced, requireUnchanged(path("a"), before));
  fs::remove(path("a"));
  requireUnchanged(path("a"), before);  // nothing is lost
}

void TestAtomicFile::keepsWhatAnotherProgramPutThere() {
  writeFile(path("a"), "opened");
  const FileIdentity opened = fileIdentity(path("a"));
  {
    AtomicFile file(path("a"));
    file.write("mine");
    writeFile(path("a"), "theirs");  // while mine is being written
    TFM_VERIFY_ERROR(file.commit(opened), "another program has replaced or changed this file");
  }
  QCOMPARE(readFile(path("a"), 100), std::string("theirs"));
  QCOMPARE(files(), QStringList{"a"});

  const FileIdentity theirs = fileIdentity(path("a"));
  AtomicFile file(path("a"));
  file.write("mine");
  const FileIdentity written = file.commit(theirs);
  QVERIFY(written == fileIdentity(path("a")));
}

void TestAtomicFile::locksAFileForOneWriter() {
  writeFile(path("a"), "x");
  FileLock first(path("a"));
  QVERIFY(first.held());
  first.require();
  fs::create_symlink("a", path("link"));
  const FileLock second(path("link"));
  QVERIFY(!second.held());
  QVERIFY(second.holder().starts_with("process " + std::to_string(::getpid())));
  TFM_VERIFY_ERROR(second.require(), "another program has this file open: process ");
  QVERIFY(FileLock(path("b")).held());
  QVERIFY(FileLock("/proc/no/such/place").held());  // where no lock is possible

  FileLock moved = std::move(first);
  QVERIFY(moved.held());
  QVERIFY(!FileLock(path("a")).held());
  moved = FileLock();
  QVERIFY(FileLock(path("a")).held());
  QCOMPARE(files(), (QStringList{"a", "link"}));
}

void TestAtomicFile::aLockIsAFileOfItsOwn() {
  QCOMPARE(::mkfifo(path(".tfm-a.lock").c_str(), 0600), 0);
  QVERIFY(FileLock(path("a")).held());  // as where no lock is possible
  writeFile(path("victim"), "precious");
  fs::create_hard_link(path("victim"), path(".tfm-b.lock"));
  fs::create_symlink("victim", path(".tfm-c.lock"));
  for (const char* name : {"b", "c"}) QVERIFY(FileLock(path(name)).held());
  sweepLeftovers(path("").parent_path());
  QCOMPARE(readFile(path("victim"), 100), std::string("precious"));
  QVERIFY(fs::exists(path(".tfm-a.lock")) && fs::exists(path(".tfm-b.lock")));
}

void TestAtomicFile::locksOutliveReplacingAndEndWithTheirProcess() {
  {
    const FileLock lock(path("a"));
    writeFile(path("a"), "1");
    writeFile(path("a"), "2");
    QVERIFY(!FileLock(path("a")).held());
  }
  inKilledProcess([this] {
    const FileLock lock(path("a"));
    ::kill(::getpid(), SIGKILL);
  });
  QVERIFY(files().contains(".tfm-a.lock"));
  QVERIFY(FileLock(path("a")).held());
  QCOMPARE(files(), QStringList{"a"});
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

/// At once: none of these may make it wait.
void TestAtomicFile::readsNothingThatIsNoFile() {
  QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
  TFM_VERIFY_ERROR(readFile(path("pipe"), 4), "a device or a pipe");
  fs::create_symlink("pipe", path("link"));
  TFM_VERIFY_ERROR(readFile(path("link"), 4), "a device or a pipe");
  for (const char* device : {"/dev/zero", "/dev/null", "/dev/tty", "/dev/ptmx"})
    QVERIFY(tfm::test::errorOf([&] { readFile(device, 4); }) != "no error");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un name{.sun_family = AF_UNIX, .sun_path = {}};
  path("socket").string().copy(name.sun_path, sizeof name.sun_path - 1);
  QCOMPARE(::bind(socket, reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
  TFM_VERIFY_ERROR(readFile(path("socket"), 4), "cannot read the file");
  ::close(socket);
  for (const char* kernel : {"/proc/cpuinfo", "/proc/self/maps"})
    TFM_VERIFY_ERROR(readFile(kernel, 4), "a file of the kernel");
  if (::access("/proc/kmsg", R_OK) == 0)  // which waits for the kernel's next message
    TFM_VERIFY_ERROR(readFile("/proc/kmsg", 4), "a file of the kernel");
}

void TestAtomicFile::saysWhatDoesNotFitOnTheDisk() {
  requireRoom(path("a"), 0);
  TFM_VERIFY_ERROR(requireRoom(path("a"), std::numeric_limits<std::int64_t>::max()),
                   "needs about 9.22 EB and ");
  requireRoom(path("no/a"), std::numeric_limits<std::int64_t>::max());  // opening it tells more
}

TFM_TEST(TestAtomicFile)
#include "test_atomic_file.moc"
