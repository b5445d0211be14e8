// SPDX-License-Identifier: GPL-3.0-or-later
// The fakes lie in folders named after what is the matter with them (CMakeLists.txt).
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

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

  void aDeviceOfAPluginIsListedAndComputes() {
    const std::vector<Device> all = tfm::devices();
    QCOMPARE(all.front().name, std::string("cpu"));
    QCOMPARE(std::ranges::count(all, std::string("fake"), &Device::name), 1);
    QCOMPARE(tfm::chosenDevice(), std::string("cpu"));  // of a higher score
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
