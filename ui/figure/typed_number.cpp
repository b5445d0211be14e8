// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/typed_number.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

#include "core/base/number_text.h"

namespace tfm::ui {
namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::TypedNumber)
};

}  // namespace

QString systemDecimalMark() { return QLocale::system().decimalPoint(); }

std::optional<std::int64_t> typedWhole(const QString& text) {
  return wholeNumberIn(text.trimmed().toStdString());
}

std::optional<std::uint64_t> typedUnsigned(const QString& text) {
  return unsignedNumberIn(text.trimmed().toStdString());
}

std::optional<double> typedReal(const QString& text, const QString& mark) {
  QString point = text.trimmed();
  // Two marks are none: "1.000,5" becomes "1.000.5".
  if (!mark.isEmpty()) point.replace(mark, QStringLiteral("."));
  return listedReal(point);
}

std::optional<double> listedReal(const QString& word) { return realNumberIn(word.toStdString()); }

QString notANumber(const QString& text) {
  const QString typed = text.trimmed();
  if (typed.isEmpty()) return Text::tr("A number is missing");
  const QString why = Text::tr("“%1” is not a number").arg(typed), hint = separatorHint(typed);
  return hint.isEmpty() ? why : why + QStringLiteral(". ") + hint;
}

QString separatorHint(const QString& text) {
  static const QRegularExpression separated(QStringLiteral("\\d[,.'’\\s]\\d"));
  return separated.match(text).hasMatch()
             ? Text::tr("Write a decimal point and no thousands separators")
             : QString();
}

}  // namespace tfm::ui
