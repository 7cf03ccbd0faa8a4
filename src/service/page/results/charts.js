// Series over time as SVG.
import {element} from "../dom.js";
import {days, shown, ticks} from "../numbers.js";
import {part} from "./svg.js";

const width = 380, height = 200, left = 50, right = 10, top = 8, bottom = 34;

/// Points of the values that there are, and of those of another list backwards; empty where there is none.
function outline(points, back = []) {
  const known = [...points, ...back.reverse()].filter(Boolean);
  return known.length ? "M" + known.join("L") + (back.length ? "Z" : "") : "";
}

/// Each line upon those before it.
function stack(lines) {
  const sums = lines[0].values.map(() => 0);
  return lines.map(line => {
    const low = [...sums];
    line.values.forEach((value, i) => { sums[i] += value ?? 0; });
    return {...line, values: [...sums], low, isArea: true};
  });
}

/// Where years and values of lines lie.
class Axes {
  constructor(lines, isFromZero) {
    const all = lines.flatMap(({values, high}) => [...values, ...(high ?? [])]).filter(value => value != null);
    const most = Math.max(1e-12, ...all), least = isFromZero ? Math.min(0, ...all) : Math.min(...all), margin = 0.04 * (most - least);
    Object.assign(this, {last: Math.max(...lines.map(({times}) => times.at(-1) / days)) || 1, high: most + margin, low: isFromZero ? least : least - margin});
  }
  x(year) { return left + year / this.last * (width - left - right); }
  y(value) { return height - bottom - (value - this.low) / (this.high - this.low) * (height - top - bottom); }
  yearAt(x) { return (x - left) / (width - left - right) * this.last; }
  points(values, times) { return values.map((value, i) => value == null ? null : `${this.x(times[i] / days).toFixed(1)},${this.y(value).toFixed(1)}`); }
  parts() {
    const level = t => [part("line", {class: "grid", x1: left, x2: width - right, y1: this.y(t), y2: this.y(t)}),
      part("text", {x: left - 6, y: this.y(t) + 4, "text-anchor": "end"}, shown(t))];
    const year = t => part("text", {x: this.x(t), y: height - bottom + 15, "text-anchor": "middle"}, String(t));
    return [...ticks(this.low, this.high, 4).flatMap(level), ...ticks(0, this.last, 6).map(year),
      part("text", {x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle"}, "years")];
  }
}

const classesOf = ({colour, dash = 0}) => `colour${colour} dash${dash}`;

/// A curve with its band, or the area between two curves.
function drawn(line, axes) {
  const {values, times, low, high, isArea} = line, points = list => axes.points(list, times);
  const shape = low && part("path", {class: `${isArea ? "area" : "band"} ${classesOf(line)}`, d: outline(points(isArea ? values : high), points(low))});
  const curve = !isArea && part("path", {class: `curve ${classesOf(line)}`, d: outline(points(values))});
  return [shape, curve].filter(Boolean);
}

function legend(line, isSwatch) {
  return element("span", {}, element("i", {class: classesOf(line) + (isSwatch ? " swatch" : "")}), line.label);
}

/// A figure of lines {label, times, values, low?, high?, colour, dash} with a mark at a day; chosen(day) is told of the time at which it
/// is clicked. With isStacked each line lies upon those before it, but for those that are `over` them.
export function chart({title, unit, lines, over = [], isStacked = false, isFromZero = true}, day, chosen) {
  const all = [...(isStacked ? stack(lines) : lines), ...over], axes = new Axes(all, isFromZero), named = [...lines, ...over];
  const ends = named.map(({label, values}) => `${label} ${shown(values.at(-1) ?? 0)} at the end`), now = axes.x(Math.min(day / days, axes.last));
  const svg = part("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title} [${unit}] over time: ${ends.join(", ")}`},
    ...axes.parts(), ...all.flatMap(line => drawn(line, axes)), part("line", {class: "now", x1: now, x2: now, y1: top, y2: height - bottom}));
  const choose = event => {
    const box = svg.getBoundingClientRect();
    chosen(axes.yearAt((event.clientX - box.left) / box.width * width) * days);
  };
  svg.addEventListener("pointerdown", choose);
  svg.addEventListener("pointermove", event => event.buttons & 1 && choose(event));
  const legends = named.filter(({label}) => label && named.length > 1).map(line => legend(line, isStacked && !over.includes(line)));
  return element("figure", {}, element("figcaption", {}, `${title} [${unit}] `, ...legends), svg);
}
