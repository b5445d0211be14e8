// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <functional>

namespace tfm::test {

/// What a run of transformarium-cli left behind.
struct Outcome {
  int code = -1;  ///< -1: it crashed or never ended
  QByteArray out;
  QByteArray err;

  /// `out` as one JSON object; empty where it is anything else or more.
  QJsonObject json() const;
};

/// Runs transformarium-cli in a folder.
Outcome runCli(const QString& folder, const QStringList& arguments);

/// What is not as expected, or nothing: the exit code, and regular expressions for what it said. An
/// error must say where; of code 2 at the command line or an option, of code 1 elsewhere.
QByteArray faultOf(const Outcome& outcome, int code, const QString& out, const QString& err);

/// A table of command lines: arguments parted by spaces, the exit code, and regular expressions for
/// what is said on standard output and standard error.
void addLineColumns();
void addLine(const char* arguments, int code, const char* out, const char* err);
/// Runs the line of the current row in a folder; see faultOf().
void checkLine(const QString& folder);

/// Starts it, waits until `file` in the folder has content (without one: until it says something on
/// standard error), calls `before`, sends `signal` and waits for the end.
Outcome interruptCli(const QString& folder, const QStringList& arguments, const QString& file,
                     int signal, const std::function<void()>& before = {});

/// Writes a file; fails the test where that does not work.
void writeText(const QString& path, const QByteArray& content);

}  // namespace tfm::test
