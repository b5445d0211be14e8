// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/sources_dialog.h"

#include <QCheckBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QStackedWidget>
#include <algorithm>
#include <limits>
#include <utility>

#include "ui/document/screens.h"
#include "ui/study/claim_table.h"
#include "ui/study/source_figures.h"
#include "ui/study/study_controls.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

QString textOf(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

std::vector<reproduce::Checked> uncheckedOf(const reproduce::Source& source) {
  std::vector<reproduce::Checked> all;
  for (reproduce::Claim& claim : source.claims()) all.push_back({std::move(claim), std::nullopt});
  return all;
}

/// Checks one after the other; those known stay where they take a training that is not wanted.
std::optional<std::vector<reproduce::Checked>> checkAll(std::vector<reproduce::Checked> all,
                                                        bool trainings,
                                                        const ClaimsStudy::Progress& progress) {
  const auto share = [&](std::size_t done, double more) {
    return (double(done) + more) / double(all.size());
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    reproduce::Checked& one = all[i];
    if (trainings || !one.claim.trains()) {
      const auto goes_on = [&, told = 0.0](double part) mutable {
        constexpr double kOften = 0.01;  // steps are many
        if (part < told + kOften) return true;
        told = part;
        return progress(all, share(i, part));
      };
      reproduce::Checked now = reproduce::check(one.claim, trainings, goes_on);
      if (now.ours) one = std::move(now);
    }
    if (!progress(all, share(i + 1, 0.0))) return std::nullopt;
  }
  return all;
}

}  // namespace

std::optional<int> screenOf(const reproduce::Claim& claim) {
  std::optional<int> screen;
  std::size_t first = std::string::npos;
  for (std::size_t i = 0; i < kScreens.size(); ++i) {
    const std::size_t place = claim.where.find(kScreens[i].name);
    if (place >= first) continue;
    first = place;
    screen = int(i);
  }
  return screen;
}

SourcesDialog::SourcesDialog(Style& style, QWidget* parent)
    : QDialog(parent),
      style_(style),
      study_(new ClaimsStudy(this)),
      sources_(new QListWidget),
      pages_(new Segmented(style, {tr("Numbers"), tr("Figures")})),
      stack_(new QStackedWidget),
      figures_(new SourceFigures(style)),
      panel_(new Panel(style)),
      claims_(new ClaimTable(style)),
      details_(wrappedLabel("sentence")),
      wrong_(wrappedLabel("mark")),
      see_(new QPushButton),
      figure_(new QPushButton(tr("See its figure"))),
      open_(new QPushButton(tr("Open its model"))),
      trainings_(new QCheckBox(tr("Include claims that take minutes of training"))),
      run_(new StudyControls(style, *study_, tr("Compute again"))) {
  setWindowTitle(tr("Source documents"));
  sources_->setAccessibleName(tr("Source documents"));
  sources_->setWordWrap(true);
  sources_->setSpacing(3);
  for (const reproduce::Source& source : reproduce::sources())
    sources_->addItem(textOf(source.title));
  open_->setToolTip(
      tr("Its model, untrained, with its data, optimizer and seed; Ctrl+Z brings back the model "
         "that is open now"));
  setRole(*open_, "primary");
  see_->setAutoDefault(false);
  figure_->setAutoDefault(false);
  pages_->setAccessibleName(tr("What is shown of the document"));
  panel_->setBody(claims_);
  panel_->setFigure(claims_);
  setExplanation();

  auto* numbers = new QWidget;
  numbers->setLayout(columnOf(style, 12, {{panel_, 1}, makeDetails()}));
  stack_->addWidget(numbers);
  stack_->addWidget(figures_);
  auto* left = columnOf(style, 12, {{sources_, 1}, open_, trainings_, run_});
  auto* right = columnOf(style, 12, {{pages_, 0, Qt::AlignLeft}, {stack_, 1}});
  setLayout(rowOf(style, 20, {left, {right, 1}}));
  layout()->setContentsMargins(style.px(20), style.px(16), style.px(20), style.px(16));
  resize(style.px(1160), style.px(720));

  connect(sources_, &QListWidget::currentRowChanged, this, [this] {
    startIfNew();
    showClaims();
    figures_->setSource(source());
  });
  connect(pages_, &Segmented::currentChanged, stack_, &QStackedWidget::setCurrentIndex);
  connect(figure_, &QPushButton::clicked, this, [this] {
    if (const auto* current = claims_->current()) figures_->choose(current->claim.picture);
    pages_->setCurrent(1);
  });
  connect(claims_, &QTableWidget::currentCellChanged, this, &SourcesDialog::showDetails);
  connect(open_, &QPushButton::clicked, this, [this] { emit openRequested(source()); });
  connect(see_, &QPushButton::clicked, this, &SourcesDialog::see);
  connect(claims_, &QTableWidget::cellActivated, this, &SourcesDialog::see);
  connect(sources_, &QListWidget::itemActivated, open_, &QPushButton::click);
  connect(run_, &StudyControls::startRequested, this, &SourcesDialog::start);
  connect(study_, &BackgroundStudy::advanced, this, &SourcesDialog::showClaims);
  connect(study_, &BackgroundStudy::finished, this, [this] {
    showClaims();
    if (isVisible()) startIfNew();
  });
  choose(0);
}

