// A map on a canvas, with a probe that follows the pointer and the arrow keys.
import {indexIn} from "../numbers.js";
import {colourAt, enlargement, styled} from "./colours.js";
import {MapFrame} from "./map_frame.js";

/// The cell of a view that holds a place {r, depth}; null for none.
export function cellOf({r, z}, place) {
  const row = indexIn(z, z[0] + place.depth), column = place.r < r[0] ? 0 : indexIn(r, place.r);
  return row < 0 || column < 0 ? null : {row, column};
}

const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

export class FieldMap {
  /// probed({r, depth} of the middle of a cell, or null) follows pointer and keys.
  constructor(canvas, probed) {
    Object.assign(this, {canvas, probed, drawn: document.createElement("canvas")});
    const at = event => {
      const box = canvas.getBoundingClientRect(), scale = enlargement();
      return this.placeAt((event.clientX - box.left) / scale, (event.clientY - box.top) / scale);
    };
    for (const kind of ["pointermove", "pointerdown"]) canvas.addEventListener(kind, event => probed(at(event)));
    canvas.addEventListener("pointerleave", () => probed(null));
    canvas.addEventListener("keydown", event => this.key(event));
    new ResizeObserver(() => this.draw()).observe(canvas);
  }
  key(event) {
    const step = steps[event.key];
    if (!step || !this.view) return;
    event.preventDefault();
    const {values, r} = this.view, {row, column} = this.cell ?? {row: 0, column: -1};
    const rows = values.filter(each => each.some(value => value != null)).length;
    this.probed(this.middleOf({row: Math.min(Math.max(row + step[1], 0), rows - 1), column: Math.min(Math.max(column + step[0], 0), r.length - 2)}));
  }
  middleOf({row, column}) {
    const {r, z} = this.view;
    return {r: (r[column] + r[column + 1]) / 2, depth: (z[row] + z[row + 1]) / 2 - z[0]};
  }
  placeAt(x, y) {
    const {view, frame} = this;
    if (!view || !frame || x < frame.left || x >= frame.left + frame.width || y < frame.top || y >= frame.bottom) return null;
    const cell = cellOf(view, {r: frame.radiusAt(x), depth: frame.depthAt(y)});
    return cell && this.middleOf(cell);
  }
  show(view) { this.view = view; this.draw(); }
  clear() {
    this.view = this.frame = null;
    this.canvas.getContext("2d").reset();
  }
  draw() {
    const {canvas, view, drawn} = this;
    const scale = enlargement(), width = canvas.clientWidth / scale, height = canvas.clientHeight / scale, ratio = scale * (window.devicePixelRatio || 1);
    if (!view || width < 180) return;
    this.ratio = ratio;
    for (const each of [canvas, drawn]) Object.assign(each, {width: Math.round(width * ratio), height: Math.round(height * ratio)});
    const frame = this.frame = new MapFrame(view, width, height), context = drawn.getContext("2d"), idle = styled("--line");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const cell of frame.cells(place => Math.round(place * ratio) / ratio)) {
      if (cell.width <= 0) continue;
      context.fillStyle = cell.value == null ? idle : colourAt(frame.share(cell.value));
      context.fillRect(cell.x, cell.y, cell.width, cell.height);
    }
    const ink = styled("--faint");
    context.font = "12px system-ui, sans-serif";
    frame.annotate({
      rect(x, y, w, h, colour = ink) { context.fillStyle = colour; context.fillRect(x, y, w, h); },
      text(x, y, text, anchor, isUpright) {
        context.save();
        context.translate(x, y);
        if (isUpright) context.rotate(-Math.PI / 2);
        Object.assign(context, {fillStyle: ink, textAlign: {middle: "center", start: "left", end: "right"}[anchor]});
        context.fillText(text, 0, 0);
        context.restore();
      }});
    this.mark(this.place);
  }
  /// Shows the map with the cell marked that holds a place, or without.
  mark(place) {
    this.place = place;
    const {canvas, view, frame} = this, context = canvas.getContext("2d");
    if (!view || !frame) return;
    const cell = this.cell = place && cellOf(view, place);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.drawn, 0, 0);
    if (!cell || view.r[cell.column] >= view.radius || view.z[cell.row] - view.z[0] >= view.depth) return;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    const x = cell.column === 0 ? frame.left : frame.x(view.r[cell.column]), y = frame.y(view.z[cell.row] - view.z[0]);
    const end = Math.min(frame.x(view.r[cell.column + 1]), frame.left + frame.width), bottom = frame.y(view.z[cell.row + 1] - view.z[0]);
    const box = [x, y, Math.max(3, end - x), Math.max(3, bottom - y)];
    for (const [colour, width] of [["#000", 3], ["#fff", 1.5]]) {
      Object.assign(context, {strokeStyle: colour, lineWidth: width});
      context.strokeRect(...box);
    }
  }
}
