// SPDX-License-Identifier: GPL-3.0-or-later
// What makes a report's figures answer to the pointer: a map's cell says its number, heads and
// layers can be switched, a curve says its points. Everything is drawn from the numbers in the page.
"use strict";
(() => {
  const report = JSON.parse(document.getElementById("report").textContent);
  const kRamp = [[255, 255, 255], [203, 219, 246], [126, 166, 226], [52, 106, 186], [12, 44, 105]];

  const element = (name, inside, text) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (inside) inside.append(made);
    return made;
  };
  const label = (labels, at) => (labels.length > at ? `“${labels[at]}”` : String(at + 1));
  const short = (value) => (value === null ? "none" : String(Number(value.toPrecision(4))));

  /** A colour for 0 to 1; below 0 in the other hue. */
  const colour = (share) => {
    const at = Math.min(1, Math.abs(share)) * (kRamp.length - 1);
    const low = Math.min(kRamp.length - 2, Math.floor(at));
    const mixed = kRamp[low].map((c, i) => Math.round(c + (kRamp[low + 1][i] - c) * (at - low)));
    if (share < 0) mixed.reverse();
    return `rgb(${mixed})`;
  };

  const option = (parent, text, values, chosen, changed) => {
    if (values.length < 2) return;
    const select = element("select", element("label", parent, text + " "));
    values.forEach((value, i) => {
      element("option", select, value).selected = i === chosen;
    });
    select.addEventListener("change", () => changed(select.selectedIndex));
  };

  /** One of several matrices, cell by cell. */
  function showMaps(box, item) {
    const blocks = item.numbers;
    const shown = /^(.*?)(?:\[(\d+)\])?$/.exec(item.source.shown);
    const state = {
      block: Math.max(0, blocks.findIndex((block) => block.name === shown[1])),
      head: Number(shown[2] || 0),
      cell: null,
    };
    const heads = () => (blocks[state.block].shape.length === 3 ? blocks[state.block].shape[0] : 1);
    const controls = element("div", box);
    const canvas = element("canvas", box);
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    const says = element("output", box);
    const size = () => blocks[state.block].shape.slice(-2);
    const at = (row, col) => {
      const [rows, cols] = size();
      return blocks[state.block].values[(state.head * rows + row) * cols + col];
    };

    const paint = () => {
      const block = blocks[state.block];
      const [rows, cols] = size();
      const cell = Math.max(2, Math.min(36, Math.floor(640 / Math.max(rows, cols, 1))));
      const words = cell >= 12;
      const left = words && block.rows.length ? 110 : 8;
      const top = words && block.cols.length ? 26 : 8;
      canvas.width = left + cols * cell + 8;
      canvas.height = top + rows * cell + 8;
      const painter = canvas.getContext("2d");
      painter.fillStyle = "#fff";
      painter.fillRect(0, 0, canvas.width, canvas.height);
      const own = block.values.slice(state.head * rows * cols, (state.head + 1) * rows * cols);
      const most = own.reduce((most, value) => Math.max(most, Math.abs(value || 0)), 1e-30);
      for (let row = 0; row < rows; ++row)
        for (let col = 0; col < cols; ++col) {
          const value = at(row, col);
          painter.fillStyle = value === null ? "#e8e8ec" : colour(value / most);
          painter.fillRect(left + col * cell, top + row * cell, cell - (cell > 4), cell - (cell > 4));
        }
      painter.fillStyle = "#1c2430";
      painter.font = "13px sans-serif";
      painter.textBaseline = "middle";
      painter.textAlign = "right";
      if (left > 8)
        block.rows.forEach((text, row) =>
          painter.fillText(text, left - 6, top + (row + 0.5) * cell, left - 12));
      painter.textAlign = "center";
      if (top > 8)
        block.cols.forEach((text, col) =>
          painter.fillText(text, left + (col + 0.5) * cell, top / 2, cell * 1.4));
      if (state.cell) {
        const [row, col] = state.cell;
        painter.strokeStyle = "#6a3fd0";
        painter.lineWidth = 3;
        painter.strokeRect(left + col * cell, top + row * cell, cell, cell);
        says.textContent =
          `${label(block.rows, row)} looks at ${label(block.cols, col)}: ${short(at(row, col))}`;
        if (block.shape.length === 2)
          says.textContent =
            `row ${label(block.rows, row)}, column ${label(block.cols, col)}: ${short(at(row, col))}`;
      } else says.textContent = "Point at a cell, or use the arrow keys.";
      canvas.setAttribute("aria-label", says.textContent);
      canvas.cellAt = (x, y) => {
        const col = Math.floor((x - left) / cell), row = Math.floor((y - top) / cell);
        return row >= 0 && row < rows && col >= 0 && col < cols ? [row, col] : null;
      };
    };
    canvas.addEventListener("pointermove", (event) => {
      const scale = canvas.width / canvas.clientWidth;
      state.cell = canvas.cellAt(event.offsetX * scale, event.offsetY * scale);
      paint();
    });
    canvas.addEventListener("keydown", (event) => {
      const move = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
      if (!(event.key in move)) return;
      event.preventDefault();
      const [rows, cols] = size();
      const [row, col] = state.cell || [0, 0];
      const [down, right] = state.cell ? move[event.key] : [0, 0];
      state.cell = [Math.min(rows - 1, Math.max(0, row + down)),
                    Math.min(cols - 1, Math.max(0, col + right))];
      paint();
    });
    const fill = () => {
      controls.replaceChildren();
      option(controls, "Tensor", blocks.map((block) => block.name), state.block, (chosen) => {
        state.block = chosen;
        state.head = Math.min(state.head, heads() - 1);
        state.cell = null;
        fill();
      });
      option(controls, "Head", Array.from({length: heads()}, (_, head) => String(head + 1)),
             state.head, (chosen) => {
               state.head = chosen;
               paint();
             });
      paint();
    };
    fill();
  }

  /** A measure over the steps. */
  function showCurves(box, item) {
    const blocks = item.numbers.filter((block) => block.cols[0] === "step" && block.shape[0] > 0);
    if (blocks.length === 0) return box.remove();
    const state = {column: 1, at: null};
    const controls = element("div", box);
    const canvas = element("canvas", box);
    const says = element("output", box);
    canvas.width = 720;
    canvas.height = 320;
    const kLeft = 60, kTop = 12, kWidth = 640, kHeight = 270;
    const points = (block) =>
      Array.from({length: block.shape[0]}, (_, row) =>
        [block.values[row * block.shape[1]], block.values[row * block.shape[1] + state.column]]);
    const paint = () => {
      const all = blocks.map(points);
      const flat = all.flat().filter((point) => point[1] !== null);
      const last = Math.max(...flat.map((point) => point[0]), 1);
      const most = Math.max(...flat.map((point) => point[1]), 1e-30);
      const place = ([step, value]) =>
        [kLeft + (kWidth * step) / last, kTop + kHeight * (1 - value / most)];
      const painter = canvas.getContext("2d");
      painter.fillStyle = "#fff";
      painter.fillRect(0, 0, canvas.width, canvas.height);
      painter.font = "13px sans-serif";
      painter.fillStyle = painter.strokeStyle = "#1c2430";
      painter.strokeRect(kLeft, kTop, kWidth, kHeight);
      painter.textAlign = "right";
      painter.fillText(short(most), kLeft - 6, kTop + 10);
      painter.fillText("0", kLeft - 6, kTop + kHeight);
      painter.fillText("step " + last, kLeft + kWidth, kTop + kHeight + 18);
      all.forEach((curve, i) => {
        painter.strokeStyle = ["#346aba", "#b3541e"][i % 2];
        painter.setLineDash(i % 2 ? [6, 3] : []);
        painter.lineWidth = 2;
        painter.beginPath();
        curve.forEach((point, k) => painter[k ? "lineTo" : "moveTo"](...place(point)));
        painter.stroke();
      });
      painter.setLineDash([]);
      if (state.at === null) return void (says.textContent = "Point at a step.");
      const near = all.map((curve) =>
        curve.reduce((best, point) =>
          Math.abs(point[0] - state.at) < Math.abs(best[0] - state.at) ? point : best));
      painter.fillStyle = "#6a3fd0";
      for (const point of near) {
        const [x, y] = place(point);
        painter.fillRect(x - 4, y - 4, 8, 8);
      }
      says.textContent = near
        .map((point, i) => `${blocks[i].name} at step ${point[0]}: ${short(point[1])}`)
        .join("; ");
    };
    canvas.addEventListener("pointermove", (event) => {
      const last = Math.max(...blocks.flatMap(points).map((point) => point[0]), 1);
      const x = (event.offsetX * canvas.width) / canvas.clientWidth;
      state.at = Math.min(last, Math.max(0, ((x - kLeft) / kWidth) * last));
      paint();
    });
    option(controls, "Measure", blocks[0].cols.slice(1), 0, (chosen) => {
      state.column = chosen + 1;
      paint();
    });
    paint();
  }

  /** The terms of a number, the largest first. */
  function showTerms(box, item) {
    const [number, terms] = item.numbers;
    element("output", box, `${number.name} = ${short(number.values[0])}, the sum of:`);
    const table = element("table", element("div", box));
    table.parentNode.className = "rows";
    terms.values.slice(0, 50).forEach((value, i) => {
      const row = element("tr", table);
      element("td", row, terms.rows[i]);
      element("td", row, short(value));
    });
    if (terms.values.length > 50) element("p", box, `and ${terms.values.length - 50} more`);
  }

  const kShow = {tensors: showMaps, history: showCurves, explanation: showTerms};

  report.items.forEach((item, i) => {
    const figure = document.getElementById(`figure-${i + 1}`);
    if (item.numbers.length > 0 && item.source.kind in kShow) {
      const box = element("div");
      box.className = "look";
      figure.querySelector("img").after(box);
      kShow[item.source.kind](box, item);
    }
    if (item.table.rows.length === 0) return;
    const data = element("details", figure);
    element("summary", data, `Data, ${item.table.rows.length} rows`);
    data.addEventListener("toggle", () => {
      if (data.children.length > 1) return;
      const box = element("div", data);
      box.className = "rows";
      const table = element("table", box);
      const head = element("tr", table);
      item.table.columns.forEach((name) => element("th", head, name));
      item.table.rows.forEach((fields) => {
        const row = element("tr", table);
        fields.forEach((field) => element("td", row, field));
      });
    });
  });

  document.querySelectorAll(".model").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => {
      const bytes = Uint8Array.from(atob(report.models[button.value]), (c) => c.charCodeAt(0));
      const link = element("a");
      link.href = URL.createObjectURL(new Blob([bytes], {type: "application/octet-stream"}));
      link.download = `model-${Number(button.value) + 1}.safetensors`;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  });
})();
