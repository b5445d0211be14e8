// SPDX-License-Identifier: GPL-3.0-or-later
// The ways through Flow: from a number to its sources and readers, up the parts, step by step.
#include <QLabel>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

#include "core/observe/logit_contributions.h"
#include "tests/test_program.h"
#include "tests/ui/views/flow_bench.h"
#include "ui/figure/number_text.h"
#include "ui/views/flow/flow_diagram.h"
#include "ui/views/flow/flow_inspector.h"
#include "ui/views/flow/flow_stepper.h"
#include "ui/views/flow/flow_trail.h"
#include "ui/views/flow/flow_view.h"
#include "ui/views/flow/flow_words.h"
#include "ui/widgets/bar_list.h"

using namespace tfm;
using namespace tfm::ui;
using observe::NumberPlace;

class TestFlowWay : public QObject, private FlowBench {
  Q_OBJECT

 private slots:
  void init() { setUpFlow(); }
  void cleanup() { tearDown(); }

  void aLockedGradientStaysOneWhileItLearns() {
    view_->go({tensor("decoder.layers.0.cross_attention.output"), 0, 2, false});
    showSide(FlowSide::Gradients);
    QTRY_VERIFY(view_->isReady() && run().hasGradients());
    const auto shown = [this] { return view_->parts().numbers->shownPlace(); };
    QTRY_VERIFY(shown() && shown()->gradient);
    document_->training().stepOnce();
    QTRY_COMPARE(document_->training().step(), 1);
    QTRY_VERIFY(view_->isReady() && run().step() == 1 && run().hasGradients());
    QVERIFY(shown() && shown()->gradient && shown()->row == 0 && shown()->col == 2);
    showSide(FlowSide::Values);
    QTRY_VERIFY(view_->isReady() && !run().hasGradients() && shown() && !shown()->gradient);
  }

  /// From the answer back to a token, and forward again.
  void theWayLeadsToATokenAndBack() {
    view_->askWhy(1);
    QCOMPARE(view_->parts().trail->places().size(), 1U);
    view_->traceToInput();
    const auto places = view_->parts().trail->places();
    QVERIFY(places.size() > 4);
    QCOMPARE(run().info(places.back().tensor).role, Role::Ids);
    QVERIFY(FlowWords::number(run(), places.back()).startsWith("token "));
    for (std::size_t i = 1; i < places.size(); ++i) {  // each is a source of the one before
      const auto number = run().explained().explainer().explain(places[i - 1]);
      bool made_of = false;
      for (const auto& part : number.parts)
        for (const auto& term : part.terms)
          made_of = made_of || std::ranges::count(term.sources, places[i]) > 0;
      QVERIFY2(made_of, qPrintable(FlowWords::number(run(), places[i])));
    }
    view_->parts().trail->back();
    QCOMPARE(*view_->parts().trail->present(), places[places.size() - 2]);
    QCOMPARE(view_->parts().trail->places().size(), places.size());
    view_->parts().trail->forward();
    QCOMPARE(*view_->parts().trail->present(), places.back());
    // Going elsewhere from an earlier number leaves the way as it is.
    view_->parts().trail->back();
    const NumberPlace aside{tensor("output"), 0, 0, false};
    view_->go(aside);
    QCOMPARE(view_->parts().trail->places(), places);
    QCOMPARE(std::ranges::count(view_->parts().trail->indented(), aside), 1);
    view_->parts().trail->back();  // to what was shown before, as in a browser
    QCOMPARE(*view_->parts().trail->present(), places[places.size() - 2]);
    view_->parts().trail->forward();
    QCOMPARE(*view_->parts().trail->present(), aside);
    view_->go(places.front());  // known: it is gone back to
    QCOMPARE(view_->parts().trail->places(), places);
    QCOMPARE(*view_->parts().trail->present(), places.front());
    view_->traceToInput();  // anew, from here
    QCOMPARE(view_->parts().trail->places(), places);
    QCOMPARE(std::ranges::count(view_->parts().trail->indented(), aside), 0);
    view_->parts().trail->back();  // along the way that was traced
    QCOMPARE(*view_->parts().trail->present(), places[places.size() - 2]);
    view_->parts().trail->restart();
    QCOMPARE(view_->parts().trail->places(), std::vector{places[places.size() - 2]});
    view_->go(aside);  // which has nothing to do with it
    QCOMPARE(view_->parts().trail->places(), std::vector{aside});
    view_->parts().trail->clear();
    QVERIFY(view_->parts().trail->places().empty() && !view_->parts().trail->present());
  }

