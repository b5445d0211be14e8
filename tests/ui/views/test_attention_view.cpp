// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <algorithm>

#include "tests/test_program.h"
#include "tests/ui/views/attention_bench.h"
#include "ui/figure/exporter.h"
#include "ui/heatmap/lines_view.h"
#include "ui/views/attention/attention_inspector.h"
#include "ui/views/attention/attention_tools.h"
#include "ui/views/attention/attention_words.h"
#include "ui/views/question_field.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/panel.h"

using namespace tfm;
using namespace tfm::ui;

class TestAttentionView : public QObject, private AttentionBench {
  Q_OBJECT

 private slots:
  void init() { setUp(); }
  void cleanup() { tearDown(); }

  void showsTheEnginesNumbers() {
    QVERIFY(view_->lock({2, 0, 4}, std::nullopt));
    const auto& tensor = snapshot().observed.at("decoder.layers.0.cross_attention.probabilities");
    const HeatMap& map = cells().map();
    QCOMPARE(map.col_labels.join(""), "there");
    for (int row = 0; row < map.rows; ++row)
      for (int col = 0; col < map.cols; ++col) {
        QCOMPARE(map.value(row, col), tensor.at(4 * map.rows + row, col));
        QCOMPARE(grid().map({2, 0, 4})[std::size_t(row * map.cols + col)], map.value(row, col));
      }
    QVERIFY(!view_->lock({2, 0, 7}, std::nullopt));  // there is no such head
  }

  void hoverPreviewsClickLocksEscUnlocks() {
    QTest::mouseMove(grid().viewport(), grid().mapRect({0, 0, 1}).center().toPoint());
    QVERIFY(cells().map().name.contains("Encoder looks at itself · head 2"));
    QVERIFY(view_->lock({2, 0, 4}, Cell{1, 1}));
    QTest::mouseMove(grid().viewport(), grid().mapRect({0, 0, 2}).center().toPoint());
    QVERIFY(cells().map().name.contains("Decoder looks at encoder · head 5"));
    QVERIFY(inspectorSays("reads"));
    press(Qt::Key_Escape);
    QVERIFY(!cells().lockedCell());
    QVERIFY(grid().lockedMap());
    press(Qt::Key_Escape);
    QVERIFY(!grid().lockedMap());
  }

  void aHeadIsChosenEverywhere() {
    QTest::mouseClick(grid().viewport(), Qt::LeftButton, {},
                      grid().mapRect({2, 0, 4}).center().toPoint());
    const ChosenCell* chosen = document_->selection().cell();
    QVERIFY(chosen != nullptr);
    QCOMPARE(*chosen, (ChosenCell{"decoder.layers.0.cross_attention", 4}));
    document_->selection().choose(ChosenCell{"encoder.layers.0.self_attention", 1});
    QCOMPARE(grid().lockedMap(), std::optional(MapId{0, 0, 1}));
    QVERIFY(!cells().lockedCell());
    document_->selection().choose(ChosenCell{"encoder.layers.0.self_attention", 1, 2, 3});
    QCOMPARE(cells().lockedCell(), std::optional(Cell{2, 3}));
    document_->selection().choose(ChosenWeight{"output.weight", 0, 0});
    QCOMPARE(cells().lockedCell(), std::optional(Cell{2, 3}));
    document_->selection().clear();
    QVERIFY(!cells().lockedCell());
  }

  void aTokenIsChosenEverywhere() {
    const auto locked = [&] { return cells().lockedCell(); };
    document_->selection().choose(ChosenCell{"encoder.layers.0.self_attention", 1});
    document_->selection().choose(ReadToken{Stack::Encoder, 1, 7});
    QVERIFY(locked());
    QCOMPARE(locked()->row, 1);  // its strongest cell
    document_->selection().choose(ReadToken{Stack::Decoder, 2, 20});
    QCOMPARE(locked()->row, 1);  // this attention does not read it
    document_->selection().choose(ChosenCell{"decoder.layers.0.cross_attention", 4});
    document_->selection().choose(ReadToken{Stack::Decoder, 2, 20});
    QCOMPARE(locked()->row, 2);
    document_->selection().choose(ReadToken{Stack::Encoder, 3, 17});
    QCOMPARE(locked()->col, 3);  // it is looked at
    const auto before = locked();
    document_->selection().choose(ReadToken{Stack::Encoder, 1000, 17});
    QCOMPARE(locked(), before);
  }

