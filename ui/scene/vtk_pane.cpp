// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/vtk_pane.h"

#include <vtkCamera.h>
#include <vtkNew.h>
#include <vtkRenderer.h>
#include <vtkVersion.h>

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/scene/gl_render_window.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr int kMoveMilliseconds = 450;
constexpr int kSettleMilliseconds = 250;
constexpr int kSmoothing = 2;      // pixels drawn for each pixel shown, in each direction
constexpr int kMaxPixels = 16384;  // along one side of what OpenGL draws
constexpr float kDegreesPerPixel = 0.35f;
constexpr float kDegreesPerKey = 5.f;
constexpr float kZoomPerNotch = 0.87f;

}  // namespace

/// The VTK objects, kept out of the header.
struct VtkPane::Scene {
  vtkNew<GlRenderWindow> window;
  vtkNew<vtkRenderer> renderer;
  bool available = false;

  explicit Scene(std::unique_ptr<GlContext> context) {
    window->AddRenderer(renderer);
    available = window->start(std::move(context));
  }

  QImage draw(const Camera& camera, const QSize& pixels) {
    vtkCamera* eye = renderer->GetActiveCamera();
    const QVector3D position = camera.eye(), up = camera.up();
    eye->SetViewAngle(Camera::kViewAngle);
    eye->SetFocalPoint(camera.target.x(), camera.target.y(), camera.target.z());
    eye->SetPosition(position.x(), position.y(), position.z());
    eye->SetViewUp(up.x(), up.y(), up.z());
    renderer->ResetCameraClippingRange();
    window->SetSize(pixels.width(), pixels.height());
    window->Render();
    return window->readFrame();
  }
};

VtkPane::VtkPane(const Style& style, std::unique_ptr<GlContext> context, QWidget* parent)
    : QWidget(parent),
      style_(style),
      scene_(std::make_unique<Scene>(std::move(context))),
      move_(style, [this](double share) {
        camera_ = between(move_from_, move_to_, float(share));
        scheduleRender();
      }) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  connect(&style, &Style::changed, this, &VtkPane::scheduleRender);

  // Antialiasing makes a frame four times as expensive: only when nothing moves.
  settle_.setSingleShot(true);
  settle_.setInterval(kSettleMilliseconds);
  connect(&settle_, &QTimer::timeout, this, [this] {
    if (dirty_ || !isVisible()) return;
    picture_ = drawSmoothly(size(), devicePixelRatioF());
    update();
  });

  move_.setDuration(kMoveMilliseconds);
}

VtkPane::~VtkPane() = default;

std::string VtkPane::vtkVersion() { return ::vtkVersion::GetVTKVersion(); }

bool VtkPane::available() const { return scene_->available; }

QString VtkPane::rendererName() const {
  return available() ? scene_->window->drawnBy() : QString();
}

vtkRenderer& VtkPane::renderer() const { return *scene_->renderer; }

void VtkPane::setCamera(const Camera& camera) {
  move_.stop();
  camera_ = camera;
  scheduleRender();
}

void VtkPane::moveTo(const Camera& camera) {
  if (!isVisible()) return setCamera(camera);
  move_from_ = camera_;
  move_to_ = camera;
  move_.start();
}

void VtkPane::finishMove() { move_.finish(); }

void VtkPane::scheduleRender() {
  dirty_ = true;
  update();
}

QImage VtkPane::capture(const QSizeF& size, double scale) {
  prepareScene();
  return drawSmoothly(size, scale);
}

QImage VtkPane::drawSmoothly(const QSizeF& size, double scale) const {
  if (!available()) return {};
  const QSize pixels = (size * scale).toSize().expandedTo({1, 1});
  if (std::max(pixels.width(), pixels.height()) * kSmoothing > kMaxPixels)
    return scene_->draw(camera_, pixels);
  return scene_->draw(camera_, pixels * kSmoothing)
      .scaled(pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
}

void VtkPane::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (!available()) return paintUnavailable(painter);
  if (dirty_) {
    dirty_ = false;
    prepareScene();
    picture_ = scene_->draw(camera_, (QSizeF(size()) * devicePixelRatioF()).toSize());
    settle_.start();
  }
  painter.drawImage(QRectF(rect()), picture_);
  paintOverlay(painter);
}

void VtkPane::paintUnavailable(QPainter& painter) const {
  const Palette& colours = style_.palette();
  painter.fillRect(rect(), colours.ground);
  const QRectF area = QRectF(rect()).adjusted(24, 24, -24, -24);
  painter.setPen(colours.text);
  painter.setFont(style_.textFont(15, QFont::DemiBold));
  const QString title = tr("OpenGL is not available");
  const QString advice =
      tr("The 3-D scene needs OpenGL 3.2. Install the Mesa drivers (on Debian: libegl-mesa0 and "
         "libgl1-mesa-dri) and restart the program. Everything else works without it.");
  QRectF text = painter.boundingRect(area, Qt::AlignHCenter | Qt::TextWordWrap, title);
  text.moveBottom(area.center().y());
  painter.drawText(text, Qt::AlignHCenter | Qt::TextWordWrap, title);
  painter.setPen(colours.muted);
  painter.setFont(style_.textFont());
  painter.drawText(area.adjusted(0, area.height() / 2 + 8, 0, 0),
                   Qt::AlignHCenter | Qt::TextWordWrap, advice);
}

void VtkPane::resizeEvent(QResizeEvent*) { scheduleRender(); }

void VtkPane::take() {
  finishMove();
  cameraMoved();
}

void VtkPane::mousePressEvent(QMouseEvent* event) {
  press_ = last_ = event->position();
  dragging_ = false;
}

void VtkPane::mouseMoveEvent(QMouseEvent* event) {
  const QPointF position = event->position();
  if (!(event->buttons() & (Qt::LeftButton | Qt::RightButton | Qt::MiddleButton))) {
    pointerAt(position);
    return;
  }
  if (!dragging_ && (position - press_).manhattanLength() < 4) return;
  if (!dragging_) take();
  dragging_ = true;
  const QPointF moved = position - last_;
  last_ = position;
  if ((event->buttons() & Qt::LeftButton) && !(event->modifiers() & Qt::ShiftModifier))
    camera_.orbit(-float(moved.x()) * kDegreesPerPixel, float(moved.y()) * kDegreesPerPixel);
  else
    camera_.pan(moved, size());
  scheduleRender();
}

void VtkPane::mouseReleaseEvent(QMouseEvent* event) {
  if (!dragging_ && event->button() == Qt::LeftButton) clicked(event->position());
  dragging_ = false;
}

void VtkPane::mouseDoubleClickEvent(QMouseEvent* event) {
  // The following release must not count as another click.
  dragging_ = true;
  if (event->button() == Qt::LeftButton) doubleClicked(event->position());
}

void VtkPane::wheelEvent(QWheelEvent* event) {
  take();
  const auto notches = float(event->angleDelta().y()) / 120.f;
  camera_.zoom(std::pow(kZoomPerNotch, notches), event->position(), size());
  scheduleRender();
  event->accept();
}

void VtkPane::keyPressEvent(QKeyEvent* event) {
  const auto turn = [this](float d_azimuth, float d_elevation) {
    take();
    camera_.orbit(d_azimuth, d_elevation);
    scheduleRender();
  };
  switch (event->key()) {
    case Qt::Key_Left:
      return turn(-kDegreesPerKey, 0);
    case Qt::Key_Right:
      return turn(kDegreesPerKey, 0);
    case Qt::Key_Up:
      return turn(0, kDegreesPerKey);
    case Qt::Key_Down:
      return turn(0, -kDegreesPerKey);
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace tfm::ui