  /// "-1.00 × 0.167 × 1.00" is what stands beside it, whatever number of the run is explained.
  void aTermIsTheProductThatIsWritten() {
    showSide(FlowSide::Gradients);
    QTRY_VERIFY(view_->isReady() && run().hasGradients());
    auto& explainer = run().explained().explainer();
    int products = 0, indices = 0;
    for (std::size_t id = 0; id < run().program().tensors.size(); ++id) {
      const TensorInfo& t = run().info(TensorId(id));
      for (const bool gradient : {false, true}) {
        if (!run().has(TensorId(id), gradient ? FlowSide::Gradients : FlowSide::Values)) continue;
        const NumberPlace place{TensorId(id), t.rows - 1, t.cols / 2, gradient};
        for (const auto& term : termsOf(explainer.explain(place))) {
          QString text = FlowWords::termLabel(run(), place, term);
          if (!text.contains(QStringLiteral(" × "))) continue;
          text = text.section(QStringLiteral(": "), -1);
          double product = 1.0, off = 1e-12;
          for (const QString& value : text.split(QStringLiteral(" × "))) {
            product *= value.toDouble();
            off += 0.006;  // three digits
          }
          ++products;
          indices += term.factors < term.sources.size() ? 1 : 0;
          QVERIFY2(std::abs(product - term.amount) <= off * std::abs(product) + 1e-30,
                   qPrintable(QStringLiteral("%1: %2").arg(text).arg(term.amount)));
        }
      }
    }
    QVERIFY(products > 500);
    QVERIFY(indices > 10);
  }

  /// Between two numbers of a way stands what the one was multiplied by.
  void theWayNamesItsFactors() {
    view_->askWhy(1);
    view_->traceToInput();
    const auto places = view_->parts().trail->places();
    std::vector<NumberPlace> factors;
    for (std::size_t i = 1; i < places.size(); ++i) {
      const auto number = run().explained().explainer().explain(places[i - 1]);
      QCOMPARE(number.parts.size(), 1U);
      const auto& terms = number.parts.front().terms;
      const auto term = std::ranges::find_if(
          terms, [&](const auto& one) { return std::ranges::count(one.sources, places[i]) > 0; });
      QVERIFY(term != terms.end());
      const auto end = term->sources.begin() + std::ptrdiff_t(term->factors);
      if (std::find(term->sources.begin(), end, places[i]) == end) continue;  // only read
      for (auto source = term->sources.begin(); source != end; ++source)
        if (*source != places[i]) factors.push_back(*source);
    }
    QCOMPARE(view_->parts().trail->indented(), factors);
    const auto is_weight = [&](const NumberPlace& place) {
      return run().info(place.tensor).role == Role::Parameter;
    };
    QVERIFY(std::ranges::count_if(factors, is_weight) > 1);
    QCOMPARE(factors.front().tensor, tensor("output.weight"));
    // The same when it is walked the other way.
    view_->parts().trail->clear();
    for (auto place = places.rbegin(); place != places.rend(); ++place) view_->go(*place);
    auto backwards = view_->parts().trail->indented();
    std::ranges::sort(backwards);
    std::ranges::sort(factors);
    QCOMPARE(backwards, factors);
  }

  /// The list names the part that numbers are in once, shows the present one, and stays where it is
  /// while a model learns.
  void theListFollowsTheWayAndNotTheTraining() {
    auto* list = view_->parts().trail->findChild<QListWidget*>();
    QVERIFY(list != nullptr);
    view_->left()->show();
    view_->askWhy(0);  // an untrained model's answer may become shorter
    view_->traceToInput();
    const auto is_seen = [&](int row) {
      return list->viewport()->rect().contains(list->visualItemRect(list->item(row)).center());
    };
    QTRY_VERIFY(is_seen(list->currentRow()));
    QCOMPARE(list->currentRow(), list->count() - 1);
    QVERIFY2(!is_seen(0), "there are more than fit");
    const NumberPlace first = view_->parts().trail->places().front();
    QCOMPARE(list->item(0)->text(), FlowWords::place(run(), first));
    QVERIFY(!(list->item(0)->flags() & Qt::ItemIsEnabled));
    QString around;
    for (int row = 0; row < list->count(); ++row)
      if (!(list->item(row)->flags() & Qt::ItemIsEnabled)) {
        QVERIFY2(list->item(row)->text() != around, qPrintable(around));
        around = list->item(row)->text();
      }
    list->scrollToTop();
    QVERIFY(trainTo(*document_, 3));
    QTRY_VERIFY(view_->run() && run().step() == 3);
    QTest::qWait(20);
    QVERIFY2(is_seen(0), "a step has moved it");
    list->setCurrentRow(1);  // as a click does
    QCOMPARE(*view_->parts().trail->present(), view_->parts().trail->places().front());
  }

