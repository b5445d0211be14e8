// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/manual.h"

#include <QAbstractTextDocumentLayout>
#include <QFile>
#include <QImageReader>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <utility>

#include "core/base/check.h"
#include "ui/figure/glossary.h"
#include "ui/style/style.h"
#include "ui/widgets/layouts.h"

// The macro works outside of namespaces only.
static void loadPages() { Q_INIT_RESOURCE(manual); }

namespace tfm::ui {
namespace {

/// A page made of the glossary; the others are files.
constexpr const char* kGlossary = "glossary";

/// In the order in which one would read them.
constexpr const char* kPages[] = {"install",
                                  "using-the-window",
                                  "lessons",
                                  kGlossary,
                                  "command-line",
                                  "models",
                                  "studies",
                                  "source-documents",
                                  "gpu",
                                  "performance",
                                  "file-format",
                                  "architecture",
                                  "extending",
                                  "glossary-of-the-code"};

const QString kRoot = QStringLiteral("qrc:/manual/");

enum Role { kPlaceRole = Qt::UserRole };

bool isCode(const QTextBlock& block) {
  const QTextBlockFormat format = block.blockFormat();
  return format.hasProperty(QTextFormat::BlockCodeFence) ||
         format.hasProperty(QTextFormat::BlockCodeLanguage) || format.nonBreakableLines();
}

/// Markdown has no table without a header, so ours have an empty one.
bool hasEmptyHeader(const QTextTable& table) {
  for (int column = 0; column < table.columns(); ++column)
    if (!table.cellAt(0, column).firstCursorPosition().block().text().isEmpty()) return false;
  return table.rows() > 1;
}

QString glossaryPage() {
  QString page = QStringLiteral("# ") + Manual::tr("Glossary") + QStringLiteral("\n\n") +
                 Manual::tr("The terms on the screens. Tooltips explain them, too.") + '\n';
  for (const GlossaryRow& term : allTerms())
    page += QStringLiteral("\n## %1\n\n%2\n").arg(term.name, term.says);
  return page;
}

QString pageText(const QString& name) {
  if (name == QLatin1String(kGlossary)) return glossaryPage();
  loadPages();
  QFile file(QStringLiteral(":/manual/%1.md").arg(name));
  check(file.open(QIODevice::ReadOnly), "the pages of the manual are resources");
  return QString::fromUtf8(file.readAll());
}

/// Shows Markdown with space between paragraphs, pictures as wide as the text, and links to
/// headings, all of which QTextBrowser lacks.
class ManualText : public QTextBrowser {
 public:
  explicit ManualText(const Style& style) : style_(style) {
    setOpenExternalLinks(true);
    setFrameShape(QFrame::NoFrame);
    style_.follow(this, [this] {
      setFont(style_.textFont(14));
      dress();
    });
  }

 protected:
  QVariant loadResource(int type, const QUrl& url) override {
    if (type == QTextDocument::MarkdownResource && url.fileName() == "glossary.md")
      return pageText(kGlossary);
    return QTextBrowser::loadResource(type, url);
  }
  void doSetSource(const QUrl& url, QTextDocument::ResourceType type) override {
    QTextBrowser::doSetSource(url, type);
    dress();
    goTo(url.fragment());
  }
  void resizeEvent(QResizeEvent* event) override {
    QTextBrowser::resizeEvent(event);
    fitPictures();
  }
  void showEvent(QShowEvent* event) override {
    QTextBrowser::showEvent(event);
    // The layout before had another width, in which headings had other places.
    if (!std::exchange(laid_out_, true)) goTo(source().fragment());
  }

 private:
  void dress() {
    document()->setDocumentMargin(style_.px(14));
    QTextCursor all(document());
    all.beginEditBlock();  // one layout for all changes
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
      QTextCursor cursor(block);
      QTextBlockFormat format = block.blockFormat();
      const bool close =
          cursor.currentTable() != nullptr || (isCode(block) && isCode(block.next()));
      format.setTopMargin(style_.px(format.headingLevel() > 0 ? 14 : 0));
      format.setBottomMargin(close ? 0 : style_.px(8));
      cursor.setBlockFormat(format);
    }
    for (QTextFrame* frame : document()->rootFrame()->childFrames())
      if (auto* table = qobject_cast<QTextTable*>(frame)) {
        QTextTableFormat format = table->format();
        format.setBorderBrush(style_.palette().line);
        format.setBorderCollapse(true);
        format.setCellPadding(style_.px(4));
        format.setBottomMargin(style_.px(10));
        table->setFormat(format);
        if (hasEmptyHeader(*table)) table->removeRows(0, 1);
      }
    all.endEditBlock();
    fitPictures();
  }

  void fitPictures() {
    const double width = viewport()->width() - 2 * document()->documentMargin();
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
      for (auto part = block.begin(); !part.atEnd(); ++part) {
        QTextImageFormat image = part.fragment().charFormat().toImageFormat();
        if (!image.isValid()) continue;
        const QImageReader picture(QStringLiteral(":/manual/") + image.name());
        image.setWidth(std::min(width, double(picture.size().width())));
        QTextCursor all(document());
        all.setPosition(part.fragment().position());
        all.setPosition(part.fragment().position() + part.fragment().length(),
                        QTextCursor::KeepAnchor);
        all.setCharFormat(image);
        break;  // the iterators are of the text before
      }
  }

