// Painting of cells with a brush, by pointer or keys. Columns are equally wide, so that the small rings at the well can be met.
import {at, options} from "../dom.js";
import {logTicks, shown, withUnit} from "../numbers.js";
import {rockMap} from "../scenario/scenario.js";
import {colourAt, enlargement, styled} from "../results/colours.js";
import {properties} from "./laws.js";

const left = 46, top = 6, bottom = 34;
const steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};

export class Painting {
  /// changed() follows each change of the data.
  constructor(changed) {
    Object.assign(this, {changed, name: "permeability", cell: {row: 0, column: 0}, undone: [], done: []});
    this.canvas = at("brush");
    at("painted-property").replaceChildren(...options(Object.entries(properties).map(([name, {title}]) => [name, title])));
    at("painted-property").onchange = () => this.open(at("painted-property").value);
    at("close-painting").onclick = () => this.close();
    at("undo").onclick = () => this.swap(this.done, this.undone);
    at("redo").onclick = () => this.swap(this.undone, this.done);
    at("clear-painting").onclick = () => this.commit([]);
    this.canvas.addEventListener("pointerdown", event => this.press(event));
    this.canvas.addEventListener("pointermove", event => this.move(event));
    this.canvas.addEventListener("pointerup", () => this.release());
    this.canvas.addEventListener("pointercancel", () => this.release());
    this.canvas.addEventListener("keydown", event => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }
  get isOpen() { return !at("painting").hidden; }
  get rock() { return this.data.rock[this.name]; }
  get size() { return Number(at("brush-size").value); }
  get value() { return Number(at("brush-value").value); }
  /// The scenario that is painted.
  take(data, inputs) {
    if (data !== this.data) Object.assign(this, {done: [], undone: []});
    Object.assign(this, {data, inputs});
    if (!data) at("painting").hidden = true;
    if (this.isOpen) this.refresh();
  }
  open(name) {
    if (name !== this.name) Object.assign(this, {done: [], undone: []});
    this.name = at("painted-property").value = name;
    at("brush-value").value = name === "permeability" ? 1 : 0.1;
    at("brush-unit").textContent = properties[name].unit;
    at("painting").hidden = false;
    this.refresh();
    this.canvas.focus();
  }
  close() {
    at("painting").hidden = true;
    at(this.name + "-paint").focus();
  }
  refresh() {
    this.map = rockMap(this.data, this.inputs, this.name);
    at("undo").disabled = !this.done.length;
    at("redo").disabled = !this.undone.length;
    at("clear-painting").disabled = !this.rock.painted?.length;
    this.draw();
  }
  set painted(cells) {
    if (cells.length) this.rock.painted = cells; else delete this.rock.painted;
    this.refresh();
    this.changed();
  }
  commit(cells, before = this.rock.painted ?? []) {
    this.done.push(before);
    this.undone = [];
    this.painted = cells;
  }
  swap(from, to) {
    if (!from.length) return;
    to.push(this.rock.painted ?? []);
    this.painted = from.pop();
  }
  /// The painted cells with the brush drawn from one cell to another.
  stroke(from, to) {
    const cells = new Map((this.rock.painted ?? []).map(cell => [`${cell[0]} ${cell[1]}`, cell]));
    const count = Math.max(1, Math.abs(to.row - from.row), Math.abs(to.column - from.column));
    const between = (a, b, i) => Math.round(a + i / count * (b - a));
    for (let i = 0; i <= count; ++i) this.dab(cells, {row: between(from.row, to.row, i), column: between(from.column, to.column, i)});
    return [...cells.values()];
  }
  isCell(row, column) { return row >= 0 && row < this.map.length && column >= 0 && column < this.map[0].length; }
  dab(cells, {row, column}) {
    const reach = (this.size - 1) / 2, {value} = this;
    for (let z = row - reach; z <= row + reach; ++z) {
      for (let r = column - reach; r <= column + reach; ++r) if (this.isCell(z, r)) cells.set(`${z} ${r}`, [z, r, value]);
    }
  }
  cellAt(event) {
    const box = this.canvas.getBoundingClientRect(), {width, height} = this.frame, scale = enlargement();
    const row = Math.floor(((event.clientY - box.top) / scale - top) / height * this.map.length);
    const column = Math.floor(((event.clientX - box.left) / scale - left) / width * this.map[0].length);
    return this.isCell(row, column) ? {row, column} : null;
  }
  press(event) {
    const cell = this.cellAt(event);
    if (!cell || !this.isValue()) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.before = this.rock.painted ?? [];
    this.paintTo(cell, cell);
  }
  move(event) {
    const cell = this.cellAt(event);
    if (!cell || (cell.row === this.cell.row && cell.column === this.cell.column)) return;
    if (this.before) this.paintTo(cell); else this.point(cell);
  }
  paintTo(cell, from = this.cell) {
    this.painted = this.stroke(from, cell);
    this.cell = cell;
    this.tell();
  }
  release() {
    if (!this.before) return;
    this.done.push(this.before);
    this.undone = [];
    this.before = undefined;
    this.refresh();
  }
  point(cell) {
    this.cell = cell;
    this.draw();
    this.tell();
  }
  isValue() {
    const {low, high} = this.inputs.admissible(properties[this.name].input);
    const is = at("brush-value").value !== "" && this.value >= low && this.value <= high;
    if (!is) at("brush-cell").textContent = `The brush has no value that is admissible (${shown(low)} to ${shown(high)}).`;
    return is;
  }
  key(event) {
    const step = steps[event.key], isControl = event.ctrlKey || event.metaKey;
    if (step) this.moveBy(...step);
    else if (event.key === " " || event.key === "Enter") this.dabHere();
    else if (isControl && event.key === "z") this.swap(this.done, this.undone);
    else if (isControl && (event.key === "Z" || event.key === "y")) this.swap(this.undone, this.done);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
  }
  moveBy(rows, columns) {
    const {cell, map} = this, within = (value, count) => Math.min(Math.max(value, 0), count - 1);
    this.point({row: within(cell.row + rows, map.length), column: within(cell.column + columns, map[0].length)});
  }
  dabHere() {
    if (!this.isValue()) return;
    this.commit(this.stroke(this.cell, this.cell));
    this.tell();
  }
  tell() {
    const {row, column} = this.cell, {r_edges: r, z_edges: z} = this.inputs.model.grid, {unit, title} = properties[this.name];
    const place = `Radius ${shown(r[column])} to ${shown(r[column + 1])} m, depth ${shown(z[row] - z[0])} to ${shown(z[row + 1] - z[0])} m`;
    at("brush-cell").textContent = `${place}: ${title.toLowerCase()} ${withUnit(this.map[row][column], unit)}`;
  }
  draw() {
    const {canvas, map} = this, scale = enlargement(), ratio = scale * (window.devicePixelRatio || 1);
    const width = canvas.clientWidth / scale, height = canvas.clientHeight / scale;
    if (!map || width < 150) return;
    Object.assign(canvas, {width: Math.round(width * ratio), height: Math.round(height * ratio)});
    const frame = this.frame = {width: width - left - 8, height: height - top - bottom}, context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const to = properties[this.name].isLog ? Math.log : x => x, all = map.flat().filter(value => value > 0).map(to);
    const low = Math.min(...all), high = Math.max(...all), w = frame.width / map[0].length, h = frame.height / map.length;
    map.forEach((row, z) => row.forEach((value, r) => {
      context.fillStyle = colourAt(high > low ? (to(value) - low) / (high - low) : 0.5);
      context.fillRect(left + r * w, top + z * h, w - 0.5, h - 0.5);
    }));
    this.annotate(context, w, h, `dark ${shown(Math.min(...map.flat()))}, light ${withUnit(Math.max(...map.flat()), properties[this.name].unit)}`);
    this.outline(context, w, h);
  }
  outline(context, w, h) {
    const reach = (this.size - 1) / 2, {map} = this;
    context.save();
    context.beginPath();
    context.rect(left - 2, top - 2, w * map[0].length + 4, h * map.length + 4);
    context.clip();
    for (const [colour, line] of [["#000", 3], ["#fff", 1.5]]) {
      Object.assign(context, {strokeStyle: colour, lineWidth: line});
      context.strokeRect(left + (this.cell.column - reach) * w, top + (this.cell.row - reach) * h, w * this.size, h * this.size);
    }
    context.restore();
  }
  annotate(context, w, h, colours) {
    const {r_edges: r, z_edges: z} = this.inputs.model.grid, {map} = this;
    Object.assign(context, {fillStyle: styled("--faint"), font: "12px system-ui, sans-serif", textAlign: "center"});
    for (const radius of logTicks(Math.max(r[0], r[1]), r.at(-1))) {
      const column = r.findIndex(edge => edge >= radius);
      const x = Math.min(left + column * w, left + w * map[0].length - 14), text = radius >= 1000 ? `${radius / 1000} km` : `${radius} m`;
      if (column >= 0) context.fillText(text, x, top + h * map.length + 16);
    }
    context.fillText(`radius (cells are equally wide; ${colours})`, left + w * map[0].length / 2, top + h * map.length + 31);
    context.textAlign = "right";
    const every = Math.max(1, Math.ceil(map.length / 5));
    for (let row = 0; row <= map.length; row += every) context.fillText(`${shown(z[row] - z[0])} m`, left - 5, top + row * h + 5);
  }
}