  /// Flow chooses tokens before Attention was ever shown, when there are no maps yet.
  void whatWasChosenBeforeTheFirstMapsIsFollowed() {
    document_->selection().choose(ReadToken{Stack::Encoder, 1, 7});
    AttentionView late(*style_, *document_);
    late.show();
    auto& cells = *late.findChild<HeatMapView*>();
    QTRY_VERIFY(cells.lockedCell().has_value());
    QCOMPARE(cells.lockedCell()->col, 1);  // at first, a cross-attention, which reads it
  }

  void smallMapsFollowThePlanOfTheModel() {
    const AttentionMaps maps(document_->observing().snapshot());
    const auto& sites = snapshot().sites;  // in execution order
    std::vector<std::string> paths, wanted;
    for (int item = 0; item < grid().itemCount(); ++item) {
      const MapId map = *grid().mapOf(item);
      if (map.layer < 0 || map.head < 0) continue;
      const std::string& path =
          maps.groups()[std::size_t(map.group)].layers[std::size_t(map.layer)].path;
      if (paths.empty() || paths.back() != path) paths.push_back(path);
    }
    for (const auto& site : sites) wanted.push_back(site.path);
    QCOMPARE(paths, wanted);
    std::swap(wanted.front(), wanted.back());
    QVERIFY(paths != wanted);
  }

  void inspectorFollowsTheCell() {
    QVERIFY(view_->lock({2, 0, 4}, std::nullopt));
    QTest::mouseClick(cells().viewport(), Qt::LeftButton, {}, centre(1, 2));
    QVERIFY(inspectorSays(cells().map().row_labels[1] + "</b>"));
    const auto bars = view_->inspector()->findChildren<BarList*>();
    const DataTable products = bars[0]->figureData();
    QCOMPARE(products.rows.size(), 5U + 3U);  // five terms; sum, scaled, softmax
    double sum = 0.0;
    for (int i = 0; i < 5; ++i) sum += products.rows[std::size_t(i)][1].toDouble();
    const double score = snapshot()
                             .observed.at("decoder.layers.0.cross_attention.scores")
                             .at(4 * cells().map().rows + 1, 2);
    QVERIFY(std::abs(sum - score) < 1e-5);
    QVERIFY(std::abs(products.rows[5][1].toDouble() - score) < 1e-5);
    QCOMPARE(float(products.rows[7][1].toDouble()), cells().map().value(1, 2));
    QCOMPARE(bars[1]->figureData().rows.size(), std::size_t(cells().map().cols));
  }

  void theCellIsBesideTheMapIfTheInspectorIsHidden() {
    const auto beside = [this]() -> QLabel* {
      for (QLabel* label : view_->findChildren<QLabel*>())
        if (label->isVisible() && label->text().contains("← reads")) return label;
      return nullptr;
    };
    const auto question = [this] { return view_->findChild<QuestionField*>(); };
    const auto top = [&] { return question()->mapTo(view_.get(), QPoint()).y(); };
    QVERIFY(beside() != nullptr);
    QTest::mouseClick(cells().viewport(), Qt::LeftButton, {}, centre(1, 2));
    QVERIFY(beside()->text().contains("“e”"));
    const QString value = cells().map().valueText(1, 2);
    const auto numbers = beside()->parentWidget()->findChildren<NumberLabel*>();
    QCOMPARE(numbers.size(), 1);
    QCOMPARE(numbers.front()->text(), value);
    QApplication::processEvents();
    const int in_head = top();
    view_->inspector()->show();
    QApplication::processEvents();
    QVERIFY(beside() == nullptr);
    QVERIFY(top() > in_head + 20);  // on a line of its own, below the title
    view_->inspector()->hide();
    QApplication::processEvents();
    QVERIFY(beside() != nullptr);
    QCOMPARE(top(), in_head);
    view_->resize(700, 800);  // too narrow for title and question in one line
    QApplication::processEvents();
    QVERIFY(top() > in_head + 20);
  }