  /// From the answer by what was looked at to a token, on one line of links.
  void aWayToATokenIsSummedUp() {
    QVERIFY(view_->parts().trail->summary().isEmpty());
    view_->askWhy(1);
    QVERIFY2(view_->parts().trail->summary().isEmpty(), "it does not lead anywhere yet");
    static const QRegularExpression tags("<[^>]*>");
    NumberPlace logit = *view_->parts().trail->present();
    int looks = 0;
    for (logit.col = 0; logit.col < run().info(logit.tensor).cols && looks == 0; ++logit.col) {
      view_->parts().trail->clear();
      view_->go(logit);
      view_->traceToInput();
      const auto places = view_->parts().trail->places();
      QStringList stations{FlowWords::number(run(), logit)};
      for (const NumberPlace& factor : view_->parts().trail->indented())
        if (run().attentionOf(factor.tensor) != nullptr && ++looks > 0)
          stations << FlowWords::look(
              run(), factor,
              double(run().number(factor.tensor, factor.row, factor.col, FlowSide::Values)));
      stations << FlowWords::token(run(), places.back());
      const bool token = run().info(places.back().tensor).role == Role::Ids;
      QCOMPARE(view_->parts().trail->summary().remove(tags),
               token ? "By the largest term at each step: " + stations.join(" ← ") : QString());
      if (!token) looks = 0;
    }
    QVERIFY(looks > 0);
    --logit.col;
    QVERIFY(view_->parts().trail->summary().contains(", looks at "));
    // Its links lead there.
    const auto labels = view_->parts().trail->findChildren<QLabel*>();
    const auto why = std::ranges::find(labels, view_->parts().trail->summary(), &QLabel::text);
    QVERIFY(why != labels.end() && (*why)->isVisibleTo(view_->parts().trail));
    emit(*why)->linkActivated("0");
    QTRY_COMPARE(*view_->parts().trail->present(), logit);
    showSide(FlowSide::Gradients);
    QTRY_VERIFY(view_->isReady() && run().hasGradients());
    view_->go({logit.tensor, logit.row, logit.col, true});
    view_->parts().trail->clear();
    view_->go({logit.tensor, logit.row, logit.col, true});
    view_->traceToInput();
    QVERIFY2(view_->parts().trail->summary().isEmpty(), "a gradient does not answer why");
  }

  void readersLeadForward() {
    const TensorId states = run().map().nodes[node("decoder")].out;
    const auto readers = readersOf(run(), {states, 1, 2, false});
    QCOMPARE(readers.size(), 1U);
    QCOMPARE(readers.front().tensor, tensor("output"));
    QCOMPARE(readers.front().row, 1);
    // Of all logits of the row, the one that owes it most.
    double most = 0.0;
    std::int64_t best = -1;
    const TensorId weight = tensor("output.weight");
    for (std::int64_t col = 0; col < run().info(weight).rows; ++col) {
      const double share = std::abs(double(run().number(weight, col, 2, FlowSide::Values)));
      if (share > most) best = col;
      most = std::max(most, share);
    }
    QCOMPARE(readers.front().col, best);
    // A weight is read by each token; it counts most where its state is largest.
    const auto rows = readersOf(run(), {weight, 3, 2, false});
    QCOMPARE(rows.size(), 1U);
    QCOMPARE(rows.front().col, 3);
    for (std::int64_t row = 0; row < run().info(states).rows; ++row)
      QVERIFY(std::abs(run().number(states, row, 2, FlowSide::Values)) <=
              std::abs(run().number(states, rows.front().row, 2, FlowSide::Values)));
    // What attention itself makes of a probability.
    const TensorId map = tensor("decoder.layers.0.cross_attention.probabilities");
    const auto own = readersOf(run(), {map, 1, 1, false});
    QCOMPARE(own.size(), 1U);
    QCOMPARE(own.front().tensor, tensor("decoder.layers.0.cross_attention.mixed"));
  }

