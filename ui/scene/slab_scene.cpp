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

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/check.h"
#include "ui/scene/mark_texture.h"
#include "ui/scene/slab_texture.h"
#include "ui/style/oklab.h"
#include "ui/style/palette.h"

namespace tfm::ui {
namespace {

using Corners = std::array<QVector3D, 4>;

void addQuad(vtkPoints& points, vtkCellArray& quads, const Corners& corners) {
  quads.InsertNextCell(4);
  for (const QVector3D& corner : corners)
    quads.InsertCellPoint(points.InsertNextPoint(corner.x(), corner.y(), corner.z()));
}

/// Colours are data, so there is no lighting. Actors are drawn in order; opacity blends with what
/// was drawn before.
void showFlat(vtkActor& actor) {
  actor.GetProperty()->LightingOff();
  actor.ForceOpaqueOn();
}

/// Quads of one slab that share its texture.
struct Quads {
  bool fresh;
  vtkNew<vtkPoints> points;
  vtkNew<vtkActor> actor;

  Quads(const SlabFace& face, bool fresh, bool lying, vtkTexture* texture) : fresh(fresh) {
    vtkNew<vtkCellArray> quads;
    vtkNew<vtkFloatArray> texture_points;  // row 0 is the texture's first row, at the top
    texture_points->SetNumberOfComponents(2);
    for (const SlabBlock& block : face.blocks) {
      if (block.fresh != fresh) continue;
      addQuad(*points, *quads, block.corners);
      const double left = double(block.col) / face.cols, top = double(block.row) / face.rows;
      const double right = double(block.col + block.cols) / face.cols;
      const double bottom = double(block.row + block.rows) / face.rows;
      for (const auto& [s, t] :
           {std::pair{left, top}, {right, top}, {right, bottom}, {left, bottom}})
        texture_points->InsertNextTuple2(lying ? t : s, lying ? s : t);
    }
    vtkNew<vtkPolyData> mesh;
    mesh->SetPoints(points);
    mesh->SetPolys(quads);
    mesh->GetPointData()->SetTCoords(texture_points);
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputData(mesh);
    actor->SetMapper(mapper);
    actor->SetTexture(texture);
    showFlat(*actor);
  }

  void move(const SlabFace& face) {
    vtkIdType at = 0;
    for (const SlabBlock& block : face.blocks) {
      if (block.fresh != fresh) continue;
      for (const QVector3D& corner : block.corners)
        points->SetPoint(at++, corner.x(), corner.y(), corner.z());
    }
    points->Modified();
  }
};

struct Front {
  TextureGrid grid;
  vtkNew<vtkImageData> image;
  std::vector<std::unique_ptr<Quads>> parts;

  explicit Front(const SlabFace& face) : grid(face.rows, face.cols) {
    // VTK mistakes an image one pixel wide for a transposed one.
    const bool lying = grid.width() == 1;
    image->SetDimensions(lying ? grid.height() : grid.width(), lying ? 1 : grid.height(), 1);
    image->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
    vtkNew<vtkTexture> texture;
    texture->SetInputData(image);
    texture->SetColorModeToDirectScalars();
    texture->RepeatOff();
    texture->EdgeClampOn();
    // A large matrix is sampled, not averaged: the mean of many weights would look like zero.
    texture->SetMipmap(grid.hasLines());
    texture->SetInterpolate(grid.hasLines());
    for (const bool fresh : {false, true})
      if (std::ranges::any_of(face.blocks,
                              [fresh](const SlabBlock& block) { return block.fresh == fresh; }))
        parts.push_back(std::make_unique<Quads>(face, fresh, lying, texture));
  }

  std::span<QRgb> pixels() {
    return {static_cast<QRgb*>(image->GetScalarPointer()),
            std::size_t(grid.width()) * std::size_t(grid.height())};
  }
};

/// The four sides and the back of all slabs.
class Bodies {
 public:
  explicit Bodies(std::span<const SlabFace> faces) {
    vtkNew<vtkCellArray> quads;
    for (const SlabFace& face : faces)
      for (const Corners& side : sides(face)) addQuad(*points_, *quads, side);
    mesh_->SetPoints(points_);
    mesh_->SetPolys(quads);
    colours_->SetNumberOfComponents(3);
    colours_->SetNumberOfTuples(quads->GetNumberOfCells());
    mesh_->GetCellData()->SetScalars(colours_);
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputData(mesh_);
    actor_->SetMapper(mapper);
    showFlat(*actor_);
  }

