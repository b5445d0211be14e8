// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The classes of Qt and core that headers of ui mention only in pointers, references and
// signatures; forward.h of a folder has those of that folder.

class QAbstractButton;
class QAction;
class QApplication;
class QBoxLayout;
class QButtonGroup;
class QCheckBox;
class QColor;
class QComboBox;
class QCPAxis;
class QCPAxisRect;
class QCPAxisTicker;
class QCPBars;
class QCPErrorBars;
class QCPGraph;
class QCPItemLine;
class QCPItemRect;
class QCPItemText;
class QCPItemTracer;
class QCPLegend;
class QCPRange;
class QCPScatterStyle;
class QCustomPlot;
class QDoubleSpinBox;
class QFont;
class QFormLayout;
class QFrame;
class QGridLayout;
class QHBoxLayout;
class QKeyEvent;
class QLabel;
class QLineEdit;
class QListWidget;
class QMainWindow;
class QMenu;
class QPainter;
class QPen;
class QPointF;
class QProgressBar;
class QPushButton;
class QRadioButton;
class QResizeEvent;
class QScrollArea;
class QSettings;
class QSlider;
class QSocketNotifier;
class QSpinBox;
class QStackedLayout;
class QStackedWidget;
class QTableView;
class QTextBrowser;
class QToolButton;
class QVBoxLayout;
class QWidget;

namespace tfm {

class Error;

}  // namespace tfm

namespace tfm::data {

class TextCodec;

}  // namespace tfm::data

namespace tfm::reproduce {

struct Source;

}  // namespace tfm::reproduce
