// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/source_figures.h"

#include <QComboBox>
#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <algorithm>
#include <utility>

#include "ui/figure/number_box.h"
#include "ui/study/drawing_plot.h"
#include "ui/study/study_controls.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"

// The linker would drop the resources of a static library. Outside any namespace, as Qt requires.
static void loadCurves() { Q_INIT_RESOURCE(sources); }

namespace tfm::ui {
namespace {

QString wordsOf(const std::string& text) { return QString::fromStdString(text); }

/// "annotated-transformer-schedules": what a training is called in files.
std::string fileName(const reproduce::Source& source, const reproduce::Picture& picture) {
  return std::string(source.name) + '-' + (picture.trains() ? picture.training : picture.name);
}

/// What was stored of a training; empty if nothing was.
std::vector<reproduce::Series> storedSeries(const std::string& name) {
  loadCurves();
  QFile file(QStringLiteral(":/sources/%1.tsv").arg(wordsOf(name)));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return reproduce::seriesFromTsv(file.readAll().toStdString(), file.fileName().toStdString());
}

}  // namespace

SourceFigures::SourceFigures(Style& style, QWidget* parent)
    : QWidget(parent),
      study_(new FigureStudy(this)),
      panel_(new Panel(style)),
      names_(new QComboBox),
      choice_row_(new QHBoxLayout),
      plot_(new DrawingPlot(style)),
      origin_(wrappedLabel("sentence")),
      run_(new StudyControls(style, *study_, tr("Train now"))) {
  names_->setAccessibleName(tr("Figure"));
  names_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  panel_->setBody(plot_);
  panel_->setFigure(plot_);
  panel_->setExplanation(
      tr("Figures of the chosen document, drawn from the model that runs here. Hover a point, bar "
         "or "
         "cell, or use the arrow keys, to read its number. The corner menu exports the figure and "
         "its numbers; `transformarium-cli reproduce NAME --figures FOLDER` writes the same "
         "numbers.\n\nA figure that needs minutes of training shows stored curves from an earlier "
         "run of this program, and says so; *Train now* computes them here, in the background."),
      {{names_, tr("Figure"), tr("Choose what is drawn.")}});
  setLayout(columnOf(
      style, 10, {rowOf(style, 8, {names_, choice_row_, kStretch}), {panel_, 1}, origin_, run_}));
  connect(names_, &QComboBox::currentIndexChanged, this, [this](int index) {
    if (index < 0) return;
    makeChoices();
    refresh();
  });
  connect(run_, &StudyControls::startRequested, this, &SourceFigures::train);
  connect(study_, &BackgroundStudy::finished, this, &SourceFigures::showResult);
}

void SourceFigures::setSource(const reproduce::Source& source) {
  if (source_ == &source) return;
  source_ = &source;
  pictures_ = source.pictures();
  names_->clear();
  for (const reproduce::Picture& picture : pictures_) names_->addItem(wordsOf(picture.title));
}

const reproduce::Picture& SourceFigures::picture() const {
  return pictures_[std::size_t(std::max(0, names_->currentIndex()))];
}

void SourceFigures::choose(const std::string& name) {
  const auto found = std::ranges::find(pictures_, name, &reproduce::Picture::name);
  if (found != pictures_.end()) names_->setCurrentIndex(int(found - pictures_.begin()));
}

void SourceFigures::cancel() { run_->cancel(); }

void SourceFigures::makeChoices() {
  while (QLayoutItem* item = choice_row_->takeAt(0)) {
    if (item->widget() != nullptr) item->widget()->deleteLater();
    delete item;
  }
  choices_.clear();
  for (const reproduce::Choice& choice : picture().choices) {
    auto* label = new QLabel(wordsOf(choice.name));
    auto* box = new NumberBox;
    box->setRange(int(choice.low), int(choice.high));
    box->setSingleStep(int(choice.step));
    box->setValue(int(choice.usual));
    box->setKeyboardTracking(false);
    box->setAccessibleName(wordsOf(choice.name));
    label->setBuddy(box);
    choice_row_->addWidget(label);
    choice_row_->addWidget(box);
    choices_.push_back(box);
    connect(box, &QSpinBox::valueChanged, this, [this, box, step = int(choice.step)](int value) {
      const int allowed = value - value % step;  // e.g. an even width
      if (allowed != value && allowed >= box->minimum()) return box->setValue(allowed);
      refresh();
    });
  }
}

void SourceFigures::refresh() {
  panel_->setTitle(wordsOf(picture().title));
  panel_->setSentence(wordsOf(picture().says));
  plot_->setTitle(wordsOf(picture().title));
  run_->setVisible(picture().trains());
  if (picture().trains()) return showKnown();
  origin_->setText(tr("Computed now. transformarium-cli reproduce %1 --figures FOLDER writes the "
                      "numbers.")
                       .arg(wordsOf(std::string(source_->name))));
  if (study_->isRunning()) {
    out_of_date_ = true;
    return;
  }
  out_of_date_ = false;
  running_ = fileName(*source_, picture());
  std::vector<std::int64_t> chosen;
  for (const QSpinBox* box : choices_) chosen.push_back(box->value());
  study_->start([picture = picture(), chosen](const FigureStudy::Progress&) {
    return std::optional(ComputedFigure{draw(picture, chosen), {}});
  });
}

void SourceFigures::train() {
  if (study_->isRunning() || !picture().trains()) return;
  running_ = fileName(*source_, picture());
  study_->start([picture = picture()](
                    const FigureStudy::Progress& progress) -> std::optional<ComputedFigure> {
    const auto goes_on = [&, told = 0.0](double share) mutable {
      constexpr double kOften = 0.005;  // steps are many
      if (share < told + kOften) return true;
      told = share;
      return progress({}, share);
    };
    auto learned = picture.learned(1.0, goes_on);
    if (!learned) return std::nullopt;
    return ComputedFigure{{}, std::move(*learned)};
  });
}

void SourceFigures::showKnown() {
  const std::string name = fileName(*source_, picture());
  const auto own = learned_.find(name);
  const std::vector<reproduce::Series> series =
      own != learned_.end() ? own->second : storedSeries(name);
  plot_->setDrawing(series.empty() ? reproduce::Drawing{} : picture().composed(series));
  origin_->setText(own != learned_.end() ? tr("Trained here.")
                   : series.empty()
                       ? tr("Not trained yet; it takes minutes, in the background.")
                       : tr("Stored: trained before by transformarium-cli reproduce %1 --full "
                            "--figures FOLDER. Train now computes it here, in minutes.")
                             .arg(wordsOf(std::string(source_->name))));
}

void SourceFigures::showResult() {
  const auto& result = study_->result();
  const bool is_shown = source_ != nullptr && running_ == fileName(*source_, picture());
  if (result && !result->learned.empty()) learned_[running_] = result->learned;
  run_->setIdle(true, {});
  if (out_of_date_ || !is_shown) return refresh();
  if (picture().trains()) return showKnown();
  if (result) plot_->setDrawing(result->drawing);
}

}  // namespace tfm::ui