  void move(std::span<const SlabFace> faces) {
    vtkIdType at = 0;
    for (const SlabFace& face : faces)
      for (const Corners& side : sides(face))
        for (const QVector3D& corner : side)
          points_->SetPoint(at++, corner.x(), corner.y(), corner.z());
    points_->Modified();
  }

  void setPalette(const Palette& palette) {
    // Top, right, bottom, left, back: as if lit from above.
    const std::array<QColor, 5> shades{mixOklab(palette.line, palette.muted, 0.5), palette.line,
                                       palette.line.darker(125), palette.line, palette.raised};
    for (vtkIdType i = 0; i < colours_->GetNumberOfTuples(); ++i) {
      const QColor& shade = shades[std::size_t(i % 5)];
      colours_->SetTuple3(i, shade.red(), shade.green(), shade.blue());
    }
    colours_->Modified();
    mesh_->Modified();
  }

  vtkActor* actor() { return actor_; }

 private:
  static std::array<Corners, 5> sides(const SlabFace& face) {
    const QVector3D right(face.width, 0, 0), down(0, -face.height, 0), depth(0, 0, face.depth);
    const Corners front{face.corner, face.corner + right, face.corner + right + down,
                        face.corner + down};
    std::array<Corners, 5> result;
    for (std::size_t side = 0; side < 4; ++side) {
      const QVector3D &a = front[side], &b = front[(side + 1) % 4];
      result[side] = {a, b, b - depth, a - depth};
      result[4][side] = front[side] - depth;
    }
    return result;
  }

  vtkNew<vtkPoints> points_;
  vtkNew<vtkPolyData> mesh_;
  vtkNew<vtkUnsignedCharArray> colours_;
  vtkNew<vtkActor> actor_;
};

}  // namespace

struct SlabScene::Parts {
  vtkRenderer& renderer;
  std::vector<std::unique_ptr<Front>> fronts;
  std::unique_ptr<Bodies> bodies;
  QRgb line = 0;  ///< in OpenGL's byte order
};

SlabScene::SlabScene(vtkRenderer& renderer) : parts_(new Parts{renderer, {}, nullptr}) {}

SlabScene::~SlabScene() = default;

void SlabScene::build(std::span<const SlabFace> faces, const Palette& palette) {
  parts_->renderer.RemoveAllViewProps();
  parts_->fronts.clear();
  for (const SlabFace& face : faces) parts_->fronts.push_back(std::make_unique<Front>(face));
  parts_->bodies = std::make_unique<Bodies>(faces);
  parts_->renderer.AddActor(parts_->bodies->actor());
  // What fades in is drawn last, over what it hides: VTK's translucent pass sorts every pixel and
  // takes twice as long as everything else.
  for (const bool fresh : {false, true})
    for (const auto& front : parts_->fronts)
      for (const auto& part : front->parts)
        if (part->fresh == fresh) parts_->renderer.AddActor(part->actor);
  setPalette(palette);
}

void SlabScene::move(std::span<const SlabFace> faces, float opacity) {
  check(faces.size() == parts_->fronts.size(), "as many faces as were built");
  for (std::size_t i = 0; i < faces.size(); ++i) {
    for (const auto& part : parts_->fronts[i]->parts) {
      part->move(faces[i]);
      if (!part->fresh) continue;
      part->actor->SetVisibility(opacity > 0);
      part->actor->GetProperty()->SetOpacity(opacity);
    }
  }
  parts_->bodies->move(faces);
}

void SlabScene::recolour(int index, const SlabPaint& paint) {
  Front& front = *parts_->fronts[std::size_t(index)];
  paintTexture(paint.values, front.grid, paint.colors, parts_->line, front.pixels());
  if (paint.growth)
    paintMarks(*paint.growth, paint.values, front.grid, paint.palette, front.pixels());
  if (paint.inside)
    fadeOutside(paint.inside->height(), paint.inside->width(), front.grid, parts_->line,
                front.pixels());
  front.image->Modified();
}

void SlabScene::setPalette(const Palette& palette) {
  const QColor& ground = palette.ground;
  parts_->renderer.SetBackground(ground.redF(), ground.greenF(), ground.blueF());
  parts_->line = glPixel(ground.rgb());
  if (parts_->bodies) parts_->bodies->setPalette(palette);
}

}  // namespace tfm::ui
