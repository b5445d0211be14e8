// SPDX-License-Identifier: GPL-3.0-or-later
// The manual: it has every page of docs/, its links and pictures lead somewhere, and it can be
// searched.
#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <algorithm>
#include <future>

#include "core/document/fingerprint.h"
#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"
#include "ui/document/screens.h"
#include "ui/figure/explanation_pane.h"
#include "ui/figure/glossary.h"
#include "ui/window/manual.h"
#include "ui/window/zones.h"

using namespace tfm::ui;
namespace train = tfm::train;

namespace {

/// Whether the manual has a page, or a heading of it, at that place.
bool leadsSomewhere(const QString& place) {
  const QString page = place.section('#', 0, 0), anchor = place.section('#', 1);
  return std::ranges::any_of(manualSections(), [&](const ManualSection& section) {
    return section.page == page && (anchor.isEmpty() || anchorOf(section.heading) == anchor);
  });
}

QStringList captures(const QString& text, const char* pattern) {
  QStringList found;
  const QRegularExpression expression{QLatin1String(pattern)};
  for (auto all = expression.globalMatch(text); all.hasNext();) found << all.next().captured(1);
  return found;
}

}  // namespace

class TestWindowManual : public WindowTest {
  Q_OBJECT

 private:
  /// What Copy of the boxes that an action opens put on the clipboard.
  struct Copied {
    int boxes = 0;
    bool open = false;  ///< after Copy
    QString text;
  };
  Copied copiedFrom(const QString& menu) {
    Copied copied;
    const auto copy = [&](QWidget& box) {
      for (auto* button : box.findChildren<QPushButton*>())
        if (button->text().contains("Copy")) button->click();
      copied.open = box.isVisible();
      copied.text = QGuiApplication::clipboard()->text();
      box.close();
    };
    const auto show = [&] {
      for (QAction* action : window().findChildren<QAction*>())
        if (action->text() == menu) action->trigger();
      (void)QTest::qWaitFor([&] { return !copied.text.isEmpty(); });
    };
    copied.boxes = withDialogs(show, copy);
    return copied;
  }

 private slots:
  void everyPageIsThere() {
    QStringList pages;
    for (const ManualSection& section : manualSections())
      if (!pages.contains(section.page)) pages << section.page;
    pages.sort();
    QStringList files = QDir(TFM_TEST_DATA "/../docs").entryList({"*.md"}, QDir::Files, QDir::Name);
    files << "glossary.md";  // made of the terms
    files.sort();
    QCOMPARE(pages, files);
  }

  void theGlossaryIsAPage() {
    for (const GlossaryRow& term : allTerms()) {
      const QString place = "glossary.md#" + anchorOf(term.name);
      QVERIFY2(leadsSomewhere(place), qPrintable(place));
    }
    Manual& manual = window().manual("glossary.md#softmax");
    auto* text = manual.findChild<QTextBrowser*>();
    QVERIFY(text->toPlainText().contains("Turns numbers into shares"));
    QCOMPARE(text->textCursor().block().text(), QString("softmax"));
  }

  void linksAndPicturesLeadSomewhere() {
    QVERIFY(leadsSomewhere("models.md#delight") && !leadsSomewhere("models.md#lost"));
    int links = 0, pictures = 0;
    for (const ManualSection& section : manualSections()) {
      for (const QString& link : captures(section.text, R"([^!]\[[^\]]*\]\(([^)]*)\))")) {
        if (link.startsWith("http")) continue;
        const QString place = link.startsWith('#') ? section.page + link : link;
        QVERIFY2(leadsSomewhere(place), qPrintable(section.page + ": " + link));
        ++links;
      }
      for (const QString& picture : captures(section.text, R"(!\[[^\]]*\]\(([^)]*)\))")) {
        QVERIFY2(!QImage(":/manual/" + picture).isNull(), qPrintable(picture));
        ++pictures;
      }
    }
    QVERIFY(links > 10 && pictures > 5);
  }