  void masksAreCalledMasked() {
    QVERIFY(view_->lock({1, 0, 0}, Cell{0, 1}));
    QVERIFY(inspectorSays("masked"));
    QVERIFY(cells().map().cellText(0, 1).contains("masked"));
    QVERIFY(view_->lock({1, 0, 0}, Cell{1, 0}));
    QVERIFY(!cells().map().cellText(1, 0).contains("masked"));
    press(Qt::Key_K);  // scaled: the mask comes after it
    QVERIFY(!cells().map().hasMasked());
    press(Qt::Key_M);
    QVERIFY(cells().map().hasMasked());
  }

  void stagesHaveLimitsFromTheData() {
    QVERIFY(view_->lock({2, 0, 4}, std::nullopt));
    press(Qt::Key_S);
    const HeatMap& map = cells().map();
    QCOMPARE(map.scale.kind, ColorScale::Kind::Signed);
    double largest = 0.0;
    for (const float value : map.values) largest = std::max(largest, double(std::abs(value)));
    QVERIFY(map.scale.high >= largest);
    QVERIFY(map.scale.high <= 1.7 * largest);
    press(Qt::Key_X);
    QCOMPARE(map.scale, ColorScale::sequential());
  }

  void whatIsShownIsAValue() {
    QVERIFY(view_->lock({2, 0, 4}, Cell{1, 2}));
    press(Qt::Key_S);
    press(Qt::Key_L);
    const AttentionShown kept = view_->state();
    QCOMPARE(kept.form, AttentionShown::Form::Lines);
    view_->setState({});
    QCOMPARE(grid().lockedMap(), std::nullopt);
    QVERIFY(cells().lockedCell() != (Cell{1, 2}));
    QCOMPARE(view_->forms().currentIndex(), int(AttentionShown::Form::Cells));
    view_->setState(kept);
    QCOMPARE(view_->state(), kept);
    QCOMPARE(grid().lockedMap(), (MapId{2, 0, 4}));
    QCOMPARE(cells().lockedCell(), (Cell{1, 2}));
    QCOMPARE(view_->forms().currentIndex(), int(AttentionShown::Form::Lines));
    QVERIFY(view_->forms().figureTitle().contains(
        AttentionWords::stageName({kept.map, kept.stage}, 5)));
  }

  void rolloutNeedsSquareMaps() {
    auto* tools = view_->findChild<AttentionTools*>();
    QVERIFY(view_->lock({2, 0, 4}, std::nullopt));
    press(Qt::Key_R);
    QVERIFY(!tools->rollout());
    QVERIFY(view_->lock({0, 0, 4}, Cell{0, 0}));
    press(Qt::Key_R);
    QVERIFY(tools->rollout());
    // One layer: half the mean over heads, half itself.
    QCOMPARE(cells().map().value(0, 1), grid().map({0, -1, -1})[1] / 2);
    QVERIFY(view_->lock({2, 0, 4}, std::nullopt));
    QVERIFY(!tools->rollout());
  }

  void disabledControlsSayWhyWithoutHover() {
    const auto toolsSay = [this](const QString& text) {
      for (const QLabel* label : view_->findChild<AttentionTools*>()->findChildren<QLabel*>())
        if (label->isVisible() && label->text().contains(text)) return true;
      return false;
    };
    QVERIFY(view_->lock({2, 0, 4}, std::nullopt));
    QVERIFY(toolsSay("No rollout of cross-attention"));
    QVERIFY(toolsSay("Pin a step first"));
    QVERIFY(view_->lock({0, 0, 4}, std::nullopt));
    QVERIFY(!toolsSay("No rollout"));
    pinA();
    QVERIFY(!toolsSay("Pin a step first"));
  }

