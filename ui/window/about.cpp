// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/about.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <utility>

#include "core/document/fingerprint.h"
#include "ui/document/model_document.h"
#include "ui/scene/vtk_pane.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

struct About {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::About)
};

/// A box with rich text, of which `copied` can be put on the clipboard.
void showCopied(const Style& style, QWidget* parent, const QString& title, const QString& text,
                const QString& copy_tip, const QString& copied) {
  QMessageBox box(parent);
  box.setWindowTitle(title);
  box.setIconPixmap(style.icon("attention", style.palette().accent).pixmap(style.px(40)));
  box.setTextFormat(Qt::RichText);
  box.setText(text);
  QPushButton* copy = box.addButton(About::tr("Copy"), QMessageBox::ActionRole);
  copy->setToolTip(copy_tip);
  copy->disconnect();  // from what closes the box
  QObject::connect(copy, &QPushButton::clicked, &box,
                   [copied] { QApplication::clipboard()->setText(copied); });
  box.addButton(QMessageBox::Close);
  box.exec();
}

void showWords(const Style& style, QWidget* parent, const train::Document& document) {
  const train::Fingerprint words = train::fingerprintOf(document);
  const std::pair<QString, const std::string&> rows[] = {
      {About::tr("the weights"), words.weights},
      {About::tr("the seed"), words.seed},
      {About::tr("the data"), words.data},
      {About::tr("this version"), words.version}};
  QString table;
  for (const auto& [of, word] : rows)
    table += QStringLiteral("<tr><td style='font-size:%1px'>%2&nbsp;&nbsp;</td><td>%3</td></tr>")
                 .arg(style.px(32))
                 .arg(QString::fromStdString(word), of);
  const QString where =
      document.train.same_numbers
          ? About::tr("Whoever trains with the same data, seed and settings has the same words.")
          : About::tr(
                "They are comparable between machines if <i>Same numbers</i> was on from the "
                "first step: <i>Training, More</i> in the left panel.");
  showCopied(
      style, parent, About::tr("Fingerprint"),
      About::tr("<p>After step %1:</p><table>%2</table><p>%3<br>A word that differs says what "
                "differs.</p>")
          .arg(document.state.step)
          .arg(table, where),
      About::tr("Copy the four words"), QString::fromStdString(words.text()));
}

}  // namespace

std::vector<AboutLine> aboutWindow() {
  std::vector<AboutLine> lines = aboutProgram();
  lines.push_back({"drawing", std::string("Qt ") + qVersion() + ", VTK " + VtkPane::vtkVersion()});
  return lines;
}

void showAboutBox(const Style& style, QWidget* parent) {
  const std::vector<AboutLine> lines = aboutWindow();
  QString rows;
  for (const AboutLine& line : lines)
    rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
                .arg(QString::fromStdString(line.name).toHtmlEscaped(),
                     QString::fromStdString(line.value).toHtmlEscaped());
  showCopied(style, parent, About::tr("About Transformarium"),
             About::tr("<b>Transformarium %1</b><p>Trains small transformers in front of you and "
                       "shows what happens inside. It uses no network and sends nothing.</p>"
                       "<table>%2</table><p>Free software under the GNU General Public License, "
                       "version 3 or later.</p>")
                 .arg(QApplication::applicationVersion(), rows),
             About::tr("Copy these lines, for a report of a fault"),
             QString::fromStdString(versionText("transformarium", lines)));
}

void showFingerprintBox(const Style& style, ModelDocument& document, QWidget* parent) {
  document.copy([&style, parent = QPointer(parent)](train::Document copy, double) {
    QMetaObject::invokeMethod(
        qApp,
        [&style, parent, copy = std::move(copy)] {
          if (parent) showWords(style, parent, copy);
        },
        Qt::QueuedConnection);
  });
}

}  // namespace tfm::ui
