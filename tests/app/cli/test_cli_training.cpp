// SPDX-License-Identifier: GPL-3.0-or-later
// Training from the command line: repeatable, resumable, stopped without loss.
#include <signal.h>
#include <sys/resource.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "core/document/document.h"
#include "core/document/history.h"
#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;

class TestCliTraining : public QObject {
  Q_OBJECT

 private slots:
  void threadsDoNotMatter();
  void resumedEqualsUninterrupted();
  void resumeGoesOnToTheOldEnd();
  void anotherOptimizerBeginsAfresh();
  void aSignalSaves_data();
  void aSignalSaves();
  void aLossThatIsNoNumberKeepsTheLastGoodState();
  void aLastStepThatBreaksTheModelIsNoSuccess();
  void aBrokenModelIsSaidToBeBroken();
  void aModelThatCannotBeSavedIsKept();
  void aFileThatMayNotGrowIsSaid();
  void aDeviceThatIsFullStopsTrainingOrIsLeft_data();
  void aDeviceThatIsFullStopsTrainingOrIsLeft();
  void theLogHasEveryMeasurement();
  void theLogHasEveryGrowth();
  void aMaskThatStaysClosedIsSaid();
  void aNameOfAnotherFormatIsRefused();
  void scheduledGrowthEqualsGrowingByHand();
  void aScheduleSaysWhatGrowsAndHow();
  void aGrowthAfterAMaskCanBeBroken();
  void aSavedPlanGivesTheSameModel();
  void thousandExactAnswers();

 private:
  Outcome run(const QString& line) { return runCli(folder_.path(), line.split(' ')); }
  train::Document open(const QString& name) {
    return train::openDocument((folder_.path() + "/" + name).toStdString());
  }
  /// Whether the files hold the same but for the time that it took.
  bool same(const QString& one, const QString& other);

  QTemporaryDir folder_;
};

bool TestCliTraining::same(const QString& one, const QString& other) {
  train::Document a = open(one), b = open(other);
  for (train::Document* document : {&a, &b})
    for (train::StepMetrics& metrics : document->history.steps) metrics.seconds = 0.0;
  return a.state.parameters == b.state.parameters && a.state.first_moment == b.state.first_moment &&
         a.state.second_moment == b.state.second_moment && a.state.step == b.state.step &&
         a.state.optimizer_step == b.state.optimizer_step && a.history == b.history &&
         a.train == b.train && a.task == b.task;
}

void TestCliTraining::threadsDoNotMatter() {
  for (const char* threads : {"1", "2", "3"})
    QCOMPARE(run(QString("train --preset rot13 --steps 15 --evaluate-every 5 --threads %1 "
                         "--out t%1.safetensors")
                     .arg(threads))
                 .code,
             0);
  QVERIFY(same("t1.safetensors", "t2.safetensors"));
  QVERIFY(same("t1.safetensors", "t3.safetensors"));
  QCOMPARE(
      run("train --preset rot13 --steps 15 --evaluate-every 5 --seed 1 --out s.safetensors").code,
      0);
  QVERIFY(!same("t1.safetensors", "s.safetensors"));
}

void TestCliTraining::resumedEqualsUninterrupted() {
  const QString common = "--evaluate-every 4 --schedule warmup_cosine --warmup-steps 8";
  QCOMPARE(run("train --preset rot13 --steps 20 --out whole.safetensors " + common).code, 0);
  QCOMPARE(run("train --preset rot13 --steps 10 --out half.safetensors " + common).code, 0);
  QVERIFY(!same("whole.safetensors", "half.safetensors"));
  const Outcome resumed =
      run("train --resume half.safetensors --steps 10 --out resumed.safetensors --json");
  QCOMPARE(resumed.json()["steps"].toInt(), 10);
  QCOMPARE(resumed.json()["step"].toInt(), 20);
  QVERIFY(same("whole.safetensors", "resumed.safetensors"));
}

