// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "tests/test_program.h"
#include "ui/style/oklab.h"
#include "ui/style/palette.h"

using namespace tfm::ui;

namespace {

constexpr Theme kThemes[] = {Theme::Dark, Theme::Light, Theme::HighContrast};

std::vector<QColor> grounds(const Palette& p) { return {p.ground, p.panel, p.raised}; }

std::vector<QColor> roles(const Palette& p) {
  std::vector<QColor> colours = {p.query, p.key, p.value, p.output};
  colours.insert(colours.end(), p.series.begin(), p.series.end());
  return colours;
}

std::vector<QColor> everythingSeen(const Palette& p) {
  std::vector<QColor> colours = {p.text, p.muted, p.line, p.accent,   p.mark,
                                 p.good, p.bad,   p.zero, p.negative, p.positive};
  for (const QColor& colour : roles(p)) colours.push_back(colour);
  return colours;
}

double worst(const std::vector<QColor>& colours, const std::vector<QColor>& grounds) {
  double least = 21;
  for (const QColor& colour : colours)
    for (const QColor& ground : grounds) least = std::min(least, contrast(colour, ground));
  return least;
}

/// The least contrast of the digits in a signed cell, over the whole scale.
double worstCell(const Palette& p) {
  double least = 21;
  for (int i = -100; i <= 100; ++i) {
    const QColor cell = signedColor(p, i, 100);
    least = std::min(least, contrast(readableOn(cell), cell));
  }
  return least;
}

/// Linear red, green, blue as seen without one kind of cone (Machado, Oliveira and Fernandes 2009),
/// row by row.
using Eyes = std::array<double, 9>;
constexpr Eyes kNoGreenCones = {0.367322, 0.860646,  -0.227968, 0.280085, 0.672501,
                                0.047413, -0.011820, 0.042940,  0.968881};
constexpr Eyes kNoRedCones = {0.152286, 1.052583,  -0.204868, 0.114503, 0.786281,
                              0.099216, -0.003882, -0.048116, 1.051998};

QColor seenBy(const Eyes& eyes, const QColor& colour) {
  const auto toLinear = [](float c) {
    return c <= 0.04045F ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  const auto fromLinear = [](double c) {
    const double in = std::clamp(c, 0.0, 1.0);
    return static_cast<float>(in <= 0.0031308 ? in * 12.92 : 1.055 * std::pow(in, 1 / 2.4) - 0.055);
  };
  const double rgb[] = {toLinear(colour.redF()), toLinear(colour.greenF()),
                        toLinear(colour.blueF())};
  const auto row = [&](std::size_t r) {
    return fromLinear(eyes[3 * r] * rgb[0] + eyes[3 * r + 1] * rgb[1] + eyes[3 * r + 2] * rgb[2]);
  };
  return QColor::fromRgbF(row(0), row(1), row(2));
}

/// The least difference between two of the colours, for `eyes` or for eyes with all cones.
double closest(const std::array<QColor, 7>& colours, const std::optional<Eyes>& eyes) {
  double least = 1;
  for (std::size_t i = 0; i < colours.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const QColor a = eyes ? seenBy(*eyes, colours[i]) : colours[i];
      const QColor b = eyes ? seenBy(*eyes, colours[j]) : colours[j];
      least = std::min(least, difference(a, b));
    }
  }
  return least;
}

int furthestChannel(const QColor& a, const QColor& b) {
  return std::max({std::abs(a.red() - b.red()), std::abs(a.green() - b.green()),
                   std::abs(a.blue() - b.blue())});
}

}  // namespace

class TestPalette : public QObject {
  Q_OBJECT

 private slots:
  void contrastIsThatOfWcag() {
    QVERIFY(std::abs(contrast(Qt::black, Qt::white) - 21) < 1e-9);
    QCOMPARE(contrast(Qt::red, Qt::red), 1.0);
    // The grey that is known to just pass 4.5 on white, and the next one that fails.
    QVERIFY(contrast("#767676", Qt::white) >= 4.5);
    QVERIFY(contrast("#777777", Qt::white) < 4.5);
  }

  void textIsReadableInEveryTheme() {
    for (const Theme theme : kThemes) {
      const Palette& p = palette(theme);
      QVERIFY(worst({p.text}, grounds(p)) >= 7);
      QVERIFY(worst({p.muted}, grounds(p)) >= 4.5);
      QVERIFY(worst({p.accent, p.bad}, grounds(p)) >= 4.4);
      QVERIFY(contrast(readableOn(p.accent), p.accent) >= 4.5);
      QVERIFY(worst(roles(p), grounds(p)) >= 3);
      QVERIFY(worst({p.query, p.key, p.value, p.output}, grounds(p)) >= 4.5);
      QVERIFY(worst({p.mark, p.good, p.negative, p.positive}, grounds(p)) >= 3);
      QVERIFY(worstCell(p) >= 4.5);
    }
    QCOMPARE(&paperPalette(), &palette(Theme::Light));
    // Tol's own cyan would not do on white.
    QVERIFY(worst({"#33bbee"}, grounds(palette(Theme::Light))) < 3);
  }

