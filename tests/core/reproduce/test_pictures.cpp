// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of the source documents: whole, with the numbers they promise, and the beginnings of
// those that take a training.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/io/text_file.h"
#include "core/reproduce/decode_loop.h"
#include "core/reproduce/encoder_copies.h"
#include "core/reproduce/learning_curves.h"
#include "core/reproduce/source.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::reproduce;

namespace {

Drawing drawingOf(const char* source, const char* picture,
                  const std::vector<std::int64_t>& chosen = {}) {
  return draw(pictureNamed(sourceNamed(source), picture), chosen);
}

/// Whether the stored curves of a figure are of the training that it does: the same series at the
/// same steps as its beginning, and further.
bool storedGoOnFrom(const std::vector<Series>& begun, const std::string& name) {
  const std::string path = TFM_TEST_DATA "/../resources/sources/" + name + ".tsv";
  const std::vector<Series> stored = seriesFromTsv(io::readTextFile(path, 1 << 20), path);
  return std::ranges::equal(stored, begun, [](const Series& whole, const Series& part) {
    return whole.name == part.name && whole.x.size() > part.x.size() &&
           std::equal(part.x.begin(), part.x.end(), whole.x.begin());
  });
}

}  // namespace

class TestPictures : public QObject {
  Q_OBJECT

