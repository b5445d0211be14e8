// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window_command.h"

#include <QCommandLineParser>
#include <QCoreApplication>

#include "core/backend/about.h"
#include "core/backend/registry.h"
#include "core/base/error.h"
#include "ui/window/about.h"

namespace tfm {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongUse = 2;

/// Options of QGuiApplication and QApplication, which remove them themselves: name and, if it takes
/// one, its value.
struct QtOption {
  const char* name;
  const char* value = "";
};
constexpr QtOption kQtOptions[] = {
    {"platform", "name"},
    {"platformpluginpath", "path"},
    {"platformtheme", "name"},
    {"plugin", "name"},
    {"qwindowgeometry", "WxH"},
    {"qwindowicon", "file"},
    {"qwindowtitle", "title"},
    {"icon", "file"},
    {"title", "title"},
    {"geometry", "WxH"},
    {"qmljsdebugger", "value"},
    {"session", "id"},
    {"display", "name"},
    {"name", "name"},
    {"style", "name"},
    {"stylesheet", "file"},
    {"reverse"},
    {"fontengine", "name"},
};

QString tr(const char* text) { return QCoreApplication::translate("main", text); }

WindowCommand wrongUse(const QString& problem, const QString& where = tr("command line"),
                       const QString& hint = tr("See transformarium --help")) {
  const QString words = tr("error: %1\nwhere: %2\nhint:  %3\n").arg(problem, where, hint);
  return {.opens = false, .exit_code = kWrongUse, .words = words};
}

/// Whether Qt would need a display and there is none.
bool lacksDisplay(const QCommandLineParser& parser) {
  for (const char* option : {"platform", "display"})
    if (parser.isSet(option)) return false;
  for (const char* variable : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
    if (!qEnvironmentVariableIsEmpty(variable)) return false;
  return true;
}

}  // namespace

WindowCommand readWindowCommand(const QStringList& arguments) {
  QCommandLineParser parser;
  parser.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
  const QCommandLineOption help(QStringList{"h", "help"});
  const QCommandLineOption shown_version(QStringList{"v", "version"});
  const QCommandLineOption device("device", "", "name");
  const QCommandLineOption lesson("lesson", "", "file");
  const QCommandLineOption thumbnail("thumbnail", "", "file"), size("size", "", "pixels", "256");
  parser.addOptions({help, shown_version, device, lesson, thumbnail, size});
  for (const QtOption& qt : kQtOptions) parser.addOption({qt.name, "", qt.value});
  if (!parser.parse(arguments)) return wrongUse(parser.errorText());
  if (parser.isSet(help)) {
    const QString words = tr(
        "Usage: transformarium [options] [file]\n"
        "Trains small transformers in front of you.\n\n"
        "  file                 document to open\n"
        "  --lesson LESSON      lesson to open, NAME.lesson.md\n"
        "  --device NAME        where to compute; default: the CPU\n"
        "  --thumbnail PICTURE  draw the model of the file as a PNG instead of opening it\n"
        "  --size PIXELS        the largest side of that picture, 16 to 2048; default: 256\n"
        "  -h, --help           show this help\n"
        "  -v, --version        show the version, what it is made of, and the files of plugins\n\n"
        "Qt's own options work too, such as -platform offscreen.\n"
        "Without a window: transformarium-cli --help\n");
    return {.opens = false, .words = words};
  }
  if (parser.isSet(shown_version))
    return {
        .opens = false,
        .words = QString::fromStdString(versionText("transformarium", ui::aboutWindow())) + "\n"};
  const QStringList files = parser.positionalArguments();
  if (files.size() > 1)
    return wrongUse(tr("'%1' is unexpected: only one file can be opened").arg(files[1]));
  bool is_number = false;
  const int side = parser.value(size).toInt(&is_number);
  if (!is_number || side < 16 || side > 2048)
    return wrongUse(tr("'%1' is not a size: 16 to 2048 pixels").arg(parser.value(size)));
  if (parser.isSet(lesson) && !files.isEmpty())
    return wrongUse(tr("'%1' is unexpected: a lesson opens its own document").arg(files[0]));
  if (parser.isSet(thumbnail)) {
    if (files.isEmpty()) return wrongUse(tr("--thumbnail needs the file of a document"));
    return {.file = files.front(), .thumbnail = parser.value(thumbnail), .side = side};
  }
  if (parser.isSet(device)) try {
      chooseDevice(parser.value(device).toStdString());
    } catch (const Error& error) {
      return wrongUse(QString::fromStdString(error.problem()),
                      QString::fromStdString(error.where()), QString::fromStdString(error.hint()));
    }
  if (lacksDisplay(parser))
    return {.opens = false,
            .exit_code = kFailed,
            .words = tr("error: there is no display to open a window on\n"
                        "where: DISPLAY and WAYLAND_DISPLAY are not set\n"
                        "hint:  transformarium-cli works without one\n")};
  WindowCommand command;
  command.lesson = parser.value(lesson);
  if (!files.isEmpty()) command.file = files.front();
  return command;
}

}  // namespace tfm
