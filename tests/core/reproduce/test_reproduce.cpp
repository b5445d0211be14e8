// SPDX-License-Identifier: GPL-3.0-or-later
// Every number of the source documents: reproduced, or with a reason why not.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <limits>

#include "core/data/framing.h"
#include "core/io/npz.h"
#include "core/model/presets.h"
#include "core/model/pretrained/pretrained_model.h"
#include "core/reproduce/model_outputs.h"
#include "core/reproduce/source.h"
#include "core/reproduce/torch_draws.h"
#include "core/train/fit_task.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::reproduce;

class TestReproduce : public QObject {
  Q_OBJECT

 private slots:
  void everyClaimHolds_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<int>("number");
    for (const Source& source : sources()) {
      const QString name = QString::fromUtf8(source.name.data(), qsizetype(source.name.size()));
      const int count = int(source.claims().size());
      for (int i = 0; i < count; ++i) QTest::addRow("%s %d", qPrintable(name), i + 1) << name << i;
    }
  }
  void everyClaimHolds() {
    QFETCH(QString, source);
    QFETCH(int, number);
    const Claim claim = sourceNamed(source.toStdString()).claims()[std::size_t(number)];
    QVERIFY(!claim.text.empty() && !claim.how.empty() && !claim.where.empty());
    QCOMPARE(QString::fromStdString(claim.how).startsWith("not computed: "), !claim.isComputed());
    QVERIFY(!claim.ours || !claim.learned);
    QVERIFY(claim.right.empty() || !claim.wrong.empty());
    if (!claim.preset.empty()) QCOMPARE(presetNamed(claim.preset).name, claim.preset);
    if (!claim.ours) return;  // trainings: test_pictures, shortened
    const Checked checked = check(claim);
    QString ours;
    for (const double own : *checked.ours) ours += QString::number(own, 'g', 12) + ' ';
    QVERIFY2(checked.pass, qPrintable(QString::fromStdString(claim.text) + ": " + ours));
    // Another number would not have passed.
    Claim other = claim;
    Numbers& expected = other.right.empty() ? other.printed : other.right;
    for (double& one : expected) one -= 2.0 * std::max(claim.tolerance, 1.0);
    QVERIFY(!check(other).pass);
  }

  void aWrongNumberMustBeWrong() {
    Claim claim{.text = "two", .printed = {2}, .ours = [] { return Numbers{2}; }};
    QVERIFY(check(claim).pass);
    claim.right = {2};  // it agrees with what is said to be wrong
    QVERIFY(!check(claim).pass);
    claim.printed = {3};
    QVERIFY(check(claim).pass);
    claim.right = {2, 2};
    QVERIFY(!check(claim).pass);
  }

  void aBoundIsOneSidedAndRefusesNaN() {
    Claim claim{
        .text = "small", .printed = {0.1}, .ours = [] { return Numbers{-5.0}; }, .at_most = true};
    QVERIFY(check(claim).pass);
    claim.ours = [] { return Numbers{0.05}; };
    QVERIFY(check(claim).pass);
    claim.promised = 0.01;
    QVERIFY(!check(claim).pass);
    claim.promised = 1.0;
    claim.ours = [] { return Numbers{0.2}; };
    QVERIFY(!check(claim).pass);
    claim.ours = [] { return Numbers{std::numeric_limits<double>::quiet_NaN()}; };
    QVERIFY(!check(claim).pass);
    claim.at_most = false;
    QVERIFY(!check(claim).pass);
  }

  void whatTrainsIsLeftOutUnlessWanted() {
    bool ran = false;
    const Claim claim{.text = "slow",
                      .printed = {1},
                      .learned = [&](const Progress& progress) -> std::optional<Numbers> {
                        ran = true;
                        if (!progress(0.5)) return std::nullopt;
                        return Numbers{1};
                      }};
    QVERIFY(!check(claim, false).ours && !ran);
    QVERIFY(check(claim).pass && ran);
    QVERIFY(check(claim, true, [](double) { return true; }).pass);
    const Checked ended = check(claim, true, [](double share) { return share > 0.5; });
    QVERIFY(!ended.ours && !ended.pass);
  }

  void trainingsEndWhenTold() {
    int trainings = 0;
    for (const Claim& claim : sourceNamed("annotated-transformer").claims()) {
      if (!claim.trains()) continue;
      ++trainings;
      double reached = 0;
      const auto third_step = [&, calls = 0](double share) mutable {
        reached = share;
        return ++calls < 3;
      };
      QVERIFY(!check(claim, true, third_step).ours);
      QVERIFY2(reached > 0 && reached < 0.01, qPrintable(QString::number(reached)));
    }
    QCOMPARE(trainings, 3);
  }

  /// PyTorch's own numbers: drawn on a CPU, saved by its library.
  void randomNumbersAreThoseOfTorch() {
    const std::filesystem::path folder = TFM_TEST_DATA "/goldens/torch_encoder";
    const PretrainedModel saved = readPretrainedModel(folder);
    const Numbers weights(saved.parameters.begin(), saved.parameters.end());
    QVERIFY(largestDifference(torchParameters(42), weights) < 1e-7);
    QVERIFY(largestDifference(torchParameters(43), weights) > 0.1);
    const Numbers x = io::doubleValues(io::readNpz(folder / "inputs.npz").at("inputs"));
    QVERIFY(largestDifference(torchInput(0).source_features, x) < 1e-6);
    QVERIFY(largestDifference(torchInput(1).source_features, x) > 0.1);
  }

  void modelsOfFeaturesReadLetters() {
    train::Document document = recipeOf(sourceNamed("encoder-layer-notebook"));
    document.codec = train::makeCodec(document)->codec();
    document.task.reset();
    const auto& config = document.state.config;
    QCOMPARE(document.state.parameters.size(), std::size_t(676));
    QCOMPARE(recipeOf(sourceNamed("expansions-notebook")).state.parameters.size(),
             std::size_t(618));
    const auto framing = train::framingFor(config, *document.codec);
    QCOMPARE(framing, data::Framing::Numbers);
    const data::Example ab{document.codec->encodeInput("ab"), {}};
    const Batch batch = data::frame(*document.codec, framing, std::span(&ab, 1));
    QVERIFY(batch.source.empty());
    QCOMPARE(batch.source_features.size(), std::size_t(3 * 4));
    QCOMPARE(batch.source_pad, (std::vector<std::uint8_t>{0, 0, 1}));
    const Numbers a = document.codec->drawn().row(0);
    QVERIFY(std::equal(a.begin(), a.end(), batch.source_features.begin()));
    QVERIFY(document.codec->drawn().row(1) != a);
    QVERIFY(data::DrawnFeatures({4, 1}).row(0) != data::DrawnFeatures({4, 2}).row(0));
    QCOMPARE(batch.source_features.back(), 0.0);  // a pad

    QTemporaryDir folder;
    const std::string path = folder.filePath("m.safetensors").toStdString();
    train::saveDocument(path, document);
    const train::Document again = train::openDocument(path);
    QCOMPARE(again.codec->toJson(), document.codec->toJson());
    QCOMPARE(again.codec->drawn().row(2), document.codec->drawn().row(2));
    QVERIFY(!again.task);
  }

  void recipesAreDocuments() {
    for (const Source& source : sources()) {
      const train::Document document = recipeOf(source);
      QCOMPARE(document.state.step, std::int64_t{0});
      QCOMPARE(document.state.seed, source.training().seed);
      QCOMPARE(document.train, source.training());
      QCOMPARE(document.task.value().kind, source.task().kind);
      if (!source.question.empty())
        QVERIFY(train::makeCodec(document)->canRead(std::string(source.question)));
    }
    TFM_VERIFY_ERROR(sourceNamed("another"), "there is no source document 'another'");
  }
};

TFM_TEST(TestReproduce)
#include "test_reproduce.moc"
