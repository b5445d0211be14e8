// SPDX-License-Identifier: GPL-3.0-or-later
// The fakes lie in folders named after what is the matter with them (CMakeLists.txt).
#include <dlfcn.h>
#include <elf.h>
#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/backend/about.h"
#include "core/backend/buffer.h"
#include "core/backend/plugins.h"
#include "core/base/error.h"
#include "core/program/ops/update_ops.h"
#include "tests/test_program.h"

using tfm::Device;

namespace {

std::filesystem::path folderOf(const char* kind) {
  return std::filesystem::path(TFM_FAKE_PLUGINS) / kind;
}

/// What the only plugin of a folder complains about.
QString obstacleIn(const std::filesystem::path& folder) {
  const std::vector<Device> found = tfm::pluginDevices(folder);
  return found.size() == 1 ? QString::fromStdString(found.front().obstacle()) : "not found";
}

QByteArray fakeLibrary() {
  QFile file(QString::fromStdString((folderOf("good") / "transformarium_fake.so").string()));
  return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
}

/// What a plugin with this content complains about.
QString obstacleOf(const QByteArray& content) {
  const QTemporaryDir folder;
  QFile file(folder.filePath("transformarium_fake.so"));
  if (!file.open(QFile::WriteOnly) || file.write(content) != content.size()) return "not written";
  file.close();
  return obstacleIn(folder.path().toStdString());
}

}  // namespace

class TestPlugins : public QObject {
  Q_OBJECT

 private slots:
  /// Before anything asks for a device: plugins are looked for once.
  void initTestCase() {
    const auto folders = folderOf("good").string() + "::" + folderOf("other_build").string() + ":" +
                         folderOf("nowhere").string();
    qputenv("TFM_PLUGINS", QByteArray::fromStdString(folders));
  }
  void cleanup() { tfm::chooseDevice("cpu"); }