void TestCliTraining::resumeGoesOnToTheOldEnd() {
  const Outcome begun = interruptCli(
      folder_.path(),
      QString("train --preset rot13 --steps 1500 --log r.log --out r.safetensors").split(' '),
      "r.log", SIGINT);
  QCOMPARE(begun.code, 128 + SIGINT);
  QVERIFY(open("r.safetensors").state.step < 1500);
  QCOMPARE(run("train --resume r.safetensors --out r.safetensors").code, 0);
  QCOMPARE(open("r.safetensors").state.step, std::int64_t{1500});
  const Outcome over = run("train --resume r.safetensors --out r.safetensors");
  QCOMPARE(over.code, 1);
  QVERIFY2(over.err.contains("--steps"), over.err.constData());
}

void TestCliTraining::anotherOptimizerBeginsAfresh() {
  QCOMPARE(run("train --preset rot13 --steps 5 --out adam.safetensors").code, 0);
  QCOMPARE(run("train --resume adam.safetensors --steps 3 --out adam8.safetensors").code, 0);
  QCOMPARE(
      run("train --resume adam.safetensors --steps 3 --optimizer sgd --out sgd.safetensors").code,
      0);
  QCOMPARE(open("adam8.safetensors").state.optimizer_step, std::int64_t{8});
  QCOMPARE(open("sgd.safetensors").state.optimizer_step, std::int64_t{3});
  QVERIFY(open("sgd.safetensors").train.optimizer.kind == train::OptimizerKind::Sgd);
}

void TestCliTraining::aSignalSaves_data() {
  QTest::addColumn<int>("signal");
  QTest::newRow("Ctrl-C") << SIGINT;
  QTest::newRow("terminate") << SIGTERM;
  QTest::newRow("the terminal is closed") << SIGHUP;
}

void TestCliTraining::aSignalSaves() {
  QFETCH(int, signal);
  const QString name = QString("signal%1.safetensors").arg(signal);
  const QString log = QString("signal%1.log").arg(signal);
  const Outcome outcome = interruptCli(
      folder_.path(),
      {"train", "--preset", "rot13", "--steps", "1000000", "--log", log, "--out", name, "--json"},
      log, signal);
  QCOMPARE(outcome.code, 128 + signal);
  QVERIFY2(outcome.err.contains("saved as " + name.toUtf8()), outcome.err.constData());
  QCOMPARE(outcome.json()["ending"].toString(), "interrupted");
  const train::Document document = open(name);
  QVERIFY(document.state.step > 0 && document.state.step < 1'000'000);
  QCOMPARE(std::int64_t(outcome.json()["steps"].toInt()), document.state.step);
  QCOMPARE(std::int64_t(document.history.steps.size()), document.state.step);
  QCOMPARE(run(QString("train --resume %1 --steps 1 --out %1").arg(name)).code, 0);
}

void TestCliTraining::aLossThatIsNoNumberKeepsTheLastGoodState() {
  const Outcome outcome = run(
      "train --preset rot13 --optimizer sgd --lr 999 --clip 0 --steps 500 --out nan.safetensors "
      "--json");
  QCOMPARE(outcome.code, 1);
  QCOMPARE(outcome.json()["ending"].toString(), "diverged");
  QVERIFY2(outcome.err.contains("is not finite at step"), outcome.err.constData());
  QVERIFY2(outcome.err.contains("coder."), outcome.err.constData());  // the tensor
  QVERIFY2(outcome.err.contains("saved as nan.safetensors"), outcome.err.constData());
  for (const float value : open("nan.safetensors").state.parameters) QVERIFY(std::isfinite(value));
}

void TestCliTraining::aLastStepThatBreaksTheModelIsNoSuccess() {
  // No step after the last one meets the state that it leaves.
  const Outcome outcome =
      run("train --preset rot13 --optimizer sgd --lr 900 --clip 0 --steps 4 --out last.safetensors "
          "--json");
  QCOMPARE(outcome.code, 1);
  QCOMPARE(outcome.json()["ending"].toString(), "diverged");
  QVERIFY(outcome.json()["loss"].isDouble());
  QCOMPARE(outcome.json()["steps"].toInt() + outcome.json()["lost_steps"].toInt(), 4);
  QVERIFY2(outcome.err.contains("evaluation loss is not finite at step 4"),
           outcome.err.constData());
  QCOMPARE(run("eval last.safetensors").code, 0);
}