  void highContrastIsHigh() {
    const Palette& p = palette(Theme::HighContrast);
    QCOMPARE(p.ground, QColor(Qt::black));
    QCOMPARE(p.text, QColor(Qt::white));
    std::vector<QColor> seen = everythingSeen(p);
    std::erase(seen, p.zero);  // the ground of the cells, which the others stand out from
    QVERIFY(worst(seen, grounds(p)) >= 7);
    // Cells of opposite or no value differ more than in Dark.
    const Palette& usual = palette(Theme::Dark);
    for (const auto colour : {&Palette::negative, &Palette::positive})
      QVERIFY(contrast(p.*colour, p.zero) > contrast(usual.*colour, usual.zero));
    QVERIFY(worstCell(p) >= 4.5);
    QVERIFY(contrast(readableOn(p.accent), p.accent) >= 7);
    // The other themes would not pass, so the rule asks for something.
    const Palette& dark = palette(Theme::Dark);
    QVERIFY(worst(everythingSeen(dark), grounds(dark)) < 7);
  }

  void seriesDifferForAllEyes() {
    for (const Theme theme : kThemes) {
      const auto& series = palette(theme).series;
      QVERIFY(closest(series, {}) >= 0.08);
      QVERIFY(closest(series, kNoGreenCones) >= 0.08);
      QVERIFY(closest(series, kNoRedCones) >= 0.08);
    }
    // A red and a green that others can distinguish.
    const std::array<QColor, 7> pair = {"#c0504d", "#7f8c3f", "#000000", "#ffffff",
                                        "#0000ff", "#ffff00", "#808080"};
    QVERIFY(closest(pair, {}) >= 0.08);
    QVERIFY(closest(pair, kNoGreenCones) < 0.08);
  }

  void cividisIsThePublishedMap() {
    QVERIFY(furthestChannel(cividis(0), "#00224e") <= 1);
    QVERIFY(furthestChannel(cividis(1), "#fde737") <= 1);
    // Its middle is nearly grey, which no straight mix of the ends would be.
    QVERIFY(furthestChannel(cividis(0.5), "#7c7b78") <= 2);
    QVERIFY(furthestChannel(mixOklab(cividis(0), cividis(1), 0.5), "#7c7b78") > 10);
  }

  void cividisGetsBrighterAndStaysInside() {
    // Rounding to eight bits may hide one step, but not three.
    for (int i = 3; i < 256; ++i)
      QVERIFY2(luminance(cividis(i / 255.0)) > luminance(cividis((i - 3) / 255.0)),
               qPrintable(QString::number(i)));
    QCOMPARE(cividis(-3), cividis(0));
    QCOMPARE(cividis(7), cividis(1));
    QCOMPARE(cividis(std::numeric_limits<double>::quiet_NaN()), cividis(0));
  }

  void signedColoursAreSymmetricAndClamped() {
    for (const Theme theme : kThemes) {
      const Palette& p = palette(theme);
      QCOMPARE(signedColor(p, 0, 2).name(), p.zero.name());
      QCOMPARE(signedColor(p, 2, 2).name(), p.positive.name());
      QCOMPARE(signedColor(p, -2, 2).name(), p.negative.name());
      QCOMPARE(signedColor(p, 9, 2), signedColor(p, 2, 2));
      QCOMPARE(signedColor(p, -9, 2), signedColor(p, -2, 2));
      QCOMPARE(signedColor(p, 1, 0), p.zero);
      QCOMPARE(signedColor(p, std::numeric_limits<double>::quiet_NaN(), 1), p.zero);
      QVERIFY(signedColor(p, 0.5, 1) != signedColor(p, -0.5, 1));
    }
  }

  void mixingIsPerceptual() {
    QCOMPARE(mixOklab("#123456", "#abcdef", 0).name(), "#123456");
    QCOMPARE(mixOklab("#123456", "#abcdef", 1).name(), "#abcdef");
    // The published midpoint of white and black in Oklab is #636363; averaging bytes gives #808080.
    QCOMPARE(mixOklab(Qt::white, Qt::black, 0.5).name(), "#636363");
  }

  void digitsAreBlackOrWhite() {
    QCOMPARE(readableOn(Qt::yellow), QColor(Qt::black));
    QCOMPARE(readableOn("#00224e"), QColor(Qt::white));
    for (int grey = 0; grey < 256; ++grey) {
      const QColor ground(grey, grey, grey);
      QVERIFY(contrast(readableOn(ground), ground) >= 4.5);
    }
  }
};

TFM_TEST(TestPalette)
#include "test_palette.moc"