  void aScreensExplanationLinksToItsSection() {
    for (std::size_t screen = 0; screen < kScreens.size(); ++screen)
      QVERIFY2(leadsSomewhere(manualPlace(screen)), qPrintable(manualPlace(screen)));
    window().showScreen(kFlow);
    auto& zones = *window().findChild<Zones*>();
    zones.explainScreen();
    auto* explanation = zones.explanation().findChild<QTextBrowser*>();
    QVERIFY2(explanation->toHtml().contains("href=\"using-the-window.md#flow-8\""),
             qPrintable(explanation->toHtml()));
    emit explanation->anchorClicked(QUrl("using-the-window.md#flow-8"));
    QTextBrowser& text = window().manual().text();
    QVERIFY(window().manual().isVisible());
    QCOMPARE(text.textCursor().block().text(), QString("Flow (8)"));
    const QRect seen = text.cursorRect();
    QVERIFY2(seen.top() >= 0 && seen.top() < 60, qPrintable(QString::number(seen.top())));
  }

  void linksBetweenPagesWork() {
    Manual& manual = window().manual("architecture.md");
    QVERIFY(manual.text().toPlainText().startsWith("Architecture"));
    manual.text().setSource(QUrl("extending.md#a-verb"));
    QCOMPARE(manual.text().textCursor().block().text(), QString("A verb"));
  }

  void whatIsForGitHubIsNotSeen() {
    const QString text = window().manual("gpu.md").text().toPlainText();
    QVERIFY(text.contains("./dev build --with cuda"));
    QVERIFY2(!text.contains("not run") && !text.contains("```"), qPrintable(text));
  }

  void picturesAreNoWiderThanThePage() {
    Manual& manual = window().manual("using-the-window.md");
    manual.resize(500, 400);
    QTest::qWait(20);
    QVERIFY(!manual.text().horizontalScrollBar()->isVisible());
    double widest = 0;
    const QTextDocument& document = *manual.text().document();
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
      for (auto part = block.begin(); !part.atEnd(); ++part)
        if (const auto image = part.fragment().charFormat().toImageFormat(); image.isValid())
          widest = std::max(widest, image.width());
    QVERIFY(widest > 100 && widest <= manual.text().viewport()->width());
  }

  void wordsAreFound() {
    Manual& manual = window().manual("models.md");
    const int pages = manual.list().count();
    QVERIFY(pages >= 10);
    manual.words().setText("dextra shuffle");
    QVERIFY(manual.list().count() >= 1);
    QCOMPARE(manual.list().item(0)->text(), QString("Models: DeLighT"));
    manual.list().setCurrentRow(0);
    QCOMPARE(manual.text().textCursor().block().text(), QString("DeLighT"));
    QVERIFY(manual.text().extraSelections().size() > 3);
    manual.words().setText("nobody writes xyzzy");
    QCOMPARE(manual.list().count(), 1);
    QVERIFY(!(manual.list().item(0)->flags() & Qt::ItemIsSelectable));
    QTest::keyClick(&manual.words(), Qt::Key_Return);  // nothing to open
    manual.words().clear();
    QCOMPARE(manual.list().count(), pages);
    QVERIFY(manual.text().extraSelections().isEmpty());
  }

  void aboutIsCopied() {
    const Copied about = copiedFrom("&About Transformarium");
    QCOMPARE(about.boxes, 1);
    QVERIFY(about.text.startsWith("transformarium "));
    for (const char* line : {"\ncommit ", "\ninstruction set ", "\ndrawing "})
      QVERIFY2(about.text.contains(line), line);
    QVERIFY2(about.open, "copying closes the box");
  }

  /// As the tool prints them, of what is trained now.
  void wordsOfTheModelAreCopied() {
    const Copied words = copiedFrom("&Fingerprint of this model");
    QCOMPARE(words.boxes, 1);
    std::promise<train::Document> trained;
    document().copy([&](train::Document copy, double) { trained.set_value(std::move(copy)); });
    QCOMPARE(words.text,
             QString::fromStdString(train::fingerprintOf(trained.get_future().get()).text()));
    QVERIFY2(words.open, "copying closes the box");
  }

  void aKeyOpensIt() {
    QVERIFY(window().findChild<Manual*>() == nullptr);
    bench_->key(Qt::Key_F1, Qt::ShiftModifier | Qt::ControlModifier);
    QVERIFY(window().findChild<Manual*>() != nullptr && window().findChild<Manual*>()->isVisible());
    QVERIFY(window().findChild<Zones*>()->explanation().isHidden());
  }
};

TFM_TEST(TestWindowManual)
#include "test_window_manual.moc"
