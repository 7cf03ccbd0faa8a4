// Where cells, axes and the colour bar of a map over radius and depth lie; canvas and SVG draw the same.
import {logTicks, shown, ticks, unitText} from "../numbers.js";
import {colourAt} from "./colours.js";

const left = 52, top = 10, right = 84, bottom = 40;

/// A view has values [row][column] with null in inactive cells, r and z (edges), depth, first and radius (ends of the axis of radii),
/// isLog, isTrueScale, and scale {low, high, label, unit, isLog}.
export class MapFrame {
  constructor(view, width, height) {
    Object.assign(this, {view, left, top, width: width - left - right, height: height - top - bottom});
    if (view.isTrueScale) this.height = Math.max(2, Math.min(this.height, this.width * view.depth / view.radius));
  }
  get bottom() { return this.top + this.height; }
  share(value) {
    const {low, high, isLog} = this.view.scale, to = isLog ? Math.log : x => x;
    return (to(value) - to(low)) / (to(high) - to(low) || 1);
  }
  x(r) {
    const {isLog, first, radius} = this.view;
    return this.left + this.width * (isLog ? Math.log(Math.max(r, first) / first) / Math.log(radius / first) : r / radius);
  }
  y(depth) { return this.top + this.height * depth / this.view.depth; }
  radiusAt(x) {
    const {isLog, first, radius} = this.view, share = (x - this.left) / this.width;
    return isLog ? first * (radius / first) ** share : share * radius;
  }
  depthAt(y) { return (y - this.top) / this.height * this.view.depth; }
  /// {x, y, width, height, value} of each cell within the frame; the innermost ring reaches to the axis.
  *cells(round = place => place) {
    const {values, r, z, radius, depth} = this.view;
    for (let row = 0; row < values.length && z[row] - z[0] < depth; ++row) {
      const y = round(this.y(z[row] - z[0])), end = round(Math.min(this.y(z[row + 1] - z[0]), this.bottom));
      for (let column = 0; column < r.length - 1 && r[column] < radius; ++column) {
        const x = column === 0 ? round(this.left) : round(this.x(r[column]));
        yield {x, y, width: round(Math.min(this.x(r[column + 1]), this.left + this.width)) - x, height: end - y, value: values[row][column]};
      }
    }
  }
  /// Lines and texts of the axes and the colour bar, by a pen with rect(x, y, width, height, colour?) and
  /// text(x, y, text, anchor, isUpright?).
  annotate(pen) {
    const {view} = this, end = this.left + this.width;
    const radii = view.isLog ? logTicks(view.first, view.radius) : ticks(0, view.radius, Math.max(3, Math.min(8, this.width / 90)));
    for (const r of radii) {
      pen.rect(this.x(r), this.bottom, 1, 5);
      pen.text(this.x(r), this.bottom + 18, r >= 1000 ? `${Number((r / 1000).toPrecision(3))} km` : `${Number(r.toPrecision(3))} m`, "middle");
    }
    pen.text(this.left + this.width / 2, this.bottom + 34, "radius", "middle");
    for (const depth of this.height < 28 ? [view.depth] : ticks(0, view.depth, Math.min(5, this.height / 28))) {
      pen.rect(this.left - 5, this.y(depth), 5, 1);
      pen.text(this.left - 8, this.y(depth) + 4, String(depth), "end");
    }
    if (this.height > 70) pen.text(12, this.top + this.height / 2, "depth [m]", "middle", true);
    this.colourBar(pen, end + 14);
  }
  colourBar(pen, x) {
    const {low, high, unit, isLog} = this.view.scale, height = Math.max(this.height, 60), step = height / 64;
    for (let i = 0; i < 64; ++i) pen.rect(x, this.top + i * step, 12, step + 0.5, colourAt(1 - (i + 0.5) / 64));
    const marks = isLog ? logTicks(low, high) : ticks(low, high, Math.max(2, Math.min(5, height / 30)));
    for (const value of marks) {
      const y = this.top + height * (1 - this.share(value));
      pen.rect(x + 12, y, 3, 1);
      pen.text(x + 18, y + 4, shown(value), "start");
    }
    pen.text(x, this.top + height + 18, unit === "1" ? "share" : unitText(unit), "start");
  }
}
