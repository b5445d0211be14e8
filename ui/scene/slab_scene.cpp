// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/slab_scene.h"

#include <vtkActor.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>
#include <vtkTexture.h>
#include <vtkUnsignedCharArray.h>

#include <array>
#include <vector>

#include "ui/scene/slab_texture.h"

namespace tfm::ui {
namespace {

using Corners = std::array<QVector3D, 4>;

void addQuad(vtkPoints& points, vtkCellArray& quads, const Corners& corners) {
  quads.InsertNextCell(4);
  for (const QVector3D& corner : corners)
    quads.InsertCellPoint(points.InsertNextPoint(corner.x(), corner.y(), corner.z()));
}

/// Colours are data here: no lamp may change them.
void showFlat(vtkActor& actor) {
  actor.GetProperty()->LightingOff();
  actor.ForceOpaqueOn();
}

QColor mix(const QColor& a, const QColor& b) {
  return {(a.red() + b.red()) / 2, (a.green() + b.green()) / 2, (a.blue() + b.blue()) / 2};
}

struct Front {
  TextureGrid grid;
  vtkNew<vtkImageData> image;
  vtkNew<vtkActor> actor;

  explicit Front(const SlabPlace& place) : grid(place.rows, place.cols) {
    vtkNew<vtkPoints> points;
    vtkNew<vtkCellArray> quads;
    addQuad(*points, *quads, place.frontCorners());
    vtkNew<vtkFloatArray> texture_points;  // row 0 is the texture's first row and stands on top
    texture_points->SetNumberOfComponents(2);
    // VTK takes an image one pixel wide for one that lies on its side.
    const bool lying = grid.width() == 1;
    for (const auto& [s, t] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
      texture_points->InsertNextTuple2(lying ? t : s, lying ? s : t);
    vtkNew<vtkPolyData> quad;
    quad->SetPoints(points);
    quad->SetPolys(quads);
    quad->GetPointData()->SetTCoords(texture_points);
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputData(quad);

    image->SetDimensions(lying ? grid.height() : grid.width(), lying ? 1 : grid.height(), 1);
    image->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
    vtkNew<vtkTexture> texture;
    texture->SetInputData(image);
    texture->SetColorModeToDirectScalars();
    texture->RepeatOff();
    texture->EdgeClampOn();
    // A large matrix is sampled and not averaged: the mean of many weights would look like zero.
    texture->SetMipmap(grid.hasLines());
    texture->SetInterpolate(grid.hasLines());
    actor->SetMapper(mapper);
    actor->SetTexture(texture);
    showFlat(*actor);
  }

  std::span<Rgba> pixels() {
    return {static_cast<Rgba*>(image->GetScalarPointer()),
            static_cast<std::size_t>(grid.width()) * static_cast<std::size_t>(grid.height())};
  }
};

/// The four sides and the back of all slabs.
class Bodies {
 public:
  explicit Bodies(std::span<const SlabPlace> places) {
    vtkNew<vtkPoints> points;
    vtkNew<vtkCellArray> quads;
    for (const SlabPlace& place : places) {
      const Corners front = place.frontCorners();
      const QVector3D depth(0, 0, place.depth);
      for (std::size_t side = 0; side < 4; ++side) {
        const QVector3D &a = front[side], &b = front[(side + 1) % 4];
        addQuad(*points, *quads, {a, b, b - depth, a - depth});
      }
      addQuad(*points, *quads,
              {front[0] - depth, front[1] - depth, front[2] - depth, front[3] - depth});
    }
    mesh_->SetPoints(points);
    mesh_->SetPolys(quads);
    colours_->SetNumberOfComponents(3);
    colours_->SetNumberOfTuples(quads->GetNumberOfCells());
    mesh_->GetCellData()->SetScalars(colours_);
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputData(mesh_);
    actor_->SetMapper(mapper);
    showFlat(*actor_);
  }

  void setPalette(const Palette& palette) {
    // Top, right, bottom, left, back: as if lit from above.
    const std::array<QColor, 5> shades{mix(palette.line, palette.muted), palette.line,
                                       palette.line.darker(125), palette.line, palette.raised};
    for (vtkIdType i = 0; i < colours_->GetNumberOfTuples(); ++i) {
      const QColor& shade = shades[static_cast<std::size_t>(i % 5)];
      colours_->SetTuple3(i, shade.red(), shade.green(), shade.blue());
    }
    colours_->Modified();
    mesh_->Modified();
  }

  vtkActor* actor() { return actor_; }

 private:
  vtkNew<vtkPolyData> mesh_;
  vtkNew<vtkUnsignedCharArray> colours_;
  vtkNew<vtkActor> actor_;
};

}  // namespace

struct SlabScene::Parts {
  vtkRenderer& renderer;
  std::vector<std::unique_ptr<Front>> fronts;
  std::unique_ptr<Bodies> bodies;
  Rgba line{0, 0, 0, 255};
};

SlabScene::SlabScene(vtkRenderer& renderer) : parts_(new Parts{renderer, {}, nullptr}) {}

SlabScene::~SlabScene() = default;

void SlabScene::build(std::span<const SlabPlace> places, const Palette& palette) {
  parts_->renderer.RemoveAllViewProps();
  parts_->fronts.clear();
  for (const SlabPlace& place : places) {
    parts_->fronts.push_back(std::make_unique<Front>(place));
    parts_->renderer.AddActor(parts_->fronts.back()->actor);
  }
  parts_->bodies = std::make_unique<Bodies>(places);
  parts_->renderer.AddActor(parts_->bodies->actor());
  setPalette(palette);
}

void SlabScene::recolour(int index, const MatrixSlab& slab, const ColourScale& scale) {
  Front& front = *parts_->fronts[static_cast<std::size_t>(index)];
  paintTexture(slab, front.grid, scale, parts_->line, front.pixels());
  front.image->Modified();
}

void SlabScene::setPalette(const Palette& palette) {
  const QColor& ground = palette.ground;
  parts_->renderer.SetBackground(ground.redF(), ground.greenF(), ground.blueF());
  parts_->line = {static_cast<std::uint8_t>(ground.red()),
                  static_cast<std::uint8_t>(ground.green()),
                  static_cast<std::uint8_t>(ground.blue()), 255};
  if (parts_->bodies) parts_->bodies->setPalette(palette);
}

}  // namespace tfm::ui