  /// The first test: nothing has asked for a device of a plugin yet.
  void noPluginIsOpenedUntilItIsAskedFor() {
    const auto opened = [] {
      const auto file = folderOf("good") / "transformarium_fake.so";
      return ::dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD) != nullptr;
    };
    tfm::makeBackend<float>();
    tfm::chooseDevice("cpu");
    tfm::addPluginFolder(folderOf("nowhere"));
    QCOMPARE(tfm::chosenDevice(), std::string("cpu"));
    const QString about = QString::fromStdString(tfm::versionText("it", tfm::aboutProgram()));
    QVERIFY(about.contains(QRegularExpression("\\nplugin +.*good/transformarium_fake\\.so")));
    QVERIFY(!opened());
    tfm::devices();
    QVERIFY(opened());
  }

  void aDeviceOfAPluginIsListedAndComputes() {
    const std::vector<Device> all = tfm::devices();
    QCOMPARE(all.front().name, std::string("cpu"));
    QCOMPARE(std::ranges::count(all, std::string("fake"), &Device::name), 1);
    QCOMPARE(tfm::chosenDevice(), std::string("cpu"));
    tfm::chooseDevice("fake");
    const auto backend = tfm::makeBackend<float>();
    QCOMPARE(backend->name(), "fake");
    tfm::Buffer<float> y(backend->memory(), 3);
    tfm::ops::fill(*backend, tfm::ops::rowOf(y.span()), 2.5);
    QCOMPARE(y.download(), tfm::AlignedVector<float>(3, 2.5F));
    QCOMPARE(tfm::makeBackend<double>()->name(), "fake");
  }

  void theFirstOfANameCounts() {
    const std::vector<Device> all = tfm::devices();
    const auto fake = std::ranges::find(all, std::string("fake"), &Device::name);
    QCOMPARE(fake->obstacle(), std::string());
  }

  void anAddedFolderHelpsOnlyADeviceThatCannotRun() {
    const auto obstacle = [] {
      const std::vector<Device> all = tfm::devices();
      const auto fake = std::ranges::find(all, std::string("fake"), &Device::name);
      return fake == all.end() ? "not found" : fake->obstacle();
    };
    const std::size_t count = tfm::devices().size();
    tfm::addPluginFolder(folderOf("no_device"));
    QCOMPARE(obstacle(), std::string());
    tfm::addDevice(tfm::pluginDevices(folderOf("no_device")).front());
    QCOMPARE(obstacle(), std::string("there is no such card"));
    tfm::addPluginFolder(folderOf("other_build"));  // as lame
    QCOMPARE(obstacle(), std::string("there is no such card"));
    tfm::addPluginFolder(folderOf("good"));
    QCOMPARE(obstacle(), std::string());
    tfm::addPluginFolder(folderOf("nowhere"));
    QCOMPARE(tfm::devices().size(), count);
  }

  void whatIsWrongIsSaid() {
    QCOMPARE(obstacleIn(folderOf("good")), QString());
    QCOMPARE(obstacleIn(folderOf("no_device")), QString("there is no such card"));
    QVERIFY(obstacleIn(folderOf("old")).contains("is a plugin of version 0; this program needs "));
    QVERIFY(obstacleIn(folderOf("other_build")).contains("built for another build"));
    QVERIFY(obstacleIn(folderOf("no_plugin")).endsWith("transformarium_fake.so is not a plugin"));
    QVERIFY(tfm::pluginDevices(folderOf("nowhere")).empty());
  }

  void aFileThatIsNoLibraryIsSaid() {
    const QTemporaryDir folder;
    for (const char* name :
         {"transformarium_text.so", "transformarium_.so", "other.so", "transformarium_text.txt"}) {
      QFile file(folder.filePath(name));
      QVERIFY(file.open(QFile::WriteOnly) && file.write("text") == 4);
    }
    const std::vector<Device> found = tfm::pluginDevices(folder.path().toStdString());
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found.front().name, std::string("text"));
    QVERIFY(QString::fromStdString(found.front().obstacle()).contains("transformarium_text.so"));
  }

  void aLibraryThatIsCutOffIsNotOpened() {
    const QByteArray whole = fakeLibrary();
    QVERIFY(whole.size() > 1000);
    QCOMPARE(obstacleOf(whole), QString());
    for (const qsizetype length :
         {qsizetype(0), qsizetype(3), qsizetype(4), qsizetype(20), qsizetype(63), qsizetype(64),
          qsizetype(100), qsizetype(4096), whole.size() / 2, whole.size() - 1}) {
      const QString obstacle = obstacleOf(whole.left(length));
      const char* expected = length == 0 ? "is empty" : length < 4 ? "not a library" : "is cut off";
      QVERIFY2(obstacle.contains("transformarium_fake.so") && obstacle.contains(expected),
               qPrintable(QString("%1: %2").arg(length).arg(obstacle)));
    }
  }

  void aLibraryForAnotherMachineIsNotOpened() {
    const auto changed = [](std::size_t offset) {
      QByteArray library = fakeLibrary();
      library[qsizetype(offset)] = char(library[qsizetype(offset)] ^ 3);
      return obstacleOf(library);
    };
    QVERIFY(changed(offsetof(Elf64_Ehdr, e_machine)).contains("another kind of machine"));
    QVERIFY(changed(EI_CLASS).contains("another kind of machine"));
    QVERIFY(changed(EI_DATA).contains("another kind of machine"));
    QVERIFY(changed(offsetof(Elf64_Ehdr, e_type)).contains("is not a library"));
  }

  /// Opening a pipe would wait for its other end.
  void onlyAFileIsOpened() {
    const QTemporaryDir folder;
    const auto path = [&](const char* name) { return folder.filePath(name).toStdString(); };
    QCOMPARE(::mkfifo(path("transformarium_pipe.so").c_str(), 0600), 0);
    std::filesystem::create_directory(path("transformarium_folder.so"));
    std::filesystem::create_symlink("/dev/zero", path("transformarium_device.so"));
    std::filesystem::create_symlink("nowhere", path("transformarium_link.so"));
    const std::vector<Device> found = tfm::pluginDevices(folder.path().toStdString());
    QCOMPARE(found.size(), std::size_t(4));
    for (const Device& device : found) {
      const QString obstacle = QString::fromStdString(device.obstacle());
      const char* expected = device.name == "link" ? "cannot be read" : "a device or a pipe, not";
      QVERIFY2(obstacle.contains(expected), qPrintable(obstacle));
    }
  }

  void aDeviceThatCannotRunIsExplainedToWhoChoosesIt() {
    Device lame = tfm::pluginDevices(folderOf("no_device")).front();
    lame.name = "lame";
    tfm::addDevice(lame);
    try {
      tfm::chooseDevice("lame");
      QFAIL("it was chosen");
    } catch (const tfm::Error& error) {
      QVERIFY(QString::fromStdString(error.hint())
                  .contains("lame (cannot run here: there is no such card)"));
    }
  }

  void theFoldersAreThoseOfTheEnvironmentAndTheProgram() {
    const auto folders = tfm::pluginFolders();
    QCOMPARE(folders.size(), std::size_t(5));
    QCOMPARE(folders[0], folderOf("good"));
    QCOMPARE(folders[1], folderOf("other_build"));
    const std::filesystem::path program = QCoreApplication::applicationDirPath().toStdString();
    QCOMPARE(folders[3], program);
    QCOMPARE(folders[4], program.parent_path() / "lib/transformarium/plugins");
  }
};

TFM_TEST(TestPlugins)
#include "test_plugins.moc"