QLayout* SourcesDialog::makeDetails() {
  for (QLabel* label : {details_, wrong_})
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return columnOf(style_, 6, {details_, wrong_, rowOf({see_, figure_, kStretch})});
}

void SourcesDialog::setExplanation() {
  panel_->setExplanation(
      tr("The program grew out of five documents. Each row is something that the chosen one "
         "**prints or claims**; **ours** is computed now, by the engine that trains and draws "
         "everything else. It **agrees** if each number is within the tolerance.\n\nWhere the "
         "document is wrong, the right number must come out, and the sentence below says what "
         "happened. A dash means that a number cannot be computed, e.g. because it comes from the "
         "random generator of another program; the reason is given.\n\n*Open its model* gives the "
         "model before its first step. Where the document uses random inputs, each letter that "
         "you type stands for a row of random numbers."),
      {{sources_, tr("Documents"), tr("Choose one; its numbers are computed at once.")},
       {claims_, tr("Claims"),
        tr("Choose one to see all of its numbers; double-click it to go where it is seen.")},
       {see_, tr("Where it is seen"), tr("Opens the model of this claim on that screen.")}});
}

void SourcesDialog::choose(int source) {
  sources_->setCurrentRow(std::clamp(source, 0, int(reproduce::sources().size()) - 1));
}

const reproduce::Source& SourcesDialog::source() const {
  return reproduce::sources()[std::size_t(std::max(0, sources_->currentRow()))];
}

void SourcesDialog::start() {
  if (study_->isRunning()) return;
  computed_ = sources_->currentRow();
  auto& known = results_[computed_];
  if (known.empty()) known = uncheckedOf(source());
  study_->start(
      [known, trainings = trainings_->isChecked()](const ClaimsStudy::Progress& progress) {
        return checkAll(known, trainings, progress);
      });
  showClaims();
}

void SourcesDialog::startIfNew() {
  if (!results_.contains(sources_->currentRow())) start();
}

void SourcesDialog::showClaims() {
  if (const auto& result = study_->result()) results_[computed_] = *result;
  const auto known = results_.find(sources_->currentRow());
  claims_->setClaims(textOf(source().title),
                     known != results_.end() ? known->second : uncheckedOf(source()));
  panel_->setTitle(textOf(source().title));
  panel_->setSentence(sentence());
  run_->setIdle(true, {});
  trainings_->setEnabled(!study_->isRunning());
  showDetails();
}

QString SourcesDialog::sentence() const {
  const auto& claims = claims_->claims();
  const auto count = [&](const auto& wanted) { return int(std::ranges::count_if(claims, wanted)); };
  using reproduce::Checked;
  return tr("%1 of %2 numbers or lists of numbers computed, %3 agree; %4 cannot be computed. "
            "Its model is %5. %6")
      .arg(count([](const Checked& c) { return c.ours.has_value(); }))
      .arg(count([](const Checked& c) { return c.claim.isComputed(); }))
      .arg(count([](const Checked& c) { return c.ours && c.pass; }))
      .arg(count([](const Checked& c) { return !c.claim.isComputed(); }))
      .arg(textOf(source().preset), textOf(source().recipe));
}

void SourcesDialog::showDetails() {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  const reproduce::Checked* current = claims_->current();
  if (current == nullptr) return;
  const reproduce::Claim& claim = current->claim;
  QStringList lines{QString::fromStdString(claim.text)};  // the table may cut it
  if (!claim.printed.empty())
    lines << tr("%1: %2").arg(claim.at_most ? tr("At most") : tr("Printed"),
                              numbersText(claim.printed, kAll));
  if (current->ours) lines << tr("Ours: %1").arg(numbersText(*current->ours, kAll));
  lines << tr("How: %1").arg(QString::fromStdString(claim.how));
  const QString where = QString::fromStdString(claim.where);
  lines << (claim.preset.empty()
                ? tr("Seen: %1").arg(where)
                : tr("Seen: %1, of %2").arg(where, QString::fromStdString(claim.preset)));
  details_->setText(lines.join(QLatin1Char('\n')));
  wrong_->setText(QString::fromStdString(claim.wrong));
  wrong_->setVisible(!claim.wrong.empty());
  const std::optional<int> screen = screenOf(claim);
  see_->setEnabled(screen.has_value());
  see_->setText(screen ? tr("See it: %1").arg(screenText(std::size_t(*screen))) : tr("See it"));
  see_->setVisible(screen.has_value());
  figure_->setVisible(!claim.picture.empty());
}

void SourcesDialog::see() {
  const reproduce::Checked* current = claims_->current();
  if (current == nullptr) return;
  if (const auto screen = screenOf(current->claim))
    emit seeRequested(source(), *screen, current->claim.preset);
}

void SourcesDialog::reject() {
  run_->cancel();
  figures_->cancel();
  QDialog::reject();
}

}  // namespace tfm::ui