  void stepsGoForwardsAndBackwards() {
    FlowStepper& stepper = *view_->parts().stepper;
    QVERIFY(!stepper.step());
    QTest::keyClick(view_.get(), Qt::Key_PageDown);
    QCOMPARE(*stepper.step(), 0U);
    QTRY_VERIFY(view_->isReady() && run().hasGradients());  // from the loss back
    QCOMPARE(*stepper.step(), 0U);
    const std::size_t steps = run().program().steps.size();
    for (std::size_t i = 1; i < steps; ++i) stepper.next();
    QCOMPARE(*stepper.step(), steps - 1);
    QVERIFY(!stepper.isBackward());
    stepper.next();
    QVERIFY(stepper.isBackward());
    QCOMPARE(*stepper.step(), steps - 1);
    for (std::size_t i = 0; i < 2 * steps; ++i) stepper.next();
    QCOMPARE(*stepper.step(), 0U);  // and it ends there
    stepper.leave();
    QVERIFY(!stepper.step());
    QVERIFY(run().hasGradients());  // it ended on their side
    for (std::size_t i = 0; i < steps; ++i)
      for (const bool backward : {false, true}) {
        const QString words = FlowWords::step(run(), i, backward);
        QVERIFY2(words.size() > 10, run().program().steps[i].path.c_str());
        QVERIFY2(!words.contains('_') && !words.contains(".weight"), qPrintable(words));
      }
  }

  void gradientsChosenRightAfterAWalkAreShown() {
    QTest::keyClick(view_.get(), Qt::Key_PageDown);
    QTRY_VERIFY(view_->isReady() && run().hasGradients());
    view_->parts().stepper->leave();  // makes a run of the values alone
    showSide(FlowSide::Gradients);
    QTRY_VERIFY(view_->isReady());
    QTRY_VERIFY(run().hasGradients());
  }

  void whatWasAskedForIsInSight() {
    QScrollArea area;
    area.setWidgetResizable(true);
    area.resize(320, 240);
    view_->inspector()->setMinimumHeight(1200);
    area.setWidget(view_->inspector());
    area.show();
    QScrollBar& bar = *area.verticalScrollBar();
    view_->go({tensor("output"), 1, 3, false});
    QTRY_VERIFY(bar.maximum() > 0);
    bar.setValue(bar.maximum());
    view_->go({tensor("output"), 1, 4, false});
    QCOMPARE(bar.value(), 0);  // its name and value
    for (BarList* bars : area.findChildren<BarList*>())
      if (bars->figureTitle() == "The terms of the number") emit bars->locked(1);
    QTRY_VERIFY(bar.value() > 0);  // what the term is made of
    area.takeWidget();
  }

  /// Its words may take a line more, or the window becomes smaller.
  void aStepStaysInSight() {
    const FlowDiagram& diagram = *view_->parts().diagram;
    const auto is_seen = [&] {
      const FlowLayout& layout = diagram.flowLayout();
      const std::size_t leaf = run().map().leaves[*view_->parts().stepper->step()];
      for (const FlowTile& tile : layout.tiles)
        if (tile.node == leaf && tile.area.bottom() > double(diagram.verticalScrollBar()->value() +
                                                             diagram.viewport()->height()))
          return false;
      return true;
    };
    for (int i = 0; i < 12; ++i) view_->parts().stepper->next();
    QTRY_VERIFY(is_seen());
    view_->resize(1100, 520);
    QTRY_VERIFY(is_seen());
    view_->parts().stepper->next();
    QTRY_VERIFY(is_seen());
  }

