// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/data/self_contained.h"
#include "core/io/safetensors.h"
#include "tests/core/golden.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

/// Other processors round products otherwise, and training carries that on.
constexpr double kRounding = 1e-5;

bool near(double a, double b) { return std::abs(a - b) <= kRounding * std::abs(b); }

std::string pathOf(const std::string& name) {
  return TFM_TEST_DATA "/goldens/documents/" + name + ".safetensors";
}

}  // namespace

/// Files saved in November 2026, and what training them on gave then.
class TestOldDocuments : public QObject {
  Q_OBJECT

 private slots:
  void evaluateAsTheyDid_data() { eachDocument(); }
  void evaluateAsTheyDid() {
    QFETCH(const QString, name);
    const Document document = openDocument(pathOf(name.toStdString()));
    const Evaluation& then = document.history.evaluations.back();
    QCOMPARE(then.step, document.state.step);
    Trainer trainer = trainerOf(document);
    const Evaluation now = trainer.evaluate(then.examples);
    QVERIFY2(near(now.loss, then.loss), qPrintable(QString::number(now.loss)));
    QCOMPARE(now.accuracy, then.accuracy);
    QCOMPARE(now.granularities.size(), then.granularities.size());
  }

  void trainOnAsTheyDid_data() { eachDocument(); }
  void trainOnAsTheyDid() {
    QFETCH(const QString, name);
    const std::vector<double> then = golden_.at(name.toStdString()).numbers();
    Trainer trainer = trainerOf(openDocument(pathOf(name.toStdString())));
    const std::vector<double> now = losses(trainer, int(then.size()));
    for (std::size_t i = 0; i < then.size(); ++i)
      QVERIFY2(near(now[i], then[i]), qPrintable(QString::number(now[i])));
  }

  void areSavedWithTheSameNumbers_data() { eachDocument(); }
  void areSavedWithTheSameNumbers() {
    QFETCH(const QString, name);
    const QTemporaryDir directory;
    const std::string saved = directory.filePath("saved.safetensors").toStdString();
    const std::string old = pathOf(name.toStdString());
    const Document document = openDocument(old);
    saveDocument(saved, document);
    QCOMPARE(io::readSafetensors(saved).tensors, io::readSafetensors(old).tensors);
    const Document again = openDocument(saved);
    QVERIFY(sameState(again.state, document.state));
    QVERIFY(data::isSameTask(*again.task, *document.task));  // its file is elsewhere
    QCOMPARE(again.train, document.train);
    Trainer trainer = trainerOf(document), trainer_again = trainerOf(again);
    QCOMPARE(losses(trainer_again, 6), losses(trainer, 6));
  }

 private:
  void eachDocument() {
    QTest::addColumn<QString>("name");
    for (const std::string& name : golden_.keys())
      QTest::newRow(name.c_str()) << QString::fromStdString(name);
  }

  const Golden golden_ = Golden::read("documents");
};

TFM_TEST(TestOldDocuments)
#include "test_old_documents.moc"
