// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/reproduce/source.h"
#include "ui/document/background_study.h"

class QCheckBox;
class QLabel;
class QLayout;
class QListWidget;
class QPushButton;
class QStackedWidget;

namespace tfm::ui {

class ClaimTable;
class Panel;
class Segmented;
class SourceFigures;
class StudyControls;
class Style;

using ClaimsStudy = MapStudy<std::vector<reproduce::Checked>>;

/// The documents that the program grew out of: what each prints or claims, our numbers beside it,
/// computed in the background when the document is chosen, and its recipe to open. Not modal.
/// Closing it ends what is being computed.
class SourcesDialog : public QDialog {
  Q_OBJECT

 public:
  explicit SourcesDialog(Style& style, QWidget* parent = nullptr);

  /// Shows a document, by its place in reproduce::sources().
  void choose(int source);
  const reproduce::Source& source() const;

  QListWidget& sources() { return *sources_; }
  /// Numbers or Figures.
  Segmented& pages() { return *pages_; }
  SourceFigures& figures() { return *figures_; }
  ClaimTable& claims() { return *claims_; }
  ClaimsStudy& study() { return *study_; }
  StudyControls& run() { return *run_; }
  /// Whether claims that need training are computed as well.
  QCheckBox& trainings() { return *trainings_; }
  QLabel& details() { return *details_; }
  /// What is wrong with the document in the current claim.
  QLabel& wrong() { return *wrong_; }
  QPushButton& openButton() { return *open_; }
  /// The same as activating the current claim.
  QPushButton& seeButton() { return *see_; }
  /// Shows the figure of the current claim.
  QPushButton& figureButton() { return *figure_; }
  void reject() override;

 signals:
  void openRequested(const tfm::reproduce::Source& source);
  /// To show a preset, or the recipe of `source` if it is empty, on a screen, by its place in
  /// kScreens.
  void seeRequested(const tfm::reproduce::Source& source, int screen, const std::string& preset);

 private:
  QLayout* makeDetails();
  void setExplanation();
  /// Computes the claims of the chosen document.
  void start();
  /// The same, unless they have been computed, or others are being computed.
  void startIfNew();
  void showClaims();
  void showDetails();
  /// Asks to show the current claim on its screen, if it has one.
  void see();
  QString sentence() const;

  Style& style_;
  ClaimsStudy* study_;
  QListWidget* sources_;
  Segmented* pages_;
  QStackedWidget* stack_;
  SourceFigures* figures_;
  Panel* panel_;
  ClaimTable* claims_;
  QLabel* details_;
  QLabel* wrong_;
  QPushButton* see_;
  QPushButton* figure_;
  QPushButton* open_;
  QCheckBox* trainings_;
  StudyControls* run_;
  std::map<int, std::vector<reproduce::Checked>> results_;  ///< by source
  int computed_ = -1;                                       ///< the source of the study
};

/// The first screen named in where a claim is seen; none: on the command line only.
std::optional<int> screenOf(const reproduce::Claim& claim);

}  // namespace tfm::ui
