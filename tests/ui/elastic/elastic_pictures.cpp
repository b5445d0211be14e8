// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the plots of the Elastic screen in every theme and as exported, for inspection:
// elastic_pictures FOLDER. Built, not run by the tests.
#include <QApplication>
#include <QDir>

#include "tests/ui/elastic/sample_scores.h"
#include "ui/elastic/accuracy_scatter.h"
#include "ui/elastic/granularity_curves.h"
#include "ui/elastic/scatter_plot.h"
#include "ui/figure/exporter.h"
#include "ui/style/style.h"

using namespace tfm::ui;

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  Style style(application);
  const QDir folder(argc > 1 ? argv[1] : ".");

  AccuracyScatter scatter(style);
  scatter.setPoints(sampleScores());
  scatter.setExperiment("sentiment", 1000);
  scatter.setChosen(tfm::Submodel{{64, 64, 128, 128}, {}});
  GranularityCurves curves(style);
  curves.setEvaluations({"S", "M", "L", "XL"}, sampleEvaluations());
  curves.setExperiment("sentiment", 1);
  AccuracyScatter pointed(style);
  pointed.setPoints(sampleScores());
  pointed.findChild<ScatterPlot*>()->showLockedItem(12);
  AccuracyScatter table(style);
  table.setPoints(sampleScores());
  table.setExperiment("sentiment", 1000);
  table.setChosen(tfm::Submodel{{64, 64, 128, 128}, {}});
  table.showTable();
  AccuracyScatter empty(style);
  GranularityCurves no_curves(style);

  struct Look {
    const char* name;
    Theme theme;
    double scale;
  };
  struct Shown {
    const char* name;
    QWidget* widget;
    const Figure* figure;
  };
  const Shown all[] = {{"scatter", &scatter, &scatter},   {"pointed", &pointed, &pointed},
                       {"curves", &curves, &curves},      {"table", &table, &table},
                       {"empty-scatter", &empty, &empty}, {"empty-curves", &no_curves, &no_curves}};
  for (const Look& look :
       {Look{"light", Theme::Light, 1}, Look{"dark", Theme::Dark, 1},
        Look{"contrast", Theme::HighContrast, 1}, Look{"projector", Theme::Light, 1.6}}) {
    style.setTheme(look.theme);
    style.setScale(look.scale);
    for (const QSize size : {QSize(500, 400), QSize(900, 600)})
      for (const Shown& shown : all) {
        shown.widget->resize(size);
        shown.widget->show();
        QApplication::processEvents();
        shown.widget->grab().save(folder.filePath(
            QStringLiteral("%1-%2-%3.png").arg(shown.name, look.name).arg(size.width())));
      }
  }
  style.setScale(1);
  for (const Shown& shown : all)
    for (const char* ending : {"png", "svg", "pdf", "csv"})
      exportFigure(*shown.figure, folder.filePath(QStringLiteral("%1.%2").arg(shown.name, ending)));
}
