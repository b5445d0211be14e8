// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/core/golden.h"
#include "tests/core/model/golden_model.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;

/// What a program finds that knows documents from docs/file-format.md alone.
class TestDocumentLogits : public QObject {
  Q_OBJECT

 private slots:
  void areThoseOfThePage_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("narrow");
    for (const std::string& name : golden_.keys()) {
      QTest::newRow(name.c_str()) << QString::fromStdString(name) << false;
      if (golden_.at(name).has("widths"))
        QTest::newRow((name + ", narrow").c_str()) << QString::fromStdString(name) << true;
    }
  }
  void areThoseOfThePage() {
    QFETCH(const QString, name);
    QFETCH(const bool, narrow);
    const Golden golden = golden_.at(name.toStdString());
    const ModelState state = train::openDocument(TFM_TEST_DATA "/goldens/documents/" +
                                                 name.toStdString() + ".safetensors")
                                 .state;
    const std::vector<double> expected = golden.at(narrow ? "narrow_logits" : "logits").numbers();
    QVERIFY(agrees(logits(state, golden, narrow, state.step), expected));
    // The controls: the whole model is not the narrow one, and a mask has its step.
    if (narrow) QVERIFY(!agrees(logits(state, golden, false, state.step), expected));
    if (state.config.mask_size > 0)
      QVERIFY(!agrees(logits(state, golden, narrow, state.step + 1), expected));
  }

 private:
  static std::vector<double> logits(const ModelState& state, const Golden& golden, bool narrow,
                                    std::int64_t step) {
    const std::vector<std::int32_t> source = idsOf(golden.at("source")),
                                    target = idsOf(golden.at("target"));
    ProgramOptions options;
    if (narrow)
      for (const double width : golden.at("widths").numbers())
        options.submodel.widths.push_back(std::int64_t(width));
    ModelRun run(state.config, {1, std::int64_t(source.size()), std::int64_t(target.size())},
                 options);
    std::copy(state.parameters.begin(), state.parameters.end(), run.parameters().begin());
    run.position.step = std::uint64_t(step);
    if (!source.empty()) {
      run.setIds(names::kSourceIds, source);
      run.setIds(names::kSourcePad, idsOf(golden.at("source_pad")));
    }
    if (!target.empty()) {
      run.setIds(names::kTargetIds, target);
      run.setIds(names::kTargetPad, std::vector<std::int32_t>(target.size()));
    }
    run.forward();
    return run.values(names::kOutput);
  }

  const Golden golden_ = Golden::read("document_logits");
};

TFM_TEST(TestDocumentLogits)
#include "test_document_logits.moc"
