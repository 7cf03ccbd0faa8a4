// Maps over radius and depth on a canvas, with axes, a colour bar and a probe.

// Viridis: lightness grows evenly, and eyes that see red and green alike tell the colours apart.
const stops = ["440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"]
  .map(hex => [0, 2, 4].map(i => parseInt(hex.slice(i, i + 2), 16)));

export function colourAt(share) {
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(place), stops.length - 2);
  return stops[i].map((from, c) => Math.round(from + (place - i) * (stops[i + 1][c] - from)));
}

export const shown = value => Math.abs(value) >= 1e4 || (value !== 0 && Math.abs(value) < 1e-2)
  ? value.toExponential(1) : String(Number(value.toPrecision(3)));

/// About so many round numbers between two ends.
export function ticks(low, high, count) {
  const raw = (high - low) / count || 1;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(n => n * unit).find(s => s >= raw);
  const list = [];
  for (let t = Math.ceil(low / step - 1e-9) * step; t <= high + 1e-9 * step; t += step) list.push(Number(t.toPrecision(10)));
  return list;
}

const indexIn = (edges, value) => {
  let low = 0, high = edges.length - 1;
  if (value < edges[0] || value >= edges[high]) return -1;
  while (high - low > 1) { const middle = (low + high) >> 1; if (edges[middle] <= value) low = middle; else high = middle; }
  return low;
};

export class FieldMap {
  constructor(canvas, told) {
    Object.assign(this, {canvas, told, cursor: null});
    const at = event => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    canvas.addEventListener("pointermove", event => this.probe(at(event)));
    canvas.addEventListener("pointerdown", event => this.probe(at(event)));
    canvas.addEventListener("pointerleave", () => this.probe(null));
    canvas.addEventListener("keydown", event => {
      const step = {ArrowLeft: [-6, 0], ArrowRight: [6, 0], ArrowUp: [0, -6], ArrowDown: [0, 6]}[event.key];
      if (!step || !this.frame) return;
      event.preventDefault();
      const from = this.cursor ?? [this.frame.left + 10, this.frame.top + 10];
      this.probe([from[0] + step[0], from[1] + step[1]]);
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }
  /// values [row][column] with null in inactive cells; scale {low, high, label, unit}; isLog of the radius up to radius.
  show(view) { this.view = view; this.draw(); }
  clear() {
    this.view = this.frame = null;
    this.canvas.getContext("2d").reset();
    this.told("");
  }
  radiusAt(x) {
    const {view, frame} = this, share = (x - frame.left) / frame.width;
    return view.isLog ? view.first * (view.radius / view.first) ** share : share * view.radius;
  }
  placeOf(r) {
    const {view, frame} = this;
    const share = view.isLog ? Math.log(r / view.first) / Math.log(view.radius / view.first) : r / view.radius;
    return frame.left + share * frame.width;
  }
  draw() {
    const {canvas, view} = this;
    const width = canvas.clientWidth, height = canvas.clientHeight, ratio = window.devicePixelRatio || 1;
    if (!view || width < 80) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const frame = this.frame = {left: 48, top: 8, width: width - 48 - 74, height: height - 8 - 38};
    const context = canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--faint"), idle = style.getPropertyValue("--line");
    this.paint(context, ratio, idle);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = context.strokeStyle = ink;
    context.font = "12px system-ui, sans-serif";
    this.axes(context);
    this.colourBar(context);
    if (this.cursor) this.probe(this.cursor, false);
  }
  paint(context, ratio, idle) {
    const {view, frame} = this;
    const w = Math.max(1, Math.round(frame.width * ratio)), h = Math.max(1, Math.round(frame.height * ratio));
    const image = context.createImageData(w, h);
    const columns = Array.from({length: w}, (_, x) => indexIn(view.r, this.radiusAt(frame.left + (x + 0.5) / ratio)));
    const none = (idle.match(/[0-9a-f]{2}/gi) ?? ["dd", "dd", "dd"]).map(part => parseInt(part, 16));
    for (let y = 0; y < h; ++y) {
      const row = view.values[indexIn(view.z, view.z[0] + (y + 0.5) / h * view.depth)];
      for (let x = 0; x < w; ++x) {
        const value = row?.[Math.max(columns[x], 0)];
        const colour = value == null ? none : colourAt((value - view.scale.low) / (view.scale.high - view.scale.low || 1));
        image.data.set([...colour, 255], 4 * (y * w + x));
      }
    }
    context.putImageData(image, Math.round(frame.left * ratio), Math.round(frame.top * ratio));
  }
  axes(context) {
    const {view, frame} = this, bottom = frame.top + frame.height;
    context.textAlign = "center";
    const radii = view.isLog ? [1, 10, 100, 1e3, 1e4, 1e5, 1e6].filter(r => r >= view.first && r <= view.radius)
      : ticks(0, view.radius, Math.max(3, frame.width / 110));
    for (const r of radii) {
      context.fillRect(this.placeOf(r), bottom, 1, 5);
      context.fillText(r >= 1000 ? `${Number((r / 1000).toPrecision(3))} km` : `${r} m`, this.placeOf(r), bottom + 18);
    }
    context.fillText("radius", frame.left + frame.width / 2, bottom + 33);
    context.textAlign = "right";
    for (const z of ticks(0, view.depth, 5)) {
      const y = frame.top + z / view.depth * frame.height;
      context.fillRect(frame.left - 5, y, 5, 1);
      context.fillText(String(z), frame.left - 8, y + 4);
    }
    context.save();
    context.translate(11, frame.top + frame.height / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = "center";
    context.fillText("depth [m]", 0, 0);
    context.restore();
  }
  colourBar(context) {
    const {frame, view: {scale}} = this, x = frame.left + frame.width + 14;
    for (let i = 0; i < frame.height; ++i) {
      context.fillStyle = `rgb(${colourAt(1 - i / frame.height)})`;
      context.fillRect(x, frame.top + i, 12, 1.5);
    }
    context.fillStyle = context.strokeStyle;
    context.textAlign = "left";
    for (const t of ticks(scale.low, scale.high, 5)) {
      const y = frame.top + frame.height * (1 - (t - scale.low) / (scale.high - scale.low || 1));
      context.fillText(shown(t), x + 16, y + 4);
    }
    context.textAlign = "right";
    context.fillText(scale.unit === "1" ? "share" : scale.unit, x + 58, frame.top + frame.height + 18);
  }
  probe(place, isNew = true) {
    const {view, frame} = this;
    if (isNew) this.cursor = place;
    if (!place || !frame || !view) return this.told("");
    const share = (place[1] - frame.top) / frame.height;
    const r = this.radiusAt(place[0]);
    const row = indexIn(view.z, view.z[0] + share * view.depth), column = Math.max(indexIn(view.r, r), 0);
    if (share < 0 || share >= 1 || r < 0 || r >= view.radius || row < 0) return this.told("");
    const value = view.values[row][column];
    const unit = view.scale.unit === "1" ? "" : " " + view.scale.unit;
    this.told(`radius ${shown(r)} m, depth ${shown(share * view.depth)} m: ${view.scale.label} ${value == null ? "none (not of the formation)" : shown(value) + unit}`);
  }
}
