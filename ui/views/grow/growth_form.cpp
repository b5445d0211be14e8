// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/growth_form.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>
#include <array>

#include "core/expand/growth_fields.h"
#include "core/expand/kinds.h"
#include "ui/style/style.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

using expand::Kind;

constexpr int kButtonsARow = 6;

/// Those that have a row: the others have controls of another kind.
std::vector<io::Field> formFields(expand::Growth& growth) {
  std::vector<io::Field> fields = expand::growthFields(growth);
  std::erase_if(fields, [](const io::Field& field) {
    static constexpr std::array<std::string_view, 5> kOthers{"kind", "layers", "heads_chosen",
                                                             "position", "break"};
    return std::ranges::find(kOthers, field.name) != kOthers.end();
  });
  return fields;
}

}  // namespace

class GrowthForm::Numbers : public QWidget {
 public:
  Numbers(const Style& style, const QString& name, GrowthForm& owner)
      : QWidget(&owner), style_(style), label_(new QLabel(name)), grid_(new QGridLayout) {
    setRole(*label_, "muted");
    setLayout(columnOf(style, 4, {label_, grid_}));
    grid_->setSpacing(style.px(4));
  }

  /// Shows buttons 1 to `count`, those in `chosen` (from 0) checked. Returns whether buttons were
  /// replaced.
  bool show(std::int64_t count, const std::vector<std::int64_t>& chosen,
            const std::function<void(std::vector<std::int64_t>)>& changed) {
    const bool others = count != std::int64_t(buttons_.size());
    if (others) {
      qDeleteAll(buttons_);
      buttons_.clear();
      for (std::int64_t i = 0; i < count; ++i) {
        auto* button = new QPushButton(QString::number(i + 1));
        button->setCheckable(true);
        button->setFocusPolicy(Qt::TabFocus);
        setRole(*button, "small");
        grid_->addWidget(button, int(i) / kButtonsARow, int(i) % kButtonsARow);
        connect(button, &QPushButton::clicked, this, [this] { report(); });
        buttons_.push_back(button);
      }
    }
    changed_ = changed;
    for (std::size_t i = 0; i < buttons_.size(); ++i)
      buttons_[i]->setChecked(std::find(chosen.begin(), chosen.end(), std::int64_t(i)) !=
                              chosen.end());
    return others;
  }

  /// Sets the tab order after `last`; returns the last widget.
  QWidget* follow(QWidget* last) const {
    for (QPushButton* button : buttons_) {
      setTabOrder(last, button);
      last = button;
    }
    return last;
  }

 private:
  void report() {
    std::vector<std::int64_t> chosen;
    for (std::size_t i = 0; i < buttons_.size(); ++i)
      if (buttons_[i]->isChecked()) chosen.push_back(std::int64_t(i));
    // All is expressed by none, so that it also covers those added later.
    if (chosen.size() == buttons_.size()) chosen.clear();
    changed_(std::move(chosen));
  }

  const Style& style_;
  QLabel* label_;
  QGridLayout* grid_;
  std::vector<QPushButton*> buttons_;
  std::function<void(std::vector<std::int64_t>)> changed_;
};

GrowthForm::GrowthForm(const Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      form_(new FieldForm(style, formFields(growth_), FieldForm::Commit::EachKey)),
      layers_(new Numbers(style, tr("Layers (none selected = all)"), *this)),
      heads_(new Numbers(style, tr("Heads (none selected = all)"), *this)),
      places_row_(new QWidget),
      places_(new QComboBox) {
  places_row_->setLayout(rowOf({{new QLabel(tr("Place")), 1}, places_}));
  setLayout(columnOf(style, 8, {form_, places_row_, layers_, heads_}));
  places_->setAccessibleName(tr("Where the new layer goes"));
  connect(form_, &FieldForm::edited, this, [this] {
    expand::dropWithoutEffect(growth_);
    showRows();
    emit edited();
  });
  connect(form_, &FieldForm::problemChanged, this, &GrowthForm::problemChanged);
  connect(places_, &QComboBox::activated, this, [this] {
    growth_.position = places_->currentData().toLongLong();
    emit edited();
  });
}

void GrowthForm::showGrowth(const expand::Growth& growth, const ModelConfig& before) {
  // Text being edited survives a new preview.
  const bool same = growth == growth_;
  growth_ = growth;
  before_ = before;
  if (!same) form_->reload();
  showRows();
}

void GrowthForm::forget() { form_->reload(); }

QString GrowthForm::problem() const { return form_->problem(); }

void GrowthForm::showPlaces() {
  places_row_->setVisible(expand::rowOf(growth_.kind).takes("position"));
  const int layers = int(layerCount());
  if (places_->count() != layers + 1) {
    places_->clear();
    places_->addItem(tr("after the last layer"), -1);
    for (int layer = layers - 1; layer > 0; --layer)
      places_->addItem(tr("between layers %1 and %2").arg(layer).arg(layer + 1), layer);
    places_->addItem(tr("before the first layer"), 0);
  }
  // A file may give the last place as a number.
  const int at = growth_.position == layers ? 0 : places_->findData(int(growth_.position));
  places_->setCurrentIndex(at);
}

std::int64_t GrowthForm::layerCount() const {
  const auto encoder = std::int64_t(before_.encoder_layers.size());
  const auto decoder = std::int64_t(before_.decoder_layers.size());
  if (growth_.stacks == expand::Stacks::Encoder) return encoder;
  if (growth_.stacks == expand::Stacks::Decoder) return decoder;
  return std::max(encoder, decoder);
}

std::int64_t GrowthForm::headCount() const {
  expand::Growth heads = growth_;
  heads.kind = Kind::Heads;
  const std::vector<std::int64_t> counts = expand::chosenSizes(before_, heads);
  return counts.empty() ? 0 : *std::ranges::max_element(counts);
}

void GrowthForm::showRows() {
  const bool both = before_.hasEncoder() && before_.hasDecoder();
  form_->showRows([&](std::string_view name) {
    if (name == "stacks" && !both) return false;
    if (name == "attentions" && !before_.hasCrossAttention()) return false;
    return name != "unshare" || before_.sharesLayers();
  });
  showPlaces();
  const std::int64_t layers = layerCount();
  layers_->setVisible(expand::rowOf(growth_.kind).takes("layers") && layers > 1);
  bool others = layers_->show(layers, growth_.layers, [this](std::vector<std::int64_t> chosen) {
    growth_.layers = std::move(chosen);
    emit edited();
  });
  const bool by_head = expand::rowOf(growth_.kind).takes("heads_chosen");
  heads_->setVisible(by_head && headCount() > 1);
  others |= heads_->show(by_head ? headCount() : 0, growth_.heads,
                         [this](std::vector<std::int64_t> chosen) {
                           growth_.heads = std::move(chosen);
                           emit edited();
                         });
  if (others) heads_->follow(layers_->follow(places_));
}

}  // namespace tfm::ui
