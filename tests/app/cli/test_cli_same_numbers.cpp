// SPDX-License-Identifier: GPL-3.0-or-later
// The same numbers on thirty laptops: with --same-numbers a training leaves the same bytes whatever
// the processor can do, what OpenBLAS makes of it, and which version of its functions the C library
// chooses.
#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include "core/document/document.h"
#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm::test;

namespace {

/// What a machine differs in.
struct Machine {
  const char* name;
  const char* kernels;    ///< TFM_CPU
  const char* blas;       ///< OPENBLAS_CORETYPE
  const char* functions;  ///< GLIBC_TUNABLES: what its functions may not use
};
constexpr const char* kOldFunctions =
    "glibc.cpu.hwcaps=-AVX2_Usable,-FMA_Usable,-FMA4_Usable,-AVX2,-FMA,-FMA4";
// The first is this one.
constexpr Machine kMachines[] = {{"this one", "", "", ""},
                                 {"none of the sets", "EMU128", "Prescott", kOldFunctions},
                                 {"SSE4", "SSE4", "Nehalem", kOldFunctions}};

class As {
 public:
  explicit As(const Machine& machine) {
    for (const auto& [name, value] :
         {std::pair("TFM_CPU", machine.kernels), std::pair("OPENBLAS_CORETYPE", machine.blas),
          std::pair("GLIBC_TUNABLES", machine.functions)})
      if (*value != 0) qputenv(name, value);
  }
  ~As() {
    for (const char* name : {"TFM_CPU", "OPENBLAS_CORETYPE", "GLIBC_TUNABLES"}) qunsetenv(name);
  }
  As(const As&) = delete;
  As& operator=(const As&) = delete;
};

}  // namespace

class TestCliSameNumbers : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;

  Outcome run(const QString& line) { return runCli(folder_.path(), line.split(' ')); }
  /// All that a training leaves except for the seconds that it took.
  QByteArray trained(const QString& line) {
    const QString path = folder_.filePath("m.safetensors");
    QFile::remove(path);
    const Outcome outcome = run("train " + line + " --out m.safetensors");
    if (outcome.code != 0) {
      qWarning("%s", outcome.err.constData());
      return {};
    }
    tfm::train::Document document = tfm::train::openDocument(path.toStdString());
    for (tfm::train::StepMetrics& step : document.history.steps) step.seconds = 0;
    const auto whole = (folder_.filePath("whole.safetensors")).toStdString();
    tfm::train::saveDocument(whole, document);
    QFile file(QString::fromStdString(whole));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  QStringList wordsOf(const QString& file) {
    return run("info --json " + file)
        .json()["state"]
        .toObject()["fingerprint"]
        .toString()
        .split(' ');
  }

 private slots:
  void initTestCase() {
#if !defined(__x86_64__)
    QSKIP("Which sets of kernels give the same numbers is known of x86-64");
#endif
    writeText(folder_.filePath("text.txt"),
              QByteArray("to be or not to be, that is it\n").repeated(40));
  }

  void theSameBytesEverywhere_data() {
    QTest::addColumn<QString>("line");
    QTest::newRow("encoder-decoder") << "--preset rot13 --steps 6 --schedule warmup_cosine "
                                        "--warmup-steps 2 --total-steps 5 --clip-norm 0.5";
    QTest::newRow("sgd") << "--preset rot13 --steps 4 --optimizer sgd --schedule "
                            "warmup_exponential --warmup-steps 1 --decay-steps 2";
    QTest::newRow("nested, grown with a mask")
        << "--preset sequence --steps 4 --batch-size 8 --grow 2:hidden=40,method=mask,mask_steps=5";
    QTest::newRow("characters") << "--preset characters --data text.txt --steps 2 --batch-size 2";
    QTest::newRow("large products")
        << "--preset benchmark-decoder --data text.txt --steps 2 --batch-size 1";
    QTest::newRow("RMS norm") << "--preset expansions --steps 3 --batch-size 4";
    QTest::newRow("Funnel") << "--preset funnel-tagger --steps 2 --batch-size 4";
    QTest::newRow("DeLighT") << "--preset delight --steps 2 --batch-size 4";
  }
  void theSameBytesEverywhere() {
    QFETCH(QString, line);
    QByteArray expected;
    for (const Machine& machine : kMachines) {
      const As as(machine);
      const QByteArray bytes = trained(line + " --same-numbers --threads 2");
      QVERIFY(!bytes.isEmpty());
      if (expected.isEmpty()) expected = bytes;
      QVERIFY2(bytes == expected, machine.name);
    }
  }

  /// Without it, each of what a machine differs in changes them: so much is at stake above.
  void otherNumbersWithout() {
    const QString line = "--preset benchmark-decoder --data text.txt --steps 2 --batch-size 1";
    const QByteArray expected = trained(line);
    {
      const As as({"", "EMU128", "", ""});
      QVERIFY(trained(line) != expected);
    }
    QByteArray old;
    for (const char* blas : {"Prescott", "Haswell"}) {
      const As as({"", "SSE4", blas, ""});
      const QByteArray bytes = trained(line);
      QVERIFY(bytes != old);
      old = bytes;
    }
  }

  void aWordSaysWhatDiffers() {
    const auto words = [this](const QString& line) {
      trained("--same-numbers " + line);
      return wordsOf("m.safetensors");
    };
    const QString rot13 = "--preset rot13 --steps 2";
    const QStringList expected = words(rot13);
    QCOMPARE(expected.size(), 4);
    for (const QString& word : expected) QCOMPARE(word.size(), 5);
    QCOMPARE(words(rot13), expected);
    const auto differing = [&](const QStringList& other) {
      QString places;
      for (int i = 0; i < 4; ++i) places += other[i] == expected[i] ? '.' : "wsd"[i];
      return places;
    };
    QCOMPARE(differing(words(rot13 + " --lr 0.02")), "w...");
    QCOMPARE(differing(words(rot13 + " --seed 2")), "ws..");
    QCOMPARE(differing(words(rot13 + " --max-length 14")), "w.d.");
  }

  void aDocumentKeepsTheSwitch() {
    trained("--preset rot13 --steps 2 --same-numbers");
    QCOMPARE(run("info --json m.safetensors").json()["train"].toObject()["same_numbers"].toBool(),
             true);
    const Outcome on = run("train --resume m.safetensors --steps 2 --out on.safetensors");
    QVERIFY(on.out.contains("the same on every x86-64 machine"));
    const Outcome off =
        run("train --resume m.safetensors --steps 2 --no-same-numbers --out off.safetensors");
    QVERIFY(off.out.contains("with same_numbers, it would be"));
    QVERIFY(
        !run("info --json off.safetensors").json()["train"].toObject().contains("same_numbers"));
  }

  /// Only the CPU has the fixed kernels.
  void anotherDeviceIsRefused() {
    qputenv("TFM_PLUGINS", TFM_FAKE_PLUGINS "/good");
    const auto restore = qScopeGuard([] { qunsetenv("TFM_PLUGINS"); });
    const QString line =
        "train --preset rot13 --steps 1 --same-numbers --out x.safetensors --device ";
    QCOMPARE(faultOf(run(line + "fake"), 1, "^$", "no fixed set of kernels.*where: same_numbers"),
             QByteArray());
    QCOMPARE(run(line + "cpu").code, 0);
  }
};

TFM_TEST(TestCliSameNumbers)
#include "test_cli_same_numbers.moc"