  void lockSurvivesLabelsOfTheSameSize() {
    QVERIFY(view_->lock({0, 0, 4}, Cell{1, 2}));
    QVERIFY(ask("three"));
    QCOMPARE(cells().map().row_labels.join(""), "three");
    QVERIFY(cells().lockedCell() == (Cell{1, 2}));
    QVERIFY(ask("ma"));
    QVERIFY(!cells().lockedCell());
    QVERIFY(grid().lockedMap() == (MapId{0, 0, 4}));
  }

  void selectedRowsAreAveraged() {
    QVERIFY(view_->lock({2, 0, 4}, Cell{1, 4}));
    const auto bars = view_->inspector()->findChildren<BarList*>();
    const QString one = bars[1]->figureTitle();
    for (const int row : {0, 3})
      QTest::mouseClick(cells().viewport(), Qt::LeftButton, Qt::ShiftModifier, centre(row, 0));
    QVERIFY(bars[1]->figureTitle() != one);
    const double mean = (cells().map().value(0, 2) + cells().map().value(3, 2)) / 2.0;
    QVERIFY(std::abs(bars[1]->figureData().rows[2][1].toDouble() - mean) < 1e-6);
    press(Qt::Key_L);
    QVERIFY(ask("m"));  // the selected rows and the locked token are cleared
    QVERIFY(!view_->findChild<LinesView*>()->lockedToken());
    QVERIFY(bars[1]->figureTitle().contains("Softmax"));
  }

  void aBadQuestionKeepsTheLastMaps() {
    const auto problem = [this] { return view_->findChild<QLineEdit*>()->accessibleDescription(); };
    QVERIFY(problem().isEmpty());
    document_->observing().setQuestion("there7");
    QVERIFY(QTest::qWaitFor([&] { return problem().contains("7"); }));
    QCOMPARE(cells().map().col_labels.join(""), "there");
    QVERIFY(ask("hey"));
    QVERIFY(problem().isEmpty());
  }

  void typingAsks() {
    auto* field = view_->findChild<QLineEdit*>();
    QCOMPARE(field->text(), "there");
    field->setFocus();
    QTest::keyClick(field, Qt::Key_S);  // a letter, not the shortcut
    QCOMPARE(document_->observing().question(), "theres");
    QCOMPARE(cells().map().scale, ColorScale::sequential());
  }

  void linesKeepTheLockedRow() {
    QVERIFY(view_->lock({2, 0, 4}, Cell{1, 1}));
    press(Qt::Key_L);
    auto* lines = view_->findChild<LinesView*>();
    QVERIFY(lines->isVisible());
    QVERIFY(lines->lockedToken() == (Token{Token::Side::Looking, 1}));
    QCOMPARE(lines->map().values, cells().map().values);
    press(Qt::Key_Escape);
    QVERIFY(!lines->lockedToken());
    press(Qt::Key_L);
    QVERIFY(cells().isVisible());
  }

  void csvHoldsTheNumbers() {
    QVERIFY(view_->lock({2, 0, 4}, std::nullopt));
    const QList<QByteArray> lines = toCsv(view_->forms().figureData()).trimmed().split('\n');
    const HeatMap& map = cells().map();
    QCOMPARE(lines.size(), 1 + map.rows * map.cols);
    for (int i = 0; i < map.rows * map.cols; ++i)
      QCOMPARE(lines[i + 1].split(',')[4].toFloat(), map.values[std::size_t(i)]);
  }

  void anotherModelResetsTheView() {
    QVERIFY(view_->lock({2, 0, 4}, Cell{1, 1}));
    pinA();
    document_->start(presetNamed("tagger").config(), data::defaultTaskConfig("sort"), {});
    QVERIFY(QTest::qWaitFor(
        [&] { return document_->observing().snapshot() && !grid().groups().empty(); }));
    QCOMPARE(grid().groups().size(), 1U);
    QVERIFY(cells().map().name.contains("Encoder"));
    QVERIFY(!view_->findChild<AttentionTools*>()->difference());
  }
};

TFM_TEST(TestAttentionView)
#include "test_attention_view.moc"
