// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "core/document/untrained.h"
#include "core/io/npz.h"
#include "core/model/presets.h"
#include "tests/test_program.h"
#include "ui/document/demonstration.h"
#include "ui/figure/data_table_dialog.h"
#include "ui/style/style.h"
#include "ui/window/export_dialog.h"

using namespace tfm;
using namespace tfm::ui;

class TestExportDialog : public QObject {
  Q_OBJECT

 private slots:
  void init() { QVERIFY(directory_.isValid()); }

  void aModelOfNoFamilyLeavesAsNumbers() {
    const auto document = std::make_shared<const train::Document>(demonstration());
    ExportDialog dialog(style_, document, "rot13", nullptr);
    for (const char* format : {"huggingface", "gguf"}) {
      dialog.choose(placeOf(format));
      QVERIFY2(text(dialog).contains("no family of pretrained models has this model"),
               qPrintable(text(dialog)));
      QVERIFY(!button(dialog, "Export...")->isEnabled());
      QVERIFY(!dialog.writeTo(path("none")) && !QFile::exists(path("none")));
    }
    dialog.choose(placeOf("npz"));
    QVERIFY(text(dialog).contains("Every model has this format"));
    QVERIFY(button(dialog, "Export...")->isEnabled());
    QVERIFY(dialog.writeTo(path("w.npz")));
    const io::NamedTensors tensors = io::readNpz(path("w.npz").toStdString());
    QCOMPARE(tensors.size(), document->state.layout.parameters.size());
    for (const ParameterInfo& p : document->state.layout.parameters)
      QVERIFY2(tensors.contains(p.name), p.name.c_str());
  }
  void aModelOfAFamilyLeavesAsOne() {
    const auto document =
        std::make_shared<const train::Document>(train::untrained(presetNamed("small-llama")));
    ExportDialog dialog(style_, document, "own", nullptr);
    dialog.choose(placeOf("huggingface"));
    QVERIFY2(text(dialog).contains("family Llama"), qPrintable(text(dialog)));
    button(dialog, "Its tensors...")->click();
    const auto* table = dialog.findChild<DataTableDialog*>()->findChild<QTableView*>();
    QCOMPARE(table->model()->rowCount(), int(document->state.layout.parameters.size()));
    QVERIFY(dialog.writeTo(path("folder")));
    QVERIFY(QFile::exists(path("folder/config.json")));
    QVERIFY(!dialog.writeTo(path("folder")));
    QVERIFY(text(dialog).contains("not an empty folder"));
    dialog.choose(placeOf("gguf"));
    QVERIFY(dialog.writeTo(path("own.gguf")) && QFile::exists(path("own.gguf")));
  }

 private:
  static std::size_t placeOf(std::string_view format) {
    return std::size_t(train::exportFormatNamed(format) - train::exportFormats().data());
  }
  static QString text(const ExportDialog& dialog) {
    for (const QLabel* label : dialog.findChildren<QLabel*>())
      if (label->accessibleName() == QString("Whether the format has this model"))
        return label->text();
    return {};
  }
  static QPushButton* button(const ExportDialog& dialog, const char* words) {
    for (QPushButton* one : dialog.findChildren<QPushButton*>())
      if (one->text() == QLatin1String(words)) return one;
    return nullptr;
  }
  QString path(const char* name) const { return directory_.filePath(name); }

  Style style_{*qApp};
  QTemporaryDir directory_;
};

TFM_TEST(TestExportDialog)
#include "test_export_dialog.moc"
