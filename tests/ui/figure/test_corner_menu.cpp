// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QHelpEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QRegularExpression>
#include <QStatusTipEvent>
#include <QTableView>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTimer>
#include <QToolTip>
#include <QWindow>
#include <algorithm>

#include "tests/ui/figure/sample_figure.h"
#include "tests/ui/ui_test.h"
#include "ui/figure/corner_menu.h"
#include "ui/figure/data_table_dialog.h"
#include "ui/figure/explanation_pane.h"
#include "ui/figure/glossary.h"
#include "ui/figure/number_box.h"
#include "ui/figure/report_host.h"
#include "ui/figure/save_path.h"
#include "ui/figure/tips.h"

using namespace tfm::ui;

namespace {

template <class Widget>
Widget* shown() {
  for (QWidget* widget : QApplication::topLevelWidgets())
    if (auto* wanted = qobject_cast<Widget*>(widget); wanted && wanted->isVisible()) return wanted;
  return nullptr;
}

/// Answers the modal dialogs of an export: the resolution if requested, then the file.
void answerDialogs(const QString& path) {
  QTimer::singleShot(50, [path] {
    if (auto* dpi = shown<NumberDialog>()) {
      QTimer::singleShot(50, [path] { answerDialogs(path); });
      dpi->box().setValue(96);
      dpi->accept();
    } else if (auto* files = shown<QFileDialog>()) {
      files->findChild<QLineEdit*>()->setText(path);
      QMetaObject::invokeMethod(files, "accept");
    }
  });
}

}  // namespace

class TestCornerMenu : public UiTest {
  Q_OBJECT

