// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The classes that headers of ui mention only in pointers, references and signatures.

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

namespace tfm::ui {

class AccuracyScatter;
class AnswerRows;
class Answers;
class AttentionAside;
class AttentionChanges;
class AttentionForms;
class AttentionInspector;
class AttentionTools;
class AttentionView;
struct AxisRange;
class BackgroundStudy;
class BarList;
struct BarRow;
class BatchView;
class BeamPanel;
class CellGrid;
class Changes;
class ControlImages;
class CornerMenu;
class DataSummary;
class DeviceChooser;
class DraftRow;
class ElasticInspector;
class ElasticNumbers;
class ElasticPictures;
class ElasticSetup;
class ElasticView;
class ElidedLabel;
class ExperimentDock;
class ExplanationPane;
class FieldForm;
class Figure;
class FlowChanges;
class FlowDiagram;
class FlowInspector;
class FlowLens;
class FlowOtherwise;
class FlowPictures;
class FlowStepper;
class FlowTrail;
class FlowView;
struct FoundBeams;
class GranularityCurves;
class GrowthCards;
class GrowthChain;
class GrowthExport;
class GrowthForm;
class GrowthInspector;
class GrowthLegend;
class GrowthMap;
class GrowthPair;
class GrowthPlanner;
struct GrowthPreview;
class GrowthWall;
class GrowView;
class HeatGrid;
class HeatMapView;
struct Legend;
class LearningCurves;
class LengthBand;
class LinePlot;
class LinesView;
class LogitOverlay;
class LossStrip;
class MainWindow;
class Manual;
class MatricesView;
class MatrixWall;
struct Message;
class MessageBar;
class MixPanel;
class ModelDocument;
struct ModelShape;
class Moments;
class Motion;
class NamedNumber;
class NestedFrames;
class NestingForm;
struct NewRun;
class NewRunDialog;
class NextToken;
class NumberLabel;
class Observing;
struct Palette;
class Panel;
class PartMarks;
class PathRow;
class PinChip;
class PlanEditor;
class PlotGraph;
struct PlotLook;
class PlotPair;
class PlotStack;
class ProfileDialog;
class PromptField;
class ProofPanel;
class QuestionField;
struct ReadToken;
class Recovery;
class RunColumns;
struct SampleLine;
class SampleStream;
class SamplingSliders;
class SaySomething;
class ScalingPanel;
class ScatterPlot;
class ScheduleSection;
class ScoreTable;
class Section;
class Segmented;
class Settings;
class ShapeInspector;
class ShapePictures;
class ShapeView;
class SideZone;
class SizeScale;
class SourcesDialog;
class StudyControls;
class StudyPlots;
class StudySizes;
class Style;
class SubmodelExplorer;
class TaskColumn;
struct TaskPath;
class TimeBar;
class TokenLine;
class TopBar;
class Training;
class TrainingForm;
class TrainInspector;
class TrainView;
class TransportBar;
class TwinsPanel;
class TypingGuard;
class ValueLine;
class ValueStrip;
class View;
class WhatIfDialog;
class WhatIfPanel;
class WidthBars;
class WidthSlider;
class WidthStrands;
class WindowFiles;
class WriteView;
class Zones;

}  // namespace tfm::ui