  void goTo(const QString& anchor) {
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
      if (block.blockFormat().headingLevel() > 0 && anchorOf(block.text()) == anchor) {
        setTextCursor(QTextCursor(block));
        verticalScrollBar()->setValue(
            int(document()->documentLayout()->blockBoundingRect(block).top()));
        return;
      }
  }

  const Style& style_;
  bool laid_out_ = false;
};

std::vector<ManualSection> readSections() {
  std::vector<ManualSection> sections;
  static const QRegularExpression kHeading(QStringLiteral("^#+ (.*)$"));
  for (const char* name : kPages) {
    const QString page = QLatin1String(name) + QStringLiteral(".md");
    ManualSection section{page, {}, {}, {}};
    for (const QString& line : pageText(QLatin1String(name)).split('\n')) {
      const auto heading = kHeading.match(line);
      if (heading.hasMatch() && section.title.isEmpty()) {
        section.title = heading.captured(1);
      } else if (heading.hasMatch()) {
        sections.push_back(section);
        section.heading = heading.captured(1);
        section.text.clear();
      }
      section.text += line + '\n';
    }
    sections.push_back(section);
  }
  return sections;
}

QString placeOf(const ManualSection& section) {
  return section.heading.isEmpty() ? section.page : section.page + '#' + anchorOf(section.heading);
}

}  // namespace

const std::vector<ManualSection>& manualSections() {
  static const std::vector<ManualSection> sections = readSections();
  return sections;
}

Manual::Manual(const Style& style, QWidget* parent)
    : QDialog(parent), words_(new QLineEdit), list_(new QListWidget), text_(new ManualText(style)) {
  setWindowTitle(tr("Manual"));
  words_->setPlaceholderText(tr("Search the manual"));
  words_->setAccessibleName(words_->placeholderText());
  words_->setClearButtonEnabled(true);
  list_->setAccessibleName(tr("Pages"));
  list_->setWordWrap(true);
  list_->setSpacing(2);
  text_->setAccessibleName(tr("Page"));
  auto* left = new QWidget;
  left->setLayout(columnOf(style, 6, {words_, {list_, 1}}));
  auto* halves = new QSplitter;
  halves->addWidget(left);
  halves->addWidget(text_);
  halves->setStretchFactor(1, 1);
  halves->setChildrenCollapsible(false);
  halves->setSizes({style.px(230), style.px(770)});
  setLayout(columnOf(style, 0, {{halves, 1}}));
  resize(style.px(1040), style.px(720));
  connect(words_, &QLineEdit::textChanged, this, &Manual::fillList);
  connect(words_, &QLineEdit::returnPressed, this, [this] {
    if (list_->count() > 0) list_->setCurrentRow(std::max(0, list_->currentRow()));
  });
  connect(list_, &QListWidget::currentRowChanged, this, &Manual::openChosen);
  words_->setFocus();
  fillList();
  open(QLatin1String(kPages[0]) + QStringLiteral(".md"));
}

void Manual::open(const QString& place) {
  text_->setSource(QUrl(kRoot + place));
  markWords();
}

void Manual::fillList() {
  const QSignalBlocker quiet(list_);
  list_->clear();
  const QStringList words = words_->text().split(' ', Qt::SkipEmptyParts);
  for (const ManualSection& section : manualSections()) {
    const bool shown = words.isEmpty() ? section.heading.isEmpty()
                                       : std::ranges::all_of(words, [&](const QString& word) {
                                           return section.text.contains(word, Qt::CaseInsensitive);
                                         });
    if (!shown) continue;
    const QString text = words.isEmpty() || section.heading.isEmpty()
                             ? section.title
                             : section.title + QStringLiteral(": ") + section.heading;
    auto* row = new QListWidgetItem(text, list_);
    row->setData(kPlaceRole, placeOf(section));
  }
  if (list_->count() == 0)
    (new QListWidgetItem(tr("Nothing found"), list_))->setFlags(Qt::NoItemFlags);
  markWords();
}

void Manual::openChosen() {
  if (const QListWidgetItem* row = list_->currentItem()) open(row->data(kPlaceRole).toString());
}

void Manual::markWords() {
  QList<QTextEdit::ExtraSelection> marks;
  for (const QString& word : words_->text().split(' ', Qt::SkipEmptyParts))
    for (QTextCursor at = text_->document()->find(word); !at.isNull();
         at = text_->document()->find(word, at)) {
      QTextEdit::ExtraSelection mark;
      mark.cursor = at;
      mark.format.setBackground(palette().highlight());
      mark.format.setForeground(palette().highlightedText());
      marks.push_back(mark);
    }
  text_->setExtraSelections(marks);
}

}  // namespace tfm::ui