 private slots:
  void init() {
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    host_ = std::make_unique<QWidget>();
    host_->setFocusPolicy(Qt::StrongFocus);
    menu_ = new CornerMenu(style_, *host_);
    host_->show();
    host_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(host_.get()));
    host_->setFocus();
  }
  void cleanup() { host_.reset(); }

  void entriesNeedSomethingToWorkOn() {
    for (const QAction* entry : entries()) QVERIFY(!entry->isEnabled());
    menu_->setFigure(&figure_);
    QVERIFY(entry("Copy")->isEnabled());
    QVERIFY(!entry("Explain")->isEnabled());
    menu_->setExplanation("words");
    for (const QAction* entry : entries()) QVERIFY(entry->isEnabled());
    menu_->setFigure(nullptr);
    QVERIFY(!entry("Copy")->isEnabled());
  }

  void everyEntryHasItsShortcut() {
    QCOMPARE(entries().size(), 8);
    for (const char* name : {"Copy", "PNG", "SVG", "PDF", "CSV", "table", "report", "Explain"})
      QVERIFY2(entry(name), name);
    for (const char* name : {"Copy", "PNG", "table", "report", "Explain"}) {
      QVERIFY(!entry(name)->shortcut().isEmpty());
      QVERIFY(entry(name)->isShortcutVisibleInContextMenu());
    }
  }

  void keyboardOpensTheMenuFromTheView() {
    bool opened = false;
    QTimer::singleShot(50, [&] {
      opened = menu_->menu()->isVisible();
      menu_->menu()->close();
    });
    QTest::keyClick(host_.get(), Qt::Key_Period, Qt::ControlModifier);
    QTRY_VERIFY(opened);
    QCOMPARE(menu_->focusPolicy(), Qt::StrongFocus);
  }

  void shortcutCopiesThePicture() {
    QGuiApplication::clipboard()->setText("old");
    menu_->setFigure(&figure_);
    QTest::keyClick(host_.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(QGuiApplication::clipboard()->mimeData()->hasImage());
  }

  void shortcutsStayInTheirView() {
    QWidget other;
    other.show();
    other.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&other));
    QGuiApplication::clipboard()->setText("old");
    menu_->setFigure(&figure_);
    QTest::keyClick(&other, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!QGuiApplication::clipboard()->mimeData()->hasImage());
  }

  /// In the window, if it handles status tips; else beside the saving widget.
  void whatWasSavedIsNamed() {
    class Window : public QWidget {
     public:
      QString told;

     protected:
      bool event(QEvent* event) override {
        if (event->type() != QEvent::StatusTip) return QWidget::event(event);
        told = static_cast<QStatusTipEvent*>(event)->tip();
        return true;
      }
    };
    Window window;
    QWidget inside(&window);
    notifySaved(inside, "/a/figure.png");
    QCOMPARE(window.told, QString("/a/figure.png"));
    QVERIFY(!QToolTip::isVisible());
    notifySaved(*host_, "/a/figure.svg");
    QTRY_COMPARE(QToolTip::text(), QString("Saved as /a/figure.svg"));
    QToolTip::hideText();
  }

  void exportsThroughTheDialogs() {
    const QTemporaryDir folder;
    menu_->setFigure(&figure_);
    for (const char* ending : {"PNG", "SVG", "PDF", "CSV"}) {
      const QString path = folder.filePath(QString("figure.") + QString(ending).toLower());
      answerDialogs(path);
      entry(ending)->trigger();
      QVERIFY2(QFileInfo(path).size() > 0, ending);
    }
    QCOMPARE(QImage(folder.filePath("figure.png")).size(), figureImage(figure_, 96).size());
  }

  void exportsWithTheExtensionOfTheFormat() {
    const QTemporaryDir folder;
    menu_->setFigure(&figure_);
    answerDialogs(folder.filePath("figure.svg"));
    entry("CSV")->trigger();
    QVERIFY(!QFileInfo::exists(folder.filePath("figure.svg")));
    QVERIFY(QFileInfo(folder.filePath("figure.svg.csv")).size() > 0);
  }

  void failedExportIsExplained() {
    menu_->setFigure(&figure_);
    answerDialogs("/proc/self/figure.svg");
    entry("SVG")->trigger();
    auto* box = shown<QMessageBox>();
    QVERIFY(box);
    QVERIFY(box->informativeText().contains("/proc/self/figure.svg"));
    box->close();
  }

  void dataTableShowsAndCopiesTheNumbers() {
    menu_->setFigure(&figure_);
    entry("table")->trigger();
    auto* dialog = shown<DataTableDialog>();
    QVERIFY(dialog);
    auto* view = dialog->findChild<QTableView*>();
    QCOMPARE(view->model()->rowCount(), 3);
    QCOMPARE(view->model()->headerData(1, Qt::Horizontal).toString(), "loss, mean");
    QCOMPARE(view->model()->index(0, 1).data().toString(), "0.1");
    dialog->activateWindow();
    view->setFocus();
    QTRY_VERIFY(view->hasFocus());
    QTest::keyClick(view, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text().left(10), "1\t0.1\nsay ");
    dialog->close();
  }

  void explanationIsShown() {
    menu_->setExplanation("Rows **sum** to 1.");
    entry("Explain")->trigger();
    auto* dialog = shown<QDialog>();
    QVERIFY(dialog);
    QCOMPARE(dialog->findChild<QTextBrowser*>()->toPlainText(), "Rows sum to 1.");
    dialog->close();
  }

  /// The nearest report takes the figure, and asks for the source when it does.
  void theNearestReportTakesTheFigure() {
    struct Host : QWidget, ReportHost {
      void addToReport(QWidget& view, const Figure& figure,
                       const std::function<tfm::report::Source()>& source) override {
        taken.push_back({&view, &figure, source ? source().of : std::string("no source")});
      }
      struct Taken {
        QWidget* view;
        const Figure* figure;
        std::string source;
      };
      std::vector<Taken> taken;
    } host;
    auto* view = new QWidget(&host);
    CornerMenu menu(style_, *view);
    menu.setFigure(&figure_);
    const auto put = [&] {
      for (QAction* action : menu.menu()->actions())
        if (action->text().contains("report")) action->trigger();
    };
    put();
    std::string locked = "a";
    menu.setSource([&] { return tfm::report::Source{"tensors", locked}; });
    locked = "b";
    put();
    QCOMPARE(host.taken.size(), std::size_t(2));
    QCOMPARE(host.taken[0].source, std::string("no source"));
    QCOMPARE(host.taken[1].source, std::string("b"));
    QVERIFY(host.taken[1].view == view && host.taken[1].figure == &figure_);
  }

  void theNearestHostShowsTheExplanationInstead() {
    struct Host : QWidget, ExplanationHost {
      void explain(const ExplanationPage& page) override { shown = page; }
      ExplanationPage shown;
    } host;
    auto* view = new QWidget(&host);
    auto* part = new QWidget(view);
    CornerMenu menu(style_, *view);
    QVERIFY(!menu.explain());
    menu.setExplanation("words", {{part, "Part", "says"}});
    QVERIFY(menu.explain());
    QCOMPARE(host.shown.markdown, QString("words"));
    QVERIFY(host.shown.host == view);
    QCOMPARE(host.shown.parts.size(), std::size_t(1));
    QVERIFY(!shown<QDialog>());
  }

  void partsAreNumberedOnTheViewAndInTheText() {
    auto* left = new QWidget(host_.get());
    auto* right = new QWidget(host_.get());
    host_->resize(400, 300);
    left->setGeometry(10, 10, 100, 100);
    right->setGeometry(200, 10, 100, 100);
    left->show();
    right->show();
    ExplanationPane pane(style_);
    pane.explain({host_.get(),
                  "View",
                  "Measured in nats.",
                  {{left, "Left", "what is left"}, {right, "Right", "what is right"}}});
    auto* marks = host_->findChild<PartMarks*>();
    QVERIFY(marks != nullptr && marks->isVisible());
    QVERIFY(left->geometry().intersects(marks->marks()[0]));
    QVERIFY(right->geometry().intersects(marks->marks()[1]));
    right->hide();
    QVERIFY(marks->marks()[1].isEmpty());
    QVERIFY2(pane.text().contains("Left: what is left"), qPrintable(pane.text()));
    QVERIFY(pane.text().contains("nat: "));
    QVERIFY(pane.findChild<QTextBrowser*>()->toHtml().contains("href=\"glossary.md#nat\""));
    pane.dismiss();
    QVERIFY(host_->findChild<PartMarks*>() == nullptr);
  }

  void aTermOfWhatIsThisLeadsToTheGlossary() {
    QLabel label("The softmax of the scores");
    QVERIFY(whatIs(label).contains("<a href=\"glossary.md#softmax\">softmax</a>"));
    GlossaryTips tips;
    const QSignalSpy asked(&tips, &GlossaryTips::manualRequested);
    QWhatsThisClickedEvent click("glossary.md#softmax");
    QCoreApplication::sendEvent(&label, &click);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].toString(), QString("glossary.md#softmax"));
  }

  void termsAreFoundAsWholeWords() {
    const auto names = [](const QString& text) {
      QStringList found;
      for (const GlossaryRow& row : termsIn(text)) found << row.name;
      return found.join(',');
    };
    QCOMPARE(names("loss (nats)"), QString("loss,nat"));
    QCOMPARE(names("Clip norm"), QString("clipping,norm"));
    QCOMPARE(names("The norm of the gradient"), QString("gradient,norm"));
    QCOMPARE(names("Norm"), QString("LayerNorm"));
    QCOMPARE(names("Clip gradient"), QString("clipping,gradient"));
    QCOMPARE(names("KL from whole"), QString("KL divergence"));
    QCOMPARE(names("agreement"), QString("agreement"));
    QCOMPARE(names("the first pad"), QString("pad"));
    QCOMPARE(names("reads <start>"), QString("<start>"));
    QCOMPARE(names("signature, alternate, overhead"), QString());
    QVERIFY(tokenMeaning("·").contains("end token"));
    QVERIFY(tokenMeaning("[MASK]").contains("hidden token"));
    QVERIFY(tokenMeaning("a").isEmpty());
  }

  void labelsExplainTheirTermsInTooltips() {
    const GlossaryTips tips;
    QLabel label("Clip gradient", host_.get());
    label.setToolTip("0 for never");
    label.show();
    QHelpEvent help(QEvent::ToolTip, QPoint(2, 2), label.mapToGlobal(QPoint(2, 2)));
    QApplication::sendEvent(&label, &help);
    QVERIFY2(QToolTip::text().contains("0 for never"), qPrintable(QToolTip::text()));
    QVERIFY(QToolTip::text().contains("scaled down"));
    QToolTip::hideText();
  }

  /// File names, tokens and messages may look like HTML.
  void whatLooksLikeMarkupIsShownLetterForLetter() {
    const QString markup = "<h1>a</h1> & <img src=x>\nb";
    QLabel label(markup), link("<a href=x>y</a>");
    link.setTextFormat(Qt::RichText);
    label.show();
    link.show();
    QCOMPARE(label.textFormat(), Qt::PlainText);
    QCOMPARE(link.textFormat(), Qt::RichText);  // as it says
    QMessageBox box(QMessageBox::NoIcon, "title", markup);
    box.setInformativeText(markup);
    box.show();
    const auto shown = box.findChildren<QLabel*>();
    QVERIFY(std::ranges::count(shown, markup, &QLabel::text) == 2);
    for (const QLabel* each : shown) QVERIFY(each->textFormat() != Qt::AutoText);

    const GlossaryTips tips;
    QListWidget list;
    list.addItem("item");
    list.item(0)->setToolTip(markup);
    list.show();
    QWidget plain;
    plain.setToolTip(markup);
    plain.show();
    label.setToolTip(markup);
    for (QWidget* widget : {list.viewport(), &plain, static_cast<QWidget*>(&label)}) {
      const QPoint place(4, 4);
      QHelpEvent help(QEvent::ToolTip, place, widget->mapToGlobal(place));
      QApplication::sendEvent(widget, &help);
      QTextDocument laid_out;
      laid_out.setHtml(QToolTip::text());
      QCOMPARE(laid_out.toPlainText(), markup);
      QToolTip::hideText();
    }
    QCOMPARE(plainTip("a < b"), QString("a < b"));
  }

  void aKeyIsThatOfTheNearestView() {
    class Page : public QWidget, public ExplanationHost {
     public:
      void explain(const ExplanationPage& page) override { shown += page.markdown; }
      QStringList shown;
    };
    Page page;
    auto* outside = new QWidget(&page);
    auto* inside = new QWidget(outside);
    for (QWidget* host : {outside, inside}) host->setFocusPolicy(Qt::StrongFocus);
    auto* outer = new CornerMenu(style_, *outside);
    auto* inner = new CornerMenu(style_, *inside);
    outer->setExplanation("outer");
    inner->setExplanation("inner");
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    QTest::failOnWarning(QRegularExpression("Ambiguous"));
    const auto explain = [&](QWidget* focused) {
      focused->setFocus();
      QTest::keyClick(page.windowHandle(), Qt::Key_F1);
    };
    for (QWidget* focused : {inside, inside, static_cast<QWidget*>(inner), inside})
      explain(focused);
    QCOMPARE(page.shown, QStringList(4, "inner"));
    explain(outside);
    QCOMPARE(page.shown.last(), QString("outer"));
    inner->setExplanation({});  // has none: the key is that of the next one
    page.shown.clear();
    explain(inside);
    QCOMPARE(page.shown, QStringList("outer"));
  }

 private:
  QList<QAction*> entries() const {
    QList<QAction*> found;
    for (QAction* action : menu_->menu()->actions())
      if (!action->isSeparator()) found += action;
    return found;
  }
  QAction* entry(const char* words) const {
    for (QAction* action : entries())
      if (QString(action->text()).remove('&').contains(words)) return action;
    return nullptr;
  }

  SampleFigure figure_;
  std::unique_ptr<QWidget> host_;
  CornerMenu* menu_ = nullptr;
};

TFM_TEST(TestCornerMenu)
#include "test_corner_menu.moc"