 private slots:
  void everyPictureIsWhole_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("picture");
    for (const Source& source : sources())
      for (const Picture& picture : source.pictures()) {
        const QString name = QString::fromUtf8(source.name.data(), qsizetype(source.name.size()));
        QTest::addRow("%s %s", qPrintable(name), picture.name.c_str())
            << name << QString::fromStdString(picture.name);
      }
  }
  void everyPictureIsWhole() {
    QFETCH(QString, source);
    QFETCH(QString, picture);
    const Picture one = pictureNamed(sourceNamed(source.toStdString()), picture.toStdString());
    QVERIFY(!one.title.empty() && !one.says.empty());
    QVERIFY((one.drawn != nullptr) != one.trains());
    QCOMPARE(one.trains(), !one.training.empty() && one.composed != nullptr);
    if (one.trains()) return;
    const Drawing drawing = draw(one);
    QVERIFY(!drawing.series.empty());
    for (const Series& series : drawing.series) {
      QVERIFY(!series.name.empty());
      if (drawing.kind == DrawingKind::Bars || drawing.kind == DrawingKind::Cells)
        QCOMPARE(series.y.size(), drawing.names.size());
      else
        QCOMPARE(series.x.size(), series.y.size());
      for (const double y : series.y) QVERIFY(std::isfinite(y));
    }
    std::vector<std::int64_t> beyond;
    for (const Choice& choice : one.choices) beyond.push_back(choice.high + 1);
    if (!beyond.empty()) TFM_VERIFY_ERROR(draw(one, beyond), "out of its bounds");
  }

  void claimsNamePicturesOfTheirDocument() {
    for (const Source& source : sources())
      for (const Claim& claim : source.claims())
        if (!claim.picture.empty())
          QCOMPARE(pictureNamed(source, claim.picture).name, claim.picture);
    TFM_VERIFY_ERROR(pictureNamed(sourceNamed("annotated-transformer"), "another"),
                     "there is no figure 'another'");
  }

  void copiesAreEqualUntilTheFirstStep() {
    const CopiesTraining run = trainCopies(3);
    QCOMPARE(run.shared.size(), std::size_t(4));
    QVERIFY(std::abs(run.shared[0] - run.copies[0]) < 1e-12);
    QVERIFY(std::abs(run.shared[1] - run.copies[1]) > 1e-6);
    QVERIFY(trainCopies(0).difference < 1e-12);
    QVERIFY(run.difference > 1e-6);
  }

  /// Each row of the output depends on its sequence, or on its position in both.
  void batchFirstSaysWhatAttends() {
    const auto first = reachOfInputs(true), second = reachOfInputs(false);
    QCOMPARE(first[0], (Numbers{1, 1, 1, 0, 0, 0}));
    QCOMPARE(first[5], (Numbers{0, 0, 0, 1, 1, 1}));
    QCOMPARE(second[0], (Numbers{1, 0, 0, 1, 0, 0}));
    QCOMPARE(second[5], (Numbers{0, 0, 1, 0, 0, 1}));
  }

  void normsStandBeforeOrBehind() {
    const Drawing norms = drawingOf("encoder-layer-notebook", "norms");
    QCOMPARE(norms.series[0].labels,
             (std::vector<std::string>{"x", "self attention norm", "self attention",
                                       "self attention residual", "feed forward norm",
                                       "feed forward", "feed forward residual"}));
    QCOMPARE(norms.series[0].x, (Numbers{0, 3}));
    QCOMPARE(norms.series[0].y, (Numbers{3, 6}));
    QCOMPARE(norms.series[1].labels[3], std::string("self attention norm"));
    QCOMPARE(norms.series[1].x, (Numbers{0, 3}));
    QCOMPARE(norms.series[1].y, (Numbers{2, 5}));
  }

  void dropoutOnlyInTraining() {
    const Drawing four = drawingOf("encoder-layer-notebook", "dropout");
    QCOMPARE(four.series.size(), std::size_t(4));
    std::set<Numbers> different;
    for (const Series& series : four.series) different.insert(series.y);
    QCOMPARE(different.size(), std::size_t(4));
    QCOMPARE(drawingOf("encoder-layer-notebook", "dropout").series[0].y, four.series[0].y);
  }

  void theSinusoidHasAnySize() {
    const Drawing usual = drawingOf("annotated-transformer", "sinusoid");
    QCOMPARE(usual.series.size(), std::size_t(5));
    QVERIFY(std::abs(usual.series[1].y[0] - 0.841471) < 1e-6);
    const Drawing other = drawingOf("annotated-transformer", "sinusoid", {3, 8});
    QCOMPARE(other.series.size(), std::size_t(3));
    QCOMPARE(other.series[0].y, (Numbers{0, 1, 0, 1, 0, 1, 0, 1}));
  }

  void theNotesOverrunByOne() {
    const Drawing indices = drawingOf("lightweight-notes", "index");
    QCOMPARE(indices.series[0].y, (Numbers{0, 0, 0, 1, 1, 1, 1, 2}));
    QCOMPARE(indices.series[1].y, (Numbers{0, 0, 0, 0, 1, 1, 1, 1}));
    QCOMPARE(indices.levels[0].y, 1.0);
  }

  void seriesGoThroughText() {
    const std::vector<Series> series{{"a b", {1, 2}, {0.1, 1e-300}, {}}, {"c", {}, {3}, {"three"}}};
    const std::vector<Series> again = seriesFromTsv(seriesTsv(series), "test");
    QCOMPARE(again.size(), series.size());
    for (std::size_t i = 0; i < series.size(); ++i) {
      QCOMPARE(again[i].name, series[i].name);
      QCOMPARE(again[i].x, series[i].x);
      QCOMPARE(again[i].y, series[i].y);
      QCOMPARE(again[i].labels, series[i].labels);
    }
    TFM_VERIFY_ERROR(seriesFromTsv("series\tx\ty\tlabel\na\tone\t1\t\n", "file"), "line 2");
    TFM_VERIFY_ERROR(seriesFromTsv("x\ty\n", "file"), "line 1");
  }

  /// The first fifth of both trainings of rot13; the recipe has learned it by then.
  void theRecipeLearnsAndTheScheduleAsWrittenDoesNot() {
    const Picture schedules = pictureNamed(sourceNamed("annotated-transformer"), "schedules");
    const auto curves = schedules.learned(0.2, [](double) { return true; });
    QVERIFY(curves.has_value() && curves->size() == 2);
    QVERIFY(storedGoOnFrom(*curves, "annotated-transformer-schedules"));
    QVERIFY(!storedGoOnFrom({curves->front()}, "annotated-transformer-schedules"));
    const Series &written = curves->front(), &run = curves->back();
    QCOMPARE(run.x.front(), 250.0);
    QCOMPARE(run.x.back(), 2000.0);
    QCOMPARE(written.x, run.x);
    QVERIFY2(*std::ranges::max_element(run.y) > 0.95,
             qPrintable(QString::number(*std::ranges::max_element(run.y))));
    QVERIFY2(written.y.back() < 0.7, qPrintable(QString::number(written.y.back())));
    const Drawing drawing = schedules.composed(*curves);
    QCOMPARE(drawing.series.size(), std::size_t(2));
    QVERIFY(!schedules.learned(0.2, [](double) { return false; }));
  }

  /// Seconds of the MatFormer recipe: every submodel is measured, and the losses are composed.
  void theMatformerRecipeBegins() {
    const Picture losses = pictureNamed(sourceNamed("matformer-notebook"), "losses");
    const Picture bars = pictureNamed(sourceNamed("matformer-notebook"), "accuracies");
    const auto learned = losses.learned(0.1, [](double) { return true; });
    QVERIFY(learned.has_value());
    QVERIFY(storedGoOnFrom(*learned, "matformer-notebook-training"));
    const Drawing lines = losses.composed(*learned);
    QCOMPARE(lines.series.size(), std::size_t(3));
    QCOMPARE(lines.series[2].y[0], lines.series[0].y[0] * 782 / 32);  // as the notebook prints it
    const Drawing widths = bars.composed(*learned);
    QCOMPARE(widths.names,
             (std::vector<std::string>{"2048", "1536", "1024", "768", "512", "384", "256"}));
    QCOMPARE(widths.levels.size(), std::size_t(2));
    QVERIFY(std::isnan(widths.series[0].y[1]) && std::isfinite(widths.series[1].y[1]));
  }

  void recipesAsWritten() {
    const Source& post = sourceNamed("annotated-transformer");
    QCOMPARE(recipeOf(post, true).train.schedule, train::notebookSchedule());
    QVERIFY(recipeOf(post).train.schedule != train::notebookSchedule());
    const Source& other = sourceNamed("matformer-notebook");
    QCOMPARE(recipeOf(other, true).train, recipeOf(other).train);
  }

  /// Operations: of everything, of the decoder, of one more position.
  void aPassOfTheLoopCostsMoreThanItsNewestPosition() {
    const ModelConfig model = recipeOf(sourceNamed("annotated-transformer")).state.config;
    const PassCost first = passCost(model, 4, 5, 2), last = passCost(model, 4, 5, 6);
    QVERIFY(last.all > last.decoder && last.decoder > last.newest && last.newest > 0);
    QVERIFY(last.decoder > first.decoder);
  }
};

TFM_TEST(TestPictures)
#include "test_pictures.moc"
