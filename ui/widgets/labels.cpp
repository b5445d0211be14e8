// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/labels.h"

#include <QEvent>
#include <QHash>
#include <utility>

#include "ui/style/style.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

/// Layouts query the height many times, and each query lays out the text: caches the results for
/// the last texts. Rich text is the slowest: its minimum width is 0, not computed.
class WrappedLabel : public QLabel {
 public:
  explicit WrappedLabel(const QString& text) : QLabel(text) { setWordWrap(true); }

  QSize sizeHint() const override { return isMarkup() ? minimumSizeHint() : QLabel::sizeHint(); }
  QSize minimumSizeHint() const override {
    return isMarkup() ? QSize(0, fontMetrics().height()) : QLabel::minimumSizeHint();
  }

  int heightForWidth(int width) const override {
    if (font() != font_ || contentsMargins() != margins_ || heights_.size() >= kMaxHeights) {
      heights_.clear();
      font_ = font();
      margins_ = contentsMargins();
    }
    const std::pair<QString, int> asked(text(), width);
    const auto known = heights_.constFind(asked);
    if (known != heights_.cend()) return *known;
    return *heights_.insert(asked, QLabel::heightForWidth(width));
  }

 protected:
  void changeEvent(QEvent* event) override {
    QLabel::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !isMarkup()) return;
    // A link keeps the colour of the palette that its text was set with.
    const QString links = text();
    setText({});
    setText(links);
  }

 private:
  bool isMarkup() const { return textFormat() == Qt::RichText; }

  static constexpr qsizetype kMaxHeights = 100;

  mutable QHash<std::pair<QString, int>, int> heights_;
  mutable QFont font_;
  mutable QMargins margins_;
};

}  // namespace

SectionLabel::SectionLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
  setRole(*this, "label");
}

QLabel* wrappedLabel(const char* role, const QString& text) {
  auto* label = new WrappedLabel(text);
  setRole(*label, role);
  return label;
}

QLabel* linkLabel(const char* role) {
  QLabel* label = wrappedLabel(role);
  label->setTextFormat(Qt::RichText);
  label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  return label;
}

void setOrHide(QLabel& label, const QString& text) {
  label.setText(text);
  label.setVisible(!text.isEmpty());
}

NumberLabel::NumberLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
  setRole(*this, "number");
  setTextInteractionFlags(Qt::TextSelectableByMouse);
}

NamedNumber::NamedNumber(const Style& style, const QString& name, Qt::Orientation along)
    : style_(style),
      digits_(along == Qt::Vertical ? 15.0 : 12.0),
      caption_(new QLabel),
      number_(new QLabel) {
  setRole(*caption_, "caption");
  setName(name);
  number_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  if (along == Qt::Vertical)
    setLayout(columnOf(style, 0, {caption_, number_}));
  else
    setLayout(rowOf(style, 8, {{caption_, 1}, number_}));
  style_.follow(this, [this] { updateSizes(); });
}

void NamedNumber::setText(const QString& number) { number_->setText(number); }

QString NamedNumber::text() const { return number_->text(); }

void NamedNumber::setName(const QString& name) {
  caption_->setText(name);
  number_->setAccessibleName(name);
}

QString NamedNumber::name() const { return caption_->text(); }

void NamedNumber::setTone(const char* tone) {
  setRole(*number_, tone ? tone : "");
  updateSizes();  // a new role resets the label's font
}

void NamedNumber::reserveWidthFor(const QString& number) {
  longest_ = number;
  updateSizes();
}

void NamedNumber::updateSizes() {
  const QFont font = style_.numberFont(digits_);
  number_->setFont(font);
  if (!longest_.isEmpty()) setMinimumWidth(QFontMetrics(font).horizontalAdvance(longest_));
}

}  // namespace tfm::ui
