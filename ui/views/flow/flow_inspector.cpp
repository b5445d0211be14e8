// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_inspector.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/base/error.h"
#include "core/model/build_program.h"
#include "core/observe/formula.h"
#include "core/observe/logit_contributions.h"
#include "core/program/ops/ops.h"
#include "ui/figure/corner_menu.h"
#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/views/flow/flow_otherwise.h"
#include "ui/views/flow/flow_words.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/pin_chip.h"
#include "ui/widgets/section.h"

namespace tfm::ui {
namespace {

using observe::kNoNode;
using observe::NumberPlace;
using observe::PlacedTerm;

constexpr std::size_t kMostParts = 8;  // of a logit, by name
constexpr int kFirstTerms = 8;
constexpr std::size_t kFormulaTerms = 3;

void clear(QVBoxLayout& column) {
  while (QLayoutItem* item = column.takeAt(0)) {
    delete item->widget();
    delete item;
  }
}

}  // namespace

FlowInspector::FlowInspector(const Style& style, QWidget* parent)
    : SideZone(style, 240, parent), style_(style) {
  auto* own = new Section(style, tr("Number"));
  kept_ = new PinChip(style, tr("locked"));
  name_ = wrappedLabel("strong");
  value_ = new NumberLabel;
  place_ = wrappedLabel("muted");
  scale_ = wrappedLabel("muted");
  trace_ = pushButton(tr("To the input"), tr("Follow the largest term at each step, down to a "
                                             "token. Other terms lead to other tokens."));
  what_if_ = pushButton(
      tr("What if..."),
      tr("Switch it off, or set it: the number, its token, neuron, head, block or layer"));
  for (QWidget* part :
       std::initializer_list<QWidget*>{kept_, name_, value_, place_, scale_, trace_, what_if_})
    own->add(part);
  otherwise_ = new FlowOtherwise(style);
  made_ = new Section(style, tr("Made of"));
  formula_ = wrappedLabel("muted");
  formula_->setToolTip(tr("Rows, columns and heads are counted from 1, as everywhere on screen"));
  numbers_ = wrappedLabel("");
  for (QLabel* label : {formula_, numbers_})
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  bars_ = new BarList(style);
  bars_->setTitle(tr("The terms of the number"));
  bars_->setDecimals(std::nullopt);
  bars_->setDataMaker([this] { return termTable(); });
  more_ = pushButton({}, {}, "flat");
  copy_ = pushButton(tr("Copy as LaTeX"), {}, "flat");
  copy_text_ = pushButton(tr("Copy as text"), {}, "flat");
  auto* copies = new QWidget;
  copies->setLayout(rowOf({copy_, copy_text_, kStretch}));
  for (QWidget* part : std::initializer_list<QWidget*>{formula_, numbers_, bars_, more_, copies})
    made_->add(part);
  made_->setFigure(bars_);
  made_->menu().setSource(
      [this] { return run_ ? numberSource(*run_, number_.place) : report::Source(); });
  const auto links = [&](Section*& section, Links& made, const QString& title) {
    section = new Section(style, title);
    auto* box = new QWidget;
    made.column = bareLayout<QVBoxLayout>(box);
    section->add(box);
  };
  links(sources_, source_links_, tr("The chosen term"));
  links(readers_, reader_links_, tr("Read by"));
  update_ = new Section(style, tr("The next update"),
                        tr("How the optimizer would update this weight if this text were the whole "
                           "batch."));
  update_lines_ = wrappedLabel("");
  update_lines_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  update_->add(update_lines_);
  auto* update_box = new QWidget;
  update_links_.column = bareLayout<QVBoxLayout>(update_box);
  update_->add(update_box);
  parts_ = new Section(style, tr("What adds to it"));
  part_bars_ = new BarList(style);
  part_bars_->setTitle(tr("What adds to the logit"));
  part_bars_->setDecimals(std::nullopt);
  held_ = wrappedLabel("muted");
  parts_->add(part_bars_);
  parts_->add(held_);
  parts_->setFigure(part_bars_,
                    tr("What each part of the model contributes to this logit and, after →, what a "
                       "head looks at most. The sum is the logit. Click one to go there."));
  for (QWidget* section :
       std::initializer_list<QWidget*>{own, parts_, made_, sources_, otherwise_, readers_, update_})
    add(section);
  setFolds(parts_);
  connect(kept_, &PinChip::closed, this, &FlowInspector::freed);
  connect(trace_, &QPushButton::clicked, this, &FlowInspector::traceRequested);
  connect(what_if_, &QPushButton::clicked, this,
          [this] { emit whatIfRequested(what_if_->mapToGlobal(what_if_->rect().bottomLeft())); });
  connect(bars_, &BarList::locked, this, [this](int term) {
    showSources(term);
    // When the links have their places.
    QTimer::singleShot(0, this, [this] {
      if (QScrollArea* area = scrollArea()) area->ensureWidgetVisible(sources_);
    });
  });
  connect(part_bars_, &BarList::locked, this, &FlowInspector::followPart);
  connect(more_, &QPushButton::clicked, this, [this] {
    shown_ = std::min(int(terms_.size()), shown_ + 4 * kFirstTerms);
    showTerms();
  });
  connect(copy_, &QPushButton::clicked, this, [this] {
    if (run_)
      QGuiApplication::clipboard()->setText(QString::fromStdString(observe::latexOf(
          run_->program(), number_, [this](const NumberPlace& at) { return valueOf(at); }, 6)));
  });
  connect(copy_text_, &QPushButton::clicked, this, [this] {
    QStringList lines{FlowWords::sentence(*run_, number_.place, number_.value), formula_->text(),
                      numbers_->text()};
    for (const PlacedTerm& term : terms_)
      lines << QStringLiteral("%1\t%2").arg(FlowWords::termLabel(*run_, number_.place, term),
                                            shortNumber(term.amount));
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
  });
  style.follow(this, [this] {
    value_->setStyleSheet(QStringLiteral("font-size: %1px").arg(style_.px(18)));
  });
  show(nullptr, std::nullopt, false);
}

double FlowInspector::valueAt(const std::shared_ptr<FlowRun>& run, NumberPlace place) {
  place.gradient = false;
  return run->explained().explainer().value(place);
}

double FlowInspector::valueOf(const NumberPlace& place) const {
  return run_->explained().explainer().value(place);
}

void FlowInspector::show(const std::shared_ptr<FlowRun>& run,
                         const std::optional<NumberPlace>& place, bool locked) {
  run_ = place ? run : nullptr;
  terms_.clear();
  const auto before = std::exchange(shown_place_, run_ && locked ? place : std::nullopt);
  if (shown_place_ && shown_place_ != before) {
    for (BarList* bars : {bars_, part_bars_}) bars->showLockedItem(-1);
    scrollToTop();
    // What had the focus may be hidden below, and what has it then is scrolled to.
    QTimer::singleShot(0, this, &FlowInspector::scrollToTop);
  }
  kept_->setVisible(run_ && locked);
  what_if_->setVisible(run_ && locked && run_->info(place->tensor).role != Role::Ids);
  for (QWidget* part : std::initializer_list<QWidget*>{value_, place_, made_, sources_, readers_})
    part->setVisible(run_ != nullptr);
  for (QWidget* part : std::initializer_list<QWidget*>{scale_, parts_, update_}) part->hide();
  if (!run_) {
    number_ = {};
    name_->setText(tr("Point at a number, or click it to keep it."));
    bars_->setRows({});
    trace_->hide();
    return;
  }
  number_ = run_->explained().explainer().explain(*place);
  name_->setText(FlowWords::number(*run_, *place));
  // The number of a token says nothing.
  value_->setVisible(run_->info(place->tensor).role != Role::Ids);
  value_->setText(shortNumber(number_.value));
  value_->setAccessibleName(tr("Value: %1").arg(shortNumber(number_.value)));
  const QString where = FlowWords::place(*run_, *place);
  const FlowSide side = place->gradient ? FlowSide::Gradients : FlowSide::Values;
  place_->setText(FlowWords::whose(
      *run_, where, run_->number(place->tensor, place->row, place->col, side), number_.value));
  QStringList formulas, numbers;
  for (const observe::StepPart& part : number_.parts) {
    formulas << QString::fromStdString(observe::labelledFormula(
        run_->program(), number_, part,
        [this](TensorId id) { return FlowWords::tensor(*run_, id).toStdString(); }));
    numbers << QString::fromStdString(observe::withNumbers(
        part, [this](const NumberPlace& at) { return valueOf(at); }, kFormulaTerms, 3));
  }
  terms_ = termsOf(number_);
  const bool ends = number_.parts.empty();
  formula_->setText(ends ? tr("Not computed: a parameter or an input.")
                         : formulas.join(QLatin1Char('\n')));
  numbers_->setText(numbers.join(QLatin1Char('\n')));
  numbers_->setVisible(!ends);
  bars_->setVisible(!ends);
  trace_->setVisible(locked && leadingSource(*run_, terms_).has_value());
  for (QPushButton* copy : {copy_, copy_text_}) copy->setVisible(locked && !ends);
  sources_->setVisible(locked && !terms_.empty());
  readers_->setVisible(locked);
  shown_ = std::min(int(terms_.size()), kFirstTerms);
  showTerms();
  if (!locked) return;
  showReaders();
  showContributions();
  showUpdate();
}

void FlowInspector::showTerms() {
  std::vector<BarRow> rows, summary;
  for (int i = 0; i < shown_; ++i)
    rows.push_back({FlowWords::termLabel(*run_, number_.place, terms_[std::size_t(i)]),
                    terms_[std::size_t(i)].amount});
  double rest = 0.0;
  for (std::size_t i = std::size_t(shown_); i < terms_.size(); ++i) rest += terms_[i].amount;
  const int more = int(terms_.size()) - shown_;
  if (more > 0) summary.push_back({tr("%n more", nullptr, more), rest});
  if (number_.parts.size() == 1) {
    const observe::StepPart& part = number_.parts.front();
    const Explanation& e = part.explanation;
    if (e.constant != 0.0) summary.push_back({tr("constant"), e.constant});
    if (e.rule == Explanation::Rule::Share)
      summary.push_back(
          {tr("%1 of their sum").arg(shortNumber(observe::numeratorOf(part))), e.value()});
    else if (e.rule != Explanation::Rule::Sum)
      summary.push_back(
          {e.rule == Explanation::Rule::Largest ? tr("the largest") : tr("the smallest"),
           e.value()});
    if (!e.function.empty())
      summary.push_back(
          {tr("then %1").arg(QString::fromUtf8(e.function.data(), qsizetype(e.function.size()))),
           number_.value});
  }
  bars_->setRows(std::move(rows), std::move(summary));
  more_->setText(tr("Show more terms"));
  more_->setVisible(more > 0);
  showSources(terms_.empty() ? -1 : 0);
}

DataTable FlowInspector::termTable() const {
  DataTable table;
  const auto rows = observe::termTable(run_->program(), number_,
                                       [this](const NumberPlace& at) { return valueOf(at); });
  for (const std::vector<std::string>& row : rows) {
    QStringList fields;
    for (const std::string& field : row) fields << QString::fromStdString(field);
    if (table.columns.isEmpty())
      table.columns = fields;
    else
      table.rows.push_back(fields);
  }
  return table;
}

void FlowInspector::showSources(int term) {
  bars_->setChosen(term);
  fill(source_links_, term < 0 ? std::vector<NumberPlace>{} : terms_[std::size_t(term)].sources,
       tr("A constant."));
}

void FlowInspector::showReaders() {
  fill(reader_links_, readersOf(*run_, number_.place), tr("No step reads it."));
}

void FlowInspector::fill(Links& links, const std::vector<NumberPlace>& places,
                         const QString& none) {
  // While a model learns, only the values change, and a link stays under the pointer.
  const bool same = !places.empty() && places == links.places;
  links.places = places;
  if (!same) clear(*links.column);
  if (places.empty()) return links.column->addWidget(wrappedLabel("muted", none));
  for (std::size_t i = 0; i < places.size(); ++i) {
    const NumberPlace place = places[i];
    QLabel* link = nullptr;
    if (same) {
      link = static_cast<QLabel*>(links.column->itemAt(int(i))->widget());
    } else {
      link = linkLabel();
      connect(
          link, &QLabel::linkActivated, this, [this, place] { emit followed(place); },
          Qt::QueuedConnection);
      links.column->addWidget(link);
    }
    const QString value = run_->info(place.tensor).role == Role::Ids
                              ? QString()
                              : QStringLiteral(" = ") + shortNumber(valueOf(place));
    const QString name = FlowWords::number(*run_, place);
    link->setText(QStringLiteral("<a href=\"number\">%1</a>%2 ›").arg(name.toHtmlEscaped(), value));
    link->setAccessibleName(name + value);
    link->setToolTip(FlowWords::sentence(*run_, place, valueOf(place)));
  }
}

QScrollArea* FlowInspector::scrollArea() const {
  for (QWidget* around = parentWidget(); around != nullptr; around = around->parentWidget())
    if (auto* area = qobject_cast<QScrollArea*>(around)) return area;
  return nullptr;
}

void FlowInspector::scrollToTop() {
  if (QScrollArea* area = scrollArea()) area->verticalScrollBar()->setValue(0);
}

void FlowInspector::showContributions() {
  const NumberPlace& place = number_.place;
  if (place.gradient || place.tensor != run_->program().find(names::kOutput)) return;
  try {
    contributions_ = observe::logitContributions(run_->explained().explainer(), place);
  } catch (const Error&) {
    return;  // a model without a residual stream, or without an output layer
  }
  const auto& parts = contributions_.parts;
  std::vector<BarRow> rows, summary;
  for (std::size_t i = 0; i < std::min(parts.size(), kMostParts); ++i)
    rows.push_back({partLabel(parts[i]), parts[i].amount});
  if (parts.size() > kMostParts) {
    double rest = 0.0;
    for (std::size_t i = kMostParts; i < parts.size(); ++i) rest += parts[i].amount;
    summary.push_back({tr("%n more", nullptr, int(parts.size() - kMostParts)), rest});
  }
  summary.push_back({tr("the logit"), contributions_.logit});
  part_bars_->setRows(std::move(rows), std::move(summary));
  part_bars_->setDataMaker([this] { return partTable(); });
  QStringList held;
  for (const std::string& norm : contributions_.held) held << FlowWords::named(*run_, norm);
  setOrHide(*held_, held.isEmpty()
                        ? QString()
                        : tr("The scales of norms are held constant; a change would change them."));
  held_->setToolTip(held.join('\n'));
  parts_->show();
}

DataTable FlowInspector::partTable() const {
  DataTable table{{"part", "amount"}, {}};
  for (const observe::LogitContribution& part : contributions_.parts)
    table.rows.push_back({partLabel(part), fullPrecision(part.amount)});
  return table;
}

std::optional<NumberPlace> FlowInspector::placeOf(const observe::LogitContribution& part) const {
  TensorId id = run_->program().find(part.name);
  std::int64_t at = number_.place.row;
  if (id == kNoTensor) {
    id = run_->sharesOf(part.name);
    const AttentionShape* shape = id == kNoTensor ? nullptr : run_->attentionOf(id);
    if (shape == nullptr) return std::nullopt;
    at += std::max<std::int64_t>(0, part.head) * shape->queries;
  }
  const TensorInfo& t = run_->info(id);
  NumberPlace best{id, std::min(at, t.rows - 1), 0, false};
  for (NumberPlace place = best; place.col < t.cols; ++place.col)
    if (std::abs(valueOf(place)) > std::abs(valueOf(best))) best = place;
  return best;
}

QString FlowInspector::partLabel(const observe::LogitContribution& part) const {
  const auto most = part.head < 0 ? std::nullopt : placeOf(part);
  return FlowWords::contribution(*run_, part, most ? FlowWords::token(*run_, *most) : QString());
}

void FlowInspector::followPart(int row) {
  if (row < 0 || std::size_t(row) >= contributions_.parts.size()) return;
  const auto place = placeOf(contributions_.parts[std::size_t(row)]);
  if (place) emit followed(*place);
}

void FlowInspector::showScale(const ColorScale& scale) {
  scale_->setText(tr("Colours of this picture: %1 to %2")
                      .arg(scale.numberWithSign(scale.low), scale.numberWithSign(scale.high)));
  scale_->show();
}

void FlowInspector::showUpdate() {
  const NumberPlace& weight = number_.place;
  const auto update = run_->updateOf(weight.tensor);
  if (!update) return;
  const observe::ValueOf value = [&](const NumberPlace& place) { return update->value(place); };
  // "WEIGHT.next" and the like, with the weight's label.
  const std::string& name = run_->info(weight.tensor).name;
  const TensorNamer label = [&](TensorId id) {
    return QString::fromStdString(update->program().tensors[std::size_t(id)].name)
        .replace(QString::fromStdString(name), FlowWords::tensor(*run_, weight.tensor))
        .replace(QLatin1Char('_'), QLatin1Char(' '))
        .toStdString();
  };
  // From the next value down to what is given, each number once.
  QStringList lines;
  std::vector<NumberPlace> open{update->next(weight.row, weight.col)};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const observe::ExplainedNumber number = update->explain(open[i]);
    for (const observe::StepPart& part : number.parts) {
      lines << QString::fromStdString(
                   observe::labelledFormula(update->program(), number, part, label)) +
                   QLatin1Char('\n') +
                   QString::fromStdString(observe::withNumbers(part, value, kFormulaTerms, 3));
      for (const PlacedTerm& term : part.terms)
        for (const NumberPlace& source : term.sources)
          if (std::ranges::find(open, source) == open.end()) open.push_back(source);
    }
  }
  update_lines_->setText(lines.join(QStringLiteral("\n\n")));
  // What else of this run is in it: from the weight its gradient, from the gradient the weight.
  NumberPlace other = weight;
  other.gradient = !weight.gradient;
  fill(update_links_, {other}, {});
  update_->show();
}

}  // namespace tfm::ui
