// SPDX-License-Identifier: GPL-3.0-or-later
// What a killed training, a second program and an exploding one cost: nothing.
#include <signal.h>

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/document/document.h"
#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;

class TestCliCheckpoints : public QObject {
  Q_OBJECT

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }
  void aKilledTrainingGoesOnBitForBit();
  void resumeFindsTheCheckpoint();
  void anotherTrainingsCheckpointIsKept();
  void checkpointsStayAsAsked();
  void theBestModelIsKept();
  void whatAnotherProgramPutThereIsKept();
  void theSecondWriterIsTold();
  void anExplodedModelReplacesNothing();
  void aMuchWorseModelReplacesNoBetterOne();
  void aFullLogIsNoSuccess();
  void aStoppedTrainingGoesOnWithTheSameCommand();
  void aLogGoesOnWithItsRun();
  void aKilledStudyGoesOn();
  void anotherStudysTableIsKept();

 private:
  Outcome run(const QString& line) { return runCli(folder_->path(), line.split(' ')); }
  Outcome killed(const QString& line, const QString& file, int signal = SIGKILL,
                 const std::function<void()>& before = {}) {
    return interruptCli(folder_->path(), line.split(' '), file, signal, before);
  }
  train::Document open(const QString& name) {
    return train::openDocument(folder_->filePath(name).toStdString());
  }
  /// All but the given ones, hidden ones too.
  QStringList filesBut(const QStringList& known) {
    QStringList files = QDir(folder_->path()).entryList(QDir::Files | QDir::Hidden, QDir::Name);
    for (const QString& name : known) files.removeAll(name);
    return files;
  }
  QByteArray bytes(const QString& name) {
    QFile file(folder_->filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  bool same(const QString& one, const QString& other);

  std::unique_ptr<QTemporaryDir> folder_;
};

bool TestCliCheckpoints::same(const QString& one, const QString& other) {
  train::Document a = open(one), b = open(other);
  for (train::Document* document : {&a, &b})
    for (train::StepMetrics& metrics : document->history.steps) metrics.seconds = 0.0;
  return a.state.parameters == b.state.parameters && a.state.first_moment == b.state.first_moment &&
         a.state.second_moment == b.state.second_moment && a.state.step == b.state.step &&
         a.history == b.history && a.train == b.train && a.task == b.task;
}

void TestCliCheckpoints::aKilledTrainingGoesOnBitForBit() {
  const QString common =
      "train --preset rot13 --steps 700 --evaluate-every 40 --save-every 20 "
      "--grow 15:feed_forward=9 --grow 450:feed_forward=12 --out ";
  QCOMPARE(run(common + "whole.safetensors").code, 0);
  QCOMPARE(filesBut({"whole.safetensors"}), QStringList{});
  const QString command = common + "k.safetensors --log k.log";
  QCOMPARE(killed(command, "k.checkpoint.safetensors").code, -1);
  QVERIFY(!QFile::exists(folder_->filePath("k.safetensors")));
  const std::int64_t kept = open("k.checkpoint.safetensors").state.step;
  QVERIFY(kept >= 20 && kept < 700 && kept % 20 == 0);

  const Outcome again = run(command + " --json");
  QVERIFY2(again.code == 0 && again.err.contains("resuming from the checkpoint"),
           again.err.constData());
  QCOMPARE(std::int64_t(again.json()["steps"].toInt()), 700 - kept);
  QVERIFY(same("whole.safetensors", "k.safetensors"));
  QCOMPARE(bytes("k.log").count("\"kind\":\"step\""), 700);
  QCOMPARE(filesBut({"whole.safetensors", "k.safetensors", "k.log"}), QStringList{});
}

void TestCliCheckpoints::resumeFindsTheCheckpoint() {
  const QString command = "train --preset rot13 --steps 700 --save-every 20 --out ";
  QCOMPARE(run(command + "whole.safetensors").code, 0);
  QCOMPARE(killed(command + "r.safetensors", "r.checkpoint.safetensors").code, -1);
  const Outcome alone = run("train --resume r.safetensors --out r.safetensors");
  QVERIFY2(alone.code == 0 && alone.err.contains("resuming from the checkpoint"),
           alone.err.constData());
  QVERIFY(same("whole.safetensors", "r.safetensors"));

  // Beside the model that it goes on from, and the same command again.
  QCOMPARE(run("train --preset rot13 --steps 10 --out b.safetensors").code, 0);
  const QString further = "train --resume b.safetensors --steps 690 --save-every 20 --out ";
  for (const bool with_steps : {false, true}) {
    QCOMPARE(killed(further + "b.safetensors", "b.checkpoint.safetensors").code, -1);
    const Outcome resumed = run(with_steps ? further + "b.safetensors"
                                           : "train --resume b.safetensors --out c.safetensors");
    QVERIFY2(resumed.code == 0 && resumed.err.contains("resuming from the checkpoint"),
             resumed.err.constData());
    QVERIFY(same("whole.safetensors", with_steps ? "b.safetensors" : "c.safetensors"));
    QFile::remove(folder_->filePath("b.checkpoint.safetensors"));
  }
}

void TestCliCheckpoints::anotherTrainingsCheckpointIsKept() {
  const QString command = "train --preset rot13 --steps 100000 --save-every 10 --out k.safetensors";
  QCOMPARE(killed(command, "k.checkpoint.safetensors").code, -1);
  const QByteArray checkpoint = bytes("k.checkpoint.safetensors");
  for (const char* other : {" --steps 20", " --steps 100000 --seed 5", " --steps 100000 --lr 0.5",
                            " --steps 100000 --grow 50000:hidden=16"}) {
    const Outcome refused = run(QString("train --preset rot13 --out k.safetensors") + other);
    QVERIFY2(refused.code == 1 && refused.err.contains("checkpoint of another training"),
             refused.err.constData());
  }
  QCOMPARE(bytes("k.checkpoint.safetensors"), checkpoint);
  QVERIFY(!QFile::exists(folder_->filePath("k.safetensors")));
  QCOMPARE(run("train --preset rot13 --steps 20 --out k.safetensors --force").code, 0);
  QCOMPARE(open("k.safetensors").state.step, std::int64_t{20});
  QCOMPARE(filesBut({"k.safetensors"}), QStringList{});
}

void TestCliCheckpoints::checkpointsStayAsAsked() {
  const QString command = "train --preset rot13 --steps 45 --out k.safetensors ";
  QCOMPARE(run(command + "--save-every 10 --keep 2").code, 0);
  QCOMPARE(filesBut({}),
           (QStringList{"k.safetensors", "k.step-30.safetensors", "k.step-40.safetensors"}));
  QCOMPARE(open("k.step-30.safetensors").state.step, std::int64_t{30});
  QCOMPARE(open("k.step-40.safetensors").history.steps.size(), std::size_t{40});
  for (const char* wrong : {"soon", "-5", "1.5", "10h", "nan", "s"}) {
    const Outcome refused = run(command + "--save-every " + wrong);
    QVERIFY2(refused.code == 2 && refused.err.contains("--save-every"), refused.err.constData());
  }
}

void TestCliCheckpoints::theBestModelIsKept() {
  QCOMPARE(run("train --preset rot13 --steps 300 --evaluate-every 10 --lr 0.05 --keep-best "
               "--save-every 50 --out k.safetensors --force")
               .code,
           0);
  const train::Document last = open("k.safetensors"), best = open("k.best.safetensors");
  const auto lowest =
      std::ranges::min_element(last.history.evaluations, {}, &train::Evaluation::loss);
  QCOMPARE(best.state.step, lowest->step);
  QVERIFY(best.history.evaluations.back() == *lowest);
}

void TestCliCheckpoints::whatAnotherProgramPutThereIsKept() {
  QCOMPARE(run("train --preset rot13 --steps 5 --out a.safetensors").code, 0);
  QCOMPARE(run("train --preset rot13 --steps 6 --seed 9 --out b.safetensors").code, 0);
  const QByteArray theirs = bytes("b.safetensors");
  const Outcome mine =
      killed("train --resume a.safetensors --steps 1000000 --out a.safetensors --log a.log --json",
             "a.log", SIGTERM, [&] {
               QFile::remove(folder_->filePath("a.safetensors"));
               QFile::copy(folder_->filePath("b.safetensors"), folder_->filePath("a.safetensors"));
             });
  QCOMPARE(mine.code, 1);
  QVERIFY2(mine.err.contains("another program has replaced") && mine.err.contains("--force"),
           mine.err.constData());
  QCOMPARE(bytes("a.safetensors"), theirs);
  QCOMPARE(mine.json()["file"].toString(), "a.new.safetensors");
  QCOMPARE(open("a.new.safetensors").state.step, std::int64_t(5 + mine.json()["steps"].toInt()));
}

void TestCliCheckpoints::theSecondWriterIsTold() {
  QCOMPARE(run("train --preset rot13 --steps 5 --out a.safetensors").code, 0);
  const QByteArray before = bytes("a.safetensors");
  QList<Outcome> second;
  const Outcome first =
      killed("train --resume a.safetensors --steps 1000000 --out a.safetensors --log a.log",
             "a.log", SIGTERM, [&] {
               second.append(run("train --resume a.safetensors --steps 1 --out a.safetensors"));
               second.append(run("expand a.safetensors --set hidden=16 --out a.safetensors"));
               second.append(run("train --resume a.safetensors --steps 1 --out other.safetensors"));
             });
  QCOMPARE(first.code, 128 + SIGTERM);
  QCOMPARE(second[0].code, 1);
  QVERIFY2(second[0].err.contains("another program has this file open: process "),
           second[0].err.constData());
  QVERIFY2(second[1].code == 1 && second[1].err.contains("has this file open"),
           second[1].err.constData());
  QCOMPARE(second[2].code, 0);  // reading is free
  QVERIFY(bytes("a.safetensors") != before);
  QCOMPARE(run("train --resume a.safetensors --steps 1 --out a.safetensors").code, 0);
}

void TestCliCheckpoints::anExplodedModelReplacesNothing() {
  const QString explode = " --lr 900 --optimizer sgd --steps 300 --json --out ";
  QCOMPARE(run("train --preset rot13 --steps 300 --out a.safetensors").code, 0);
  const QByteArray good = bytes("a.safetensors");
  const Outcome worse = run("train --resume a.safetensors" + explode + "a.safetensors");
  QCOMPARE(worse.code, 1);
  QVERIFY2(worse.err.contains("warning: the loss has risen from "), worse.err.constData());
  QVERIFY2(worse.err.contains("much worse"), worse.err.constData());
  QCOMPARE(bytes("a.safetensors"), good);
  QCOMPARE(worse.json()["file"].toString(), "a.new.safetensors");
  QCOMPARE(open("a.new.safetensors").state.step, std::int64_t{600});
  QCOMPARE(filesBut({"a.safetensors", "a.new.safetensors"}), QStringList{});

  // Where nothing stood, the best of the same training is put. A rate that rises explodes late.
  const Outcome fresh =
      run("train --preset rot13 --optimizer sgd --lr 900 --schedule warmup_cosine "
          "--warmup-steps 3000 --steps 400 --evaluate-every 5 --save-every 20 --json --out "
          "f.safetensors");
  QCOMPARE(fresh.code, 1);
  QVERIFY2(fresh.err.contains("training has exploded: "), fresh.err.constData());
  QCOMPARE(open("f.new.safetensors").state.step, std::int64_t{400});
  // The last checkpoint of before it rose outlives those that came after.
  QVERIFY2(fresh.err.contains("is kept as f.step-20.safetensors"), fresh.err.constData());
  QCOMPARE(open("f.step-20.safetensors").state.step, std::int64_t{20});
  const train::Document best = open("f.safetensors");
  QVERIFY(best.state.step < 400);
  QCOMPARE(best.history.evaluations.back().step, best.state.step);

  QCOMPARE(run("train --resume a.safetensors" + explode + "a.safetensors --force").code, 0);
  QCOMPARE(open("a.safetensors").state.step, std::int64_t{600});
}

void TestCliCheckpoints::aMuchWorseModelReplacesNoBetterOne() {
  QCOMPARE(run("train --preset rot13 --steps 900 --out a.safetensors").code, 0);
  const QByteArray good = bytes("a.safetensors");
  const Outcome worse = run("train --preset rot13 --steps 20 --seed 7 --out a.safetensors");
  QCOMPARE(worse.code, 1);
  QVERIFY2(worse.err.contains("much worse than the one in the file"), worse.err.constData());
  QCOMPARE(bytes("a.safetensors"), good);
  QCOMPARE(open("a.new.safetensors").state.step, std::int64_t{20});
  QCOMPARE(run("train --preset rot13 --steps 900 --seed 7 --out a.safetensors").code, 0);
  QVERIFY(bytes("a.safetensors") != good);
  // Of another task, nothing can be compared.
  QCOMPARE(run("train --preset rot13 --task copy --steps 20 --out a.safetensors").code, 0);
}

void TestCliCheckpoints::aFullLogIsNoSuccess() {
  const Outcome outcome =
      run("train --preset rot13 --steps 5 --log /dev/full --out a.safetensors --json");
  QCOMPARE(outcome.code, 1);
  QVERIFY2(outcome.err.contains("the log is incomplete\nwhere: /dev/full"),
           outcome.err.constData());
  QCOMPARE(open("a.safetensors").state.step, std::int64_t{5});
  QCOMPARE(outcome.json()["file"].toString(), "a.safetensors");
}

void TestCliCheckpoints::aStoppedTrainingGoesOnWithTheSameCommand() {
  const QString command =
      "train --preset rot13 --steps 700 --evaluate-every 40 --grow 15:feed_forward=9 --out ";
  QCOMPARE(run(command + "whole.safetensors").code, 0);
  const QString line = command + "s.safetensors --log s.log";
  QCOMPARE(killed(line, "s.log", SIGINT).code, 128 + SIGINT);
  const std::int64_t stopped = open("s.safetensors").state.step;
  QVERIFY(stopped > 0 && stopped < 700);
  // Another training loses nothing of it.
  const QByteArray saved = bytes("s.safetensors");
  const Outcome other = run(command + "s.safetensors --seed 4");
  QVERIFY2(
      other.code == 1 && other.err.contains("another training") && other.err.contains("--force"),
      other.err.constData());
  QCOMPARE(bytes("s.safetensors"), saved);
  for (const char* words :
       {"expand whole.safetensors --set hidden=16", "export whole.safetensors --format safetensors",
        "extract whole.safetensors --granularity M", "import " TFM_TEST_DATA "/goldens/bert",
        "reproduce encoder-layer-notebook"}) {
    const Outcome replacing = run(QString(words) + " --out s.safetensors");
    QVERIFY2(replacing.code == 1 && replacing.err.contains("another training") &&
                 replacing.err.contains("another --out") && !replacing.err.contains("--force"),
             words + (": " + replacing.err));
    QCOMPARE(bytes("s.safetensors"), saved);
  }

  const Outcome again = run(line + " --json");
  QVERIFY2(again.code == 0 && again.err.contains("resuming from s.safetensors"),
           again.err.constData());
  QCOMPARE(std::int64_t(again.json()["steps"].toInt()), 700 - stopped);
  QVERIFY(same("whole.safetensors", "s.safetensors"));
  QCOMPARE(bytes("s.log").count("\"kind\":\"step\""), 700);

  // Once more: it is done, and stays.
  const QByteArray done = bytes("s.safetensors"), log = bytes("s.log");
  const Outcome over = run(line + " --json");
  QVERIFY2(over.code == 0 && over.err.contains("result of this command already"),
           over.err.constData());
  QCOMPARE(over.json()["steps"].toInt(), 0);
  QCOMPARE(over.json()["step"].toInt(), 700);
  QCOMPARE(bytes("s.safetensors"), done);
  QCOMPARE(bytes("s.log"), log);
  const Outcome anew = run(command + "s.safetensors --force --json");
  QCOMPARE(anew.json()["steps"].toInt(), 700);
}

void TestCliCheckpoints::aLogGoesOnWithItsRun() {
  const auto steps = [this] {
    std::vector<int> all;
    for (const QByteArray& line : bytes("a.jsonl").split('\n')) {
      const QJsonObject json = QJsonDocument::fromJson(line).object();
      if (json["kind"].toString() == "step") all.push_back(json["step"].toInt());
    }
    return all;
  };
  std::vector<int> twelve(12);
  for (int i = 0; i < 12; ++i) twelve[std::size_t(i)] = i + 1;
  QCOMPARE(run("train --preset rot13 --steps 8 --log a.jsonl --out a.safetensors").code, 0);
  const QByteArray first = bytes("a.jsonl");
  QCOMPARE(run("train --resume a.safetensors --steps 4 --log a.jsonl --out b.safetensors").code, 0);
  QVERIFY(bytes("a.jsonl").startsWith(first));
  QVERIFY(steps() == twelve);
  // From the earlier model again, with more steps: what it trains again replaces those lines.
  QCOMPARE(
      run("train --resume a.safetensors --steps 4 --lr 0.5 --log a.jsonl --out c.safetensors").code,
      0);
  QVERIFY(steps() == twelve);
  // A line that was not written to its end.
  QFile file(folder_->filePath("a.jsonl"));
  QVERIFY(file.open(QIODevice::Append) && file.write("{\"kind\":\"st") > 0);
  file.close();
  QCOMPARE(run("train --resume c.safetensors --steps 1 --log a.jsonl --out c.safetensors").code, 0);
  QCOMPARE(steps().back(), 13);

  const QByteArray kept = bytes("a.jsonl");
  for (const char* other : {"--preset rot13 --steps 8 --seed 5", "--preset rot13 --steps 9",
                            "--resume b.safetensors"}) {
    const QString line = QString("train %1 --steps 2 --log a.jsonl --out d.safetensors").arg(other);
    const Outcome refused =
        run(line.count("--steps") > 1 ? QString(line).remove(" --steps 2") : line);
    QVERIFY2(refused.code == 1 && refused.err.contains("no log of this run"),
             refused.err.constData());
  }
  QCOMPARE(bytes("a.jsonl"), kept);
  QCOMPARE(run("train --preset rot13 --steps 3 --force --log a.jsonl --out d.safetensors").code, 0);
  QCOMPARE(steps().size(), std::size_t(3));
  writeText(folder_->filePath("notes.txt"), "not to be lost\n");
  const Outcome notes = run("train --preset rot13 --steps 3 --log notes.txt --out e.safetensors");
  QCOMPARE(notes.code, 1);
  QCOMPARE(bytes("notes.txt"), QByteArray("not to be lost\n"));
}

void TestCliCheckpoints::anotherStudysTableIsKept() {
  const QString command = "study --preset rot13 --grow 2:heads=8 --seeds 1 --batch 8 --out t.tsv ";
  QCOMPARE(run(command + "--steps 4").code, 0);
  const QByteArray table = bytes("t.tsv");
  for (const char* other : {"--steps 5", "--steps 4 --lr 0.5", "--steps 4 --same-start"}) {
    const Outcome refused = run(command + other);
    QVERIFY2(refused.code == 1 && refused.err.contains("of another study") &&
                 refused.err.contains("--force"),
             refused.err.constData());
  }
  const Outcome again = run(command + "--steps 4");
  QVERIFY2(again.code == 0 && again.err.contains("done already"), again.err.constData());
  QCOMPARE(bytes("t.tsv"), table);
  const Outcome more = run(QString(command).replace("--seeds 1", "--seeds 2") + "--steps 4");
  QVERIFY2(more.code == 0 && !more.err.contains("done already"), more.err.constData());
  QVERIFY(bytes("t.tsv").startsWith(table));
  QCOMPARE(run(command + "--steps 5 --force").code, 0);

  writeText(folder_->filePath("mine.tsv"), "a\tb\n");
  const Outcome refused = run(QString(command).replace("t.tsv", "mine.tsv") + "--steps 4");
  QVERIFY2(refused.code == 1 && refused.err.contains("mine.tsv"), refused.err.constData());
  QCOMPARE(bytes("mine.tsv"), QByteArray("a\tb\n"));
}

void TestCliCheckpoints::aKilledStudyGoesOn() {
  const QString command =
      "study --preset rot13 --grow 100:hidden=16 --steps 400 --evaluate-every 100 --seeds 2 --out ";
  /// The table without the column of seconds; those of its first run apart.
  const auto table = [this](const QString& name, QByteArray* seconds = nullptr) {
    QByteArray rest;
    for (const QByteArray& line : bytes(name).split('\n')) {
      QByteArrayList cells = line.split('\t');
      if (cells.size() != 8) continue;
      if (seconds != nullptr && cells[0] == "grown" && cells[1] == "1") *seconds += cells[6] + ' ';
      cells.removeAt(6);
      rest += cells.join('\t') + '\n';
    }
    return rest;
  };
  QCOMPARE(run(command + "whole.tsv").code, 0);
  QCOMPARE(filesBut({"whole.tsv"}), QStringList{});
  QCOMPARE(killed(command + "k.tsv", "k.tsv.runs/seed-1-grown.run").code, -1);
  QVERIFY(!QFile::exists(folder_->filePath("k.tsv")));
  QByteArray kept, seconds;
  table("k.tsv.runs/seed-1-grown.run", &kept);
  const Outcome other = run(QString(command + "k.tsv").replace("400", "300"));
  QVERIFY2(other.code == 1 && other.err.contains("its number of steps differs"),
           other.err.constData());
  QVERIFY2(run(command + "k.tsv --lr 0.5").err.contains("its training differs"), "another rate");
  const Outcome again = run(command + "k.tsv");
  QVERIFY2(again.code == 0 && again.err.contains("resuming from "), again.err.constData());
  QCOMPARE(table("k.tsv", &seconds), table("whole.tsv"));
  QVERIFY(!kept.isEmpty());
  QCOMPARE(seconds, kept);
  QCOMPARE(filesBut({"whole.tsv", "k.tsv"}), QStringList{});
}

TFM_TEST(TestCliCheckpoints)
#include "test_cli_checkpoints.moc"
