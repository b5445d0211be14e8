// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/elastic_setup.h"

#include <QPushButton>

#include "core/matformer/nesting.h"
#include "ui/document/model_document.h"
#include "ui/document/submodel_explorer.h"
#include "ui/views/elastic/nesting_form.h"
#include "ui/views/elastic/twins_panel.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/section.h"

namespace tfm::ui {

ElasticSetup::ElasticSetup(const Style& style, ModelDocument& document, SubmodelExplorer& explorer,
                           QWidget* parent)
    : SideZone(style, 220, parent),
      document_(document),
      explorer_(explorer),
      form_(new NestingForm(style)),
      twins_(new TwinsPanel(style, explorer)) {
  Section* examples = addSection(tr("Examples"), {}, tr("Trained models to explore."));
  const auto example = [&](Example which, const QString& name, const QString& hint) {
    auto* button = pushButton(name, hint);
    connect(button, &QPushButton::clicked, this, [this, which] { emit exampleRequested(which); });
    examples->add(button);
    examples_[std::size_t(which)] = button;
  };
  example(Example::Facts, tr("Facts: width matters"),
          tr("Who gave whom what: 650 facts without a rule, which a model must memorise"));
  example(Example::Sentiment, tr("Sentiment: little width suffices"),
          tr("Positive and negative reviews: a few rules, which even the narrowest model learns"));
  addSection(tr("Training"), {form_},
             tr("Which smaller models are trained inside this one, and how."));
  addSection(tr("Trained separately"), {twins_});

  connect(form_, &NestingForm::applyRequested, this, &ElasticSetup::nest);
  connect(form_, &NestingForm::stopRequested, this, [this] {
    explorer_.train({});
    document_.training().play();
  });
  connect(&document_, &ModelDocument::replaced, this, [this] {
    form_->forget();
    showModel();
  });
  // At once, not with the next snapshot: a quick click would train with the former number.
  const auto propose = [this] {
    if (!document_.training().isRunning()) twins_->propose(document_.training().step());
  };
  connect(&document_.training(), &Training::measured, twins_, propose);
  connect(&document_.training(), &Training::runningChanged, twins_, propose);
  connect(&document_.training(), &Training::rewound, twins_, propose);
  connect(&document_, &ModelDocument::replaced, twins_, propose);
}

void ElasticSetup::showModel() {
  const bool nested = explorer_.isNested();
  form_->showNesting(nested ? document_.training().config().nesting
                            : matformer::defaultNesting(document_.training().model()),
                     nested, explorer_.whyNotNestable());
}

void ElasticSetup::nest() {
  try {
    const bool nested = explorer_.isNested();
    explorer_.train(form_->nesting());
    form_->setProblem({});
    if (!nested)
      document_.training().play();  // the button says "Train as MatFormer", and then "Apply"
  } catch (const Error& problem) {
    form_->setProblem(QString::fromStdString(problem.what()));
    if (!form_->isVisible()) emit failed(problem);
  }
}

}  // namespace tfm::ui
