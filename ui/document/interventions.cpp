// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/interventions.h"

#include <QRegularExpression>
#include <algorithm>
#include <utility>

#include "core/ask/what_if.h"

namespace tfm::ui {
namespace {

using observe::Intervention;

/// Every number of a text, which counts from 0, counted from 1.
QString fromOne(const QString& text) {
  static const QRegularExpression kNumber(QStringLiteral("\\d+"));
  QString counted;
  qsizetype done = 0;
  for (auto found = kNumber.globalMatch(text); found.hasNext();) {
    const QRegularExpressionMatch number = found.next();
    counted += text.mid(done, number.capturedStart() - done);
    counted += QString::number(number.captured().toLongLong() + 1);
    done = number.capturedEnd();
  }
  return counted + text.mid(done);
}

}  // namespace

Intervention changeOf(const std::string& target, Intervention::Kind kind, double number) {
  return {.target = target, .kind = kind, .number = number, .text = {}};
}

QString placeInWords(const QString& target) {
  const qsizetype bracket = target.indexOf('[');
  const QStringList names = target.left(bracket).split('.', Qt::SkipEmptyParts);
  QStringList words;
  for (qsizetype i = 0; i < names.size(); ++i) {
    const QString next = names.value(i + 1);
    const bool counts = !next.isEmpty() && next.front().isDigit();
    QString name = names[i];
    if (counts && name == QLatin1String("layers")) name = Interventions::tr("layer");
    if (counts && name == QLatin1String("head")) name = Interventions::tr("head");
    if (counts && name == QLatin1String("neuron")) name = Interventions::tr("neuron");
    name.replace('_', ' ');
    words += counts ? name + ' ' + fromOne(next) : name;
    if (counts) ++i;
  }
  QString place = words.join(QStringLiteral(", "));
  if (bracket >= 0) place += ' ' + fromOne(target.mid(bracket));
  return place;
}

QString wordsOf(const Intervention& what) {
  const QString place = placeInWords(QString::fromStdString(what.target));
  const QString number = QString::number(what.number, 'g', 6);
  switch (what.kind) {
    case Intervention::Kind::Set:
      return what.number == 0.0 ? Interventions::tr("%1: off").arg(place)
                                : Interventions::tr("%1 = %2").arg(place, number);
    case Intervention::Kind::Scale:
      return Interventions::tr("%1 × %2").arg(place, number);
    case Intervention::Kind::Mean:
      return Interventions::tr("%1: its mean").arg(place);
    case Intervention::Kind::Patch:
      return Interventions::tr("%1: as for “%2”").arg(place, QString::fromStdString(what.text));
  }
  return place;
}

QString titleWith(const QString& title, const std::vector<Intervention>& in_force) {
  QStringList parts{title};
  for (const Intervention& change : in_force) parts += wordsOf(change);
  return parts.join(QStringLiteral(" · "));
}

Interventions::Interventions(const OpenRun& run, const Moments& moments)
    : run_(run), moments_(moments) {
  connect(&moments_, &Moments::shapeChanged, this, [this] {
    const std::vector<std::optional<Error>> before = std::move(problems_);
    update();
    int count = 0;
    for (std::size_t i = 0; i < problems_.size(); ++i)
      count += (*list_)[i].on && problems_[i] && !before[i] ? 1 : 0;
    emit changed();
    if (count > 0) emit lost(count);
  });
}

void Interventions::require(const Intervention& what) const {
  train::requirePossible(moments_.model(), *run_.codec, what);
}

void Interventions::update() {
  problems_.clear();
  in_force_.clear();
  for (const train::ListedIntervention& entry : *list_) {
    problems_.push_back(problemOf([&] {
      require(entry.what);
      if (entry.on) in_force_.push_back(entry.what);
    }));
  }
}

void Interventions::set(std::shared_ptr<const InterventionList> list) {
  list_ = std::move(list);
  update();
  emit changed();
}

void Interventions::edit(const QString& label, InterventionList list) {
  const auto before = list_;
  set(std::make_shared<const InterventionList>(std::move(list)));
  emit edited(label, before);
}

void Interventions::add(const Intervention& what) {
  require(what);
  InterventionList list = *list_;
  const auto same = std::ranges::find(
      list, what.target, [](const train::ListedIntervention& e) { return e.what.target; });
  if (same != list.end())
    *same = {what, true};
  else
    list.push_back({what, true});
  edit(wordsOf(what), std::move(list));
}

void Interventions::putInForce(const Intervention& what) {
  try {
    add(what);
  } catch (const Error&) {
    propose(what);
  }
}

void Interventions::toggle(const std::string& target) {
  if (const auto entry = find(target))
    setOn(*entry, false);
  else
    putInForce(changeOf(target));
}

void Interventions::replace(std::size_t entry, const Intervention& what) {
  require(what);
  InterventionList list = *list_;
  list[entry] = {what, true};
  for (std::size_t i = list.size(); i-- > 0;)
    if (i != entry && list[i].what.target == what.target)
      list.erase(list.begin() + std::ptrdiff_t(i));
  edit(wordsOf(what), std::move(list));
}

void Interventions::setOn(std::size_t entry, bool on) {
  if ((*list_)[entry].on == on) return;
  InterventionList list = *list_;
  list[entry].on = on;
  const QString words = wordsOf(list[entry].what);
  edit(on ? words : tr("not %1", "a change that is no longer in force").arg(words),
       std::move(list));
}

void Interventions::switchAllOff() {
  if (in_force_.empty()) return;
  InterventionList list = *list_;
  for (train::ListedIntervention& entry : list) entry.on = false;
  edit(tr("no active change"), std::move(list));
}

void Interventions::remove(std::size_t entry) {
  InterventionList list = *list_;
  const QString words = wordsOf(list[entry].what);
  list.erase(list.begin() + std::ptrdiff_t(entry));
  edit(tr("remove %1").arg(words), std::move(list));
}

void Interventions::clear() {
  if (!list_->empty()) edit(tr("remove all changes"), {});
}

std::optional<std::size_t> Interventions::find(const std::string& target) const {
  for (std::size_t i = 0; i < list_->size(); ++i)
    if ((*list_)[i].on && !problems_[i] && (*list_)[i].what == changeOf(target)) return i;
  return std::nullopt;
}

}  // namespace tfm::ui