  void theUpdateOfAWeightLeadsToItsGradient() {
    showSide(FlowSide::Gradients);
    QVERIFY(isReady());
    QTRY_VERIFY(run().hasGradients());
    const NumberPlace weight{tensor("output.weight"), 2, 1, false};
    view_->go(weight);
    QVERIFY(isReady());
    const auto links = view_->parts().numbers->findChildren<QLabel*>();
    const auto link = std::ranges::find_if(links, [](const QLabel* label) {
      return label->accessibleName().startsWith("gradient of");
    });
    QVERIFY(link != links.end());
    emit(*link)->linkActivated("number");
    NumberPlace gradient = weight;
    gradient.gradient = true;
    QTRY_COMPARE(view_->parts().trail->present(), std::optional(gradient));
  }

  /// A walk opens the part that it is in, and closes it again behind it.
  void aWalkOpensWhatItGoesThrough() {
    FlowDiagram& diagram = *view_->parts().diagram;
    diagram.setZoom(2.0, {});
    const observe::ModelMap& map = run().map();
    const FlowOpen before = diagram.open();
    std::size_t most = 0;
    for (std::size_t i = 0; i < run().program().steps.size(); ++i) {
      view_->parts().stepper->next();
      QCOMPARE(shownFor(map, diagram.open(), i), map.leaves[i]);
      most = std::max(most, diagram.open().paths.size());
      const int card = diagram.flowLayout().cardOf(map.leaves[i]);
      if (card < 0) continue;
      QVERIFY2(diagram.viewport()->rect().intersects(diagram.itemRect(card).toRect()),
               run().program().steps[i].path.c_str());
    }
    QVERIFY(most > before.paths.size());
    QVERIFY(most < before.paths.size() + 3);  // not all that it has been in
    view_->parts().stepper->leave();
    QVERIFY(diagram.open() == before);
  }

  void aPartOfALogitLeadsThere() {
    view_->askWhy(1);
    const auto found = observe::logitContributions(run().explained().explainer(),
                                                   *view_->parts().numbers->shownPlace());
    const auto head =
        std::ranges::find_if(found.parts, [](const auto& part) { return part.head >= 0; });
    QVERIFY(head - found.parts.begin() < 8);  // those that are shown
    QString label;
    for (BarList* bars : view_->parts().numbers->findChildren<BarList*>())
      if (bars->figureTitle() == "What adds to the logit") {
        label = bars->figureData().rows[std::size_t(head - found.parts.begin())].front();
        emit bars->locked(int(head - found.parts.begin()));
      }
    const NumberPlace at = *view_->parts().trail->present();
    QVERIFY2(label.startsWith(
                 QString("head %1 → %2, ").arg(head->head + 1).arg(FlowWords::token(run(), at))),
             qPrintable(label));
    QCOMPARE(run().info(at.tensor).name, head->name + ".probabilities");
    const auto values = run().explained().values(at.tensor);
    QCOMPARE(at.row, head->head * run().attentionOf(at.tensor)->queries + 1);
    for (std::int64_t col = 0; col < values.cols; ++col)
      QVERIFY(values.at(at.row, col) <= values.at(at.row, at.col));
  }

  /// The way names the parts around the kept number and leads up to each; nothing moves for it.
  void theWayLeadsUp() {
    view_->left()->show();
    QTest::qWait(50);
    auto* way = view_->findChild<QLabel*>("flow-way");
    QVERIFY(way != nullptr && way->isVisible());
    const QPoint before = view_->parts().diagram->mapTo(view_.get(), QPoint());
    view_->go({tensor("decoder.layers.0.cross_attention.query"), 0, 0, false});
    QCOMPARE(view_->parts().diagram->mapTo(view_.get(), QPoint()), before);
    QVERIFY(way->text().endsWith("cross-attention"));
    const std::size_t layer = node("decoder.layers.0");
    QVERIFY(way->text().contains(QString("<a href=\"%1\">layer 1</a>").arg(layer)));
    const observe::ModelMap& map = run().map();
    const TensorId query = tensor("decoder.layers.0.cross_attention.query");
    const std::string block =
        map.nodes[map.nodes[map.leaves[map.makers[std::size_t(query)]]].parent].path;
    QVERIFY(view_->parts().diagram->open().paths.contains(block));
    emit way->linkActivated(QString::number(layer));
    QTRY_VERIFY(!view_->parts().diagram->open().paths.contains(block));
    QVERIFY(view_->parts().diagram->open().paths.contains("decoder.layers.0"));
  }
};

TFM_TEST(TestFlowWay)
#include "test_flow_way.moc"
