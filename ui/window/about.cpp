// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/about.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

#include "ui/scene/vtk_pane.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

struct About {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::About)
};

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
  QMessageBox box(parent);
  box.setWindowTitle(About::tr("About Transformarium"));
  box.setIconPixmap(style.icon("attention", style.palette().accent).pixmap(style.px(40)));
  box.setTextFormat(Qt::RichText);
  box.setText(About::tr("<b>Transformarium %1</b><p>Trains small transformers in front of you and "
                        "shows what happens inside. It uses no network and sends nothing.</p>"
                        "<table>%2</table><p>Free software under the GNU General Public License, "
                        "version 3 or later.</p>")
                  .arg(QApplication::applicationVersion(), rows));
  QPushButton* copy = box.addButton(About::tr("Copy"), QMessageBox::ActionRole);
  copy->setToolTip(About::tr("Copy these lines, for a report of a fault"));
  copy->disconnect();  // from what closes the box
  QObject::connect(copy, &QPushButton::clicked, &box, [&lines] {
    QApplication::clipboard()->setText(
        QString::fromStdString(versionText("transformarium", lines)));
  });
  box.addButton(QMessageBox::Close);
  box.exec();
}

}  // namespace tfm::ui
