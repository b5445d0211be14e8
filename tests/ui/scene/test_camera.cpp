// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <array>

#include "tests/test_program.h"
#include "ui/scene/camera.h"

using namespace tfm::ui;

namespace {

const QSizeF kViewport(960, 900);
const std::array<QVector3D, 4> kPoints{QVector3D{0, 0, 0}, QVector3D{300, 0, 0},
                                       QVector3D{300, -200, 80}, QVector3D{0, -200, 80}};

Camera turned() {
  return {.target = {20, -10, 5}, .azimuth = -31, .elevation = 24, .distance = 700};
}

bool near(const QPointF& a, const QPointF& b, double tolerance) {
  return std::hypot(a.x() - b.x(), a.y() - b.y()) < tolerance;
}

}  // namespace

class TestCamera : public QObject {
  Q_OBJECT

 private slots:
  void axesArePerpendicular();
  void theTargetIsInTheMiddle();
  void raysHitWhatIsSeen();
  void nothingBehindTheEyeIsSeen();
  void fittingShowsEverythingAndIsTight();
  void zoomKeepsThePlaceUnderThePointer();
  void panFollowsThePointer();
  void orbitStaysInFront();
  void betweenStartsAndEndsWhereItShould();
};

void TestCamera::axesArePerpendicular() {
  const Camera camera = turned();
  QVERIFY(std::abs(QVector3D::dotProduct(camera.forward(), camera.right())) < 1e-6f);
  QVERIFY(std::abs(QVector3D::dotProduct(camera.forward(), camera.up())) < 1e-6f);
  QVERIFY(std::abs(camera.up().length() - 1) < 1e-6f);
  QVERIFY(camera.up().y() > 0);
}

void TestCamera::theTargetIsInTheMiddle() {
  const auto seen = turned().project(turned().target, kViewport);
  QVERIFY(seen && near(*seen, {480, 450}, 0.01));
}

void TestCamera::raysHitWhatIsSeen() {
  const Camera camera = turned();
  for (const QVector3D& point : kPoints) {
    const auto seen = camera.project(point, kViewport);
    QVERIFY(seen);
    const auto distance = [&](const Ray& ray) {
      return point.distanceToLine(ray.origin, ray.direction);
    };
    QVERIFY(distance(camera.rayThrough(*seen, kViewport)) < 0.01f);
    QVERIFY(distance(camera.rayThrough(*seen + QPointF(5, 0), kViewport)) > 0.5f);
  }
}

void TestCamera::nothingBehindTheEyeIsSeen() {
  const Camera camera = turned();
  QVERIFY(!camera.project(camera.eye() - 10 * camera.forward(), kViewport));
  QVERIFY(camera.project(camera.eye() + 10 * camera.forward(), kViewport));
}

void TestCamera::fittingShowsEverythingAndIsTight() {
  const QMarginsF margins(30, 40, 50, 90);
  const Camera camera = turned().fitted(kPoints, kViewport, margins);
  const QRectF inside = QRectF(QPointF(), kViewport).marginsRemoved(margins);
  const auto bounds = [&](const Camera& from) {
    QPolygonF seen;
    for (const QVector3D& point : kPoints) seen << *from.project(point, kViewport);
    return seen.boundingRect();
  };
  QVERIFY(inside.marginsAdded({0.5, 0.5, 0.5, 0.5}).contains(bounds(camera)));
  QVERIFY(bounds(camera).width() > inside.width() - 1 ||
          bounds(camera).height() > inside.height() - 1);
  Camera nearer = camera;
  nearer.distance *= 0.95f;
  QVERIFY(!inside.contains(bounds(nearer)));
}

void TestCamera::zoomKeepsThePlaceUnderThePointer() {
  Camera camera = turned();
  const QPointF pointer(200, 610);
  const Ray ray = camera.rayThrough(pointer, kViewport);
  const float way = camera.distance / QVector3D::dotProduct(ray.direction, camera.forward());
  const QVector3D place = ray.origin + way * ray.direction;
  camera.zoom(0.6f, pointer, kViewport);
  QVERIFY(near(*camera.project(place, kViewport), pointer, 0.05));
  camera.zoom(0.6f, {700, 100}, kViewport);
  QVERIFY(!near(*camera.project(place, kViewport), pointer, 5));
}

void TestCamera::panFollowsThePointer() {
  Camera camera = turned();
  const QVector3D place = camera.target;
  camera.pan({40, -25}, kViewport);
  QVERIFY(near(*camera.project(place, kViewport), {520, 425}, 0.05));
}

void TestCamera::orbitStaysInFront() {
  Camera camera;
  camera.orbit(500, 500);
  QVERIFY(camera.azimuth < 90 && camera.elevation < 90);
  camera.orbit(-1000, -1000);
  QVERIFY(camera.azimuth > -90 && camera.elevation > -90);
}

void TestCamera::betweenStartsAndEndsWhereItShould() {
  const Camera from, to = turned();
  QCOMPARE(between(from, to, 0).distance, from.distance);
  QVERIFY(std::abs(between(from, to, 1).distance - to.distance) < 0.01f);
  QCOMPARE(between(from, to, 1).azimuth, to.azimuth);
}

TFM_TEST(TestCamera)
#include "test_camera.moc"