void TestCliTraining::aBrokenModelIsSaidToBeBroken() {
  QCOMPARE(run("train --preset rot13 --steps 2 --out whole2.safetensors").code, 0);
  train::Document document = open("whole2.safetensors");
  document.state.parameters.back() = std::nanf("");
  train::saveDocument((folder_.path() + "/broken.safetensors").toStdString(), document);
  const Outcome eval = run("eval broken.safetensors --json");
  QCOMPARE(eval.code, 1);
  QVERIFY2(eval.err.contains("where: broken.safetensors"), eval.err.constData());
  QCOMPARE(run("eval broken.safetensors --granularity 2,2").code, 1);
  const Outcome trained = run("train --resume broken.safetensors --steps 9 --out none.safetensors");
  QCOMPARE(trained.code, 1);
  QVERIFY2(trained.err.contains("Nothing is saved"), trained.err.constData());
  QVERIFY(!QFile::exists(folder_.path() + "/none.safetensors"));
  const Outcome info = run("info broken.safetensors");  // to be looked at
  QCOMPARE(info.code, 0);
  QVERIFY2(info.err.contains("broken.safetensors is broken: "), info.err.constData());
}

void TestCliTraining::aModelThatCannotBeSavedIsKept() {
  QDir folder(folder_.path());
  QVERIFY(folder.mkdir("gone") && folder.mkdir("tmp"));
  qputenv("TMPDIR", folder.filePath("tmp").toUtf8());
  const Outcome outcome = interruptCli(
      folder_.path(),
      QString("train --preset rot13 --steps 1000000 --log g.log --out gone/g.safetensors --json")
          .split(' '),
      "g.log", SIGTERM, [&] { QDir(folder.filePath("gone")).removeRecursively(); });
  qunsetenv("TMPDIR");
  QCOMPARE(outcome.code, 1);
  QVERIFY2(outcome.err.contains("where: gone/g.safetensors"), outcome.err.constData());
  const QString file = outcome.json()["file"].toString();
  QVERIFY2(file.startsWith(folder.filePath("tmp/transformarium-")), outcome.out.constData());
  QVERIFY2(outcome.err.contains("kept as " + file.toUtf8()), outcome.err.constData());
  QVERIFY(train::openDocument(file.toStdString()).state.step > 0);
}

void TestCliTraining::aFileThatMayNotGrowIsSaid() {
  QProcess process;
  process.setWorkingDirectory(folder_.path());
  process.setChildProcessModifier([] {
    const rlimit limit{20'000, 20'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  });
  process.start(TFM_CLI,
                QString("train --preset rot13 --steps 1 --out l.safetensors --json").split(' '));
  QVERIFY(process.waitForFinished(60'000));
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  QCOMPARE(process.exitCode(), 1);
  const QByteArray err = process.readAllStandardError();
  QVERIFY2(err.contains("File too large") && err.contains("The model is lost"), err.constData());
  const QJsonObject result = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
  QCOMPARE(result["steps"].toInt(), 1);
  QCOMPARE(result["file"].toString(), QString());
}

void TestCliTraining::aDeviceThatIsFullStopsTrainingOrIsLeft_data() {
  QTest::addColumn<QString>("plugin");
  QTest::addColumn<QString>("what_follows");
  QTest::newRow("for the model") << "no_room"
                                 << "; training on the CPU\n";
  QTest::newRow("for a step") << "little_room"
                              << "\nTraining continues on the CPU\n";
}

void TestCliTraining::aDeviceThatIsFullStopsTrainingOrIsLeft() {
  QFETCH(QString, plugin);
  QFETCH(QString, what_follows);
  const QString line = "train --preset rot13 --steps 3 --out %1.safetensors";
  QCOMPARE(run(line.arg("cpu")).code, 0);
  qputenv("TFM_PLUGINS", (QString(TFM_FAKE_PLUGINS "/") + plugin).toUtf8());
  const Outcome stopped = run(line.arg("none") + " --device fake");
  const Outcome left = run(line.arg(plugin) + " --device fake --or-cpu");
  qunsetenv("TFM_PLUGINS");
  const QString full = "the memory of the device 'fake' is full";
  const QByteArray fault = faultOf(stopped, 1, "", full);
  QVERIFY2(fault.isEmpty(), fault.constData());
  QVERIFY2(left.code == 0, left.err.constData());
  QVERIFY2(left.err.startsWith("note: ") && left.err.contains(full.toUtf8()), left.err.constData());
  QVERIFY2(left.err.contains(what_follows.toUtf8()), left.err.constData());
  QVERIFY(same("cpu.safetensors", plugin + ".safetensors"));
}

void TestCliTraining::theLogHasEveryMeasurement() {
  QCOMPARE(run("train --preset rot13 --steps 12 --evaluate-every 5 --log l.log --out l.safetensors")
               .code,
           0);
  QFile log(folder_.path() + "/l.log");
  QVERIFY(log.open(QIODevice::ReadOnly));
  const train::History history = open("l.safetensors").history;
  std::size_t steps = 0, evaluations = 0;
  while (!log.atEnd()) {
    const QJsonObject line = QJsonDocument::fromJson(log.readLine()).object();
    if (line["kind"].toString() == "step")
      QCOMPARE(line["loss"].toDouble(), history.steps.at(steps++).loss);
    else if (line["kind"].toString() == "evaluation")
      QCOMPARE(line["accuracy"].toDouble(), history.evaluations.at(evaluations++).accuracy);
  }
  QCOMPARE(steps, std::size_t(12));
  QCOMPARE(evaluations, std::size_t(2));
}

/// As expand --log prints them.
void TestCliTraining::theLogHasEveryGrowth() {
  QCOMPARE(run("train --preset rot13 --steps 9 --evaluate-every 4 --log gl.jsonl --out "
               "gl.safetensors --grow 4:feed_forward=9,hidden=16")
               .code,
           0);
  QFile log(folder_.path() + "/gl.jsonl");
  QVERIFY(log.open(QIODevice::ReadOnly));
  QList<QJsonObject> lines;
  while (!log.atEnd()) lines << QJsonDocument::fromJson(log.readLine()).object();
  QStringList kinds;
  for (const QJsonObject& line : lines)
    kinds << line["kind"].toString() + QString::number(line["step"].toInt());
  QCOMPARE(kinds.join(' '),
           QString("run0 step1 step2 step3 step4 evaluation4 growth4 growth4 step5 step6 step7 "
                   "step8 evaluation8 step9"));
  const QJsonObject growth = lines[6];
  QVERIFY(growth["exact"].toBool());
  QCOMPARE(growth["growth"].toObject()["size"].toInt(), 9);

  QCOMPARE(run("train --preset rot13 --steps 4 --out gl4.safetensors").code, 0);
  QCOMPARE(
      run("expand gl4.safetensors --set feed_forward=9 --log gl.tsv --out gl5.safetensors").code,
      0);
  QFile table(folder_.path() + "/gl.tsv");
  QVERIFY(table.open(QIODevice::ReadOnly));
  const QByteArrayList names = table.readLine().trimmed().split('\t');
  for (const QJsonValue& value : growth["parameters"].toArray()) {
    const QByteArrayList cells = table.readLine().trimmed().split('\t');
    for (qsizetype i = 0; i < names.size(); ++i)
      QCOMPARE(value.toObject()[names[i]].toVariant().toByteArray(), cells[i]);
  }
  QVERIFY(table.atEnd());

  const QJsonArray events = run("info gl.safetensors --json").json()["events"].toArray();
  QCOMPARE(events.size(), 2);
  QCOMPARE(events[0].toObject()["step"].toInt(), 4);
  QCOMPARE(events[0].toObject()["kind"].toString(), "growth");
  QCOMPARE(events[0].toObject()["text"].toString(), growth["expansion"].toString());
  QVERIFY(run("info gl.safetensors").out.contains(growth["expansion"].toString().toUtf8()));
}

/// Its new components would hardly count.
void TestCliTraining::aMaskThatStaysClosedIsSaid() {
  const QString line =
      "train --preset rot13 --steps %1 --grow 2:hidden=11,method=mask,mask_steps=6 "
      "--out mask%1.safetensors --json";
  const Outcome closed = run(line.arg(5));
  QVERIFY2(closed.code == 0 && closed.err.contains("50.0 %") && closed.err.contains("step 8"),
           closed.err.constData());
  QCOMPARE(closed.json()["mask"].toObject()["weight"].toDouble(), 0.5);
  QCOMPARE(closed.json()["mask"].toObject()["ends"].toInt(), 8);
  const Outcome open = run(line.arg(8));
  QVERIFY2(open.code == 0 && open.err.isEmpty(), open.err.constData());
  QVERIFY(!open.json().contains("mask"));
}

/// Other programs would misread a file by its name.
void TestCliTraining::aNameOfAnotherFormatIsRefused() {
  QCOMPARE(run("train --preset rot13 --steps 1 --out n.safetensors").code, 0);
  for (const char* line :
       {"train --preset rot13 --steps 1 --out x.pt", "train --preset rot13 --steps 1 --out x.npz",
        "train --preset rot13 --steps 1 --log x.csv --out x.safetensors",
        "expand n.safetensors --set hidden=16 --out x.pth",
        "expand n.safetensors --set hidden=16 --log x.npz --out x.safetensors",
        "expand n.safetensors --set hidden=16 --save-plan x.tsv --out x.safetensors",
        "export n.safetensors --format npz --out x.safetensors",
        "export n.safetensors --format safetensors --out x.npz",
        "probe n.safetensors --input there --select * --out x.safetensors",
        "importance n.safetensors --out x.csv",
        "study --preset rot13 --grow 1:heads=8 --steps 2 --out x.csv",
        "reproduce annotated-transformer --out x.pt"}) {
    const Outcome refused = run(line);
    QVERIFY2(refused.code == 2, line);
    QVERIFY2(refused.err.contains("Name it x."), refused.err.constData());
  }
  QCOMPARE(QDir(folder_.path()).entryList({"x.*"}).size(), 0);
  // A file of another program is not replaced, whatever its name.
  writeText(folder_.path() + "/theirs.safetensors", "a,b\n");
  for (const char* line : {"train --preset rot13 --steps 1 --out theirs.safetensors",
                           "expand n.safetensors --set hidden=16 --out theirs.safetensors"})
    QVERIFY(run(line).err.contains("theirs.safetensors"));
  QFile theirs(folder_.path() + "/theirs.safetensors");
  QVERIFY(theirs.open(QIODevice::ReadOnly));
  QCOMPARE(theirs.readAll(), QByteArray("a,b\n"));
}

void TestCliTraining::scheduledGrowthEqualsGrowingByHand() {
  const auto good = [&](const QString& line) {
    const Outcome outcome = run(line);
    return outcome.code == 0 ? QByteArray() : outcome.err;
  };
  for (const char* threads : {"1", "2"})
    for (const char* optimizer : {"sgd --momentum 0.9", "adam"}) {
      const QString common = QString(" --threads %1 --evaluate-every 4").arg(threads);
      const QString start =
          QString("train --preset rot13 --optimizer %1 --seed 3").arg(optimizer) + common;
      const QByteArray none;
      QCOMPARE(good(start + " --steps 9 --grow 5:feed_forward=9,hidden=16 --out a.safetensors"),
               none);
      QCOMPARE(good(start + " --steps 5 --out b.safetensors"), none);
      QCOMPARE(good("expand b.safetensors --set feed_forward=9,hidden=16 --out b.safetensors"),
               none);
      QCOMPARE(good("train --resume b.safetensors --steps 4 --out b.safetensors" + common), none);
      train::Document a = open("a.safetensors");
      QCOMPARE(a.train.growths.size(), std::size_t(2));
      a.train.growths.clear();
      train::saveDocument((folder_.path() + "/a.safetensors").toStdString(), a);
      // Only what was grown by hand was proved.
      train::Document b = open("b.safetensors");
      for (train::HistoryEvent& event : b.history.events)
        if (event.kind == train::EventKind::Growth) {
          QVERIFY(train::isProved(event));
          event.text.resize(event.text.size() - train::kProved.size());
        }
      train::saveDocument((folder_.path() + "/b.safetensors").toStdString(), b);
      QVERIFY(same("a.safetensors", "b.safetensors"));
      // The control: a model that grew elsewhere is another.
      QCOMPARE(good(start + " --steps 9 --grow 4:feed_forward=9,hidden=16 --out c.safetensors"),
               none);
      QVERIFY(open("c.safetensors").state.parameters != a.state.parameters);
    }
}

void TestCliTraining::aScheduleSaysWhatGrowsAndHow() {
  QCOMPARE(run("train --preset rot13 --steps 6 --out how.safetensors --grow "
               "4:decoder.layers=2,position=0 --grow "
               "2:key_size=8,head=1+3,stack=decoder,attention=self,hidden=16,method=mask,"
               "mask_steps=30")
               .code,
           0);
  expand::Growth key, hidden, layer;
  key.kind = expand::Kind::KeySize;
  key.size = 8;
  key.heads = {0, 2};
  key.stacks = expand::Stacks::Decoder;
  key.attentions = expand::Attentions::Self;
  hidden.kind = expand::Kind::Hidden;
  hidden.size = 16;
  hidden.hidden_method = expand::HiddenMethod::Mask;
  hidden.mask_steps = 30;
  layer.kind = expand::Kind::Layers;
  layer.size = 2;
  layer.stacks = expand::Stacks::Decoder;
  layer.position = 0;
  const train::Document document = open("how.safetensors");
  QVERIFY(document.train.growths ==
          (std::vector<train::ScheduledGrowth>{{2, key}, {2, hidden}, {4, layer}}));
  QCOMPARE(document.state.config.hidden, std::int64_t{16});
  QCOMPARE(document.state.config.mask_steps, std::int64_t{30});
}

/// A mask that has opened is no longer in the way, of breaking on purpose neither.
void TestCliTraining::aGrowthAfterAMaskCanBeBroken() {
  const QString grow =
      "expand late.safetensors --set hidden=20 --allow-inexact --out late2.safetensors";
  QCOMPARE(run("train --preset rot13 --steps 8 --out late.safetensors --grow "
               "2:hidden=11,method=mask,mask_steps=3")
               .code,
           0);
  QCOMPARE(run(grow).code, 0);
  QCOMPARE(run(grow + " --break no_gain_rescale").code, 0);
}

void TestCliTraining::aSavedPlanGivesTheSameModel() {
  QCOMPARE(run("train --preset rot13 --steps 5 --out p.safetensors").code, 0);
  QCOMPARE(run("expand p.safetensors --set heads=9,hidden=16 --save-plan p.json "
               "--out p1.safetensors")
               .code,
           0);
  QCOMPARE(run("expand p.safetensors --plan p.json --out p2.safetensors").code, 0);
  QVERIFY(same("p1.safetensors", "p2.safetensors"));
  QCOMPARE(open("p1.safetensors").history.events.size(), std::size_t(2));
  QCOMPARE(open("p1.safetensors").history.steps.size(), std::size_t(5));
}

void TestCliTraining::thousandExactAnswers() {
  QCOMPARE(run("train --preset rot13 --until-accuracy 1 --evaluation-size 1000 --out w.safetensors")
               .code,
           0);
  QCOMPARE(run("eval w.safetensors --examples 1000 --json").json()["accuracy"].toDouble(), 1.0);
  const Outcome decoded = run("decode w.safetensors hey there ma dood");
  QCOMPARE(decoded.out, QByteArray("hey -> url\nthere -> gurer\nma -> zn\ndood -> qbbq\n"));
}

TFM_TEST(TestCliTraining)
#include "test_cli_training.moc"
