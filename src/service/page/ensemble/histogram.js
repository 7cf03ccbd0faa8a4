// How the values of a figure are distributed over the realizations.
import {element} from "../dom.js";
import {shown, ticks, unitText} from "../numbers.js";
import {part} from "../results/svg.js";

const width = 380, height = 180, left = 34, right = 12, top = 34, bottom = 32;

/// Bars {low, high, members}: about the square root of as many as there are values.
export function barsOf(values) {
  const known = values.map((value, k) => ({value, k})).filter(({value}) => value != null);
  if (!known.length) return [];
  const low = Math.min(...known.map(({value}) => value)), high = Math.max(...known.map(({value}) => value));
  if (!(high > low)) return [{low, high: low, members: known.map(({k}) => k)}];
  const count = Math.min(24, Math.max(4, Math.ceil(Math.sqrt(known.length)))), step = (high - low) / count;
  const bars = Array.from({length: count}, (_, i) => ({low: low + i * step, high: low + (i + 1) * step, members: []}));
  for (const {value, k} of known) bars[Math.min(count - 1, Math.floor((value - low) / step))].members.push(k);
  return bars;
}

/// chosen(bar) is told of the bar that is clicked.
export function histogram({title, unit, values, marks, limit}, chosen) {
  const bars = barsOf(values);
  if (!bars.length) return element("figure", {}, element("figcaption", {}, `${title}: no realization has it`));
  const low = Math.min(bars[0].low, limit ?? Infinity), high = Math.max(bars.at(-1).high, limit ?? -Infinity);
  const most = Math.max(...bars.map(bar => bar.members.length));
  const x = value => left + (high > low ? (value - low) / (high - low) : 0.5) * (width - left - right);
  const y = count => height - bottom - count / most * (height - top - bottom);
  const svg = part("svg", {viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `Histogram of ${title} [${unit}]`});
  const upright = (kind, place) => part("line", {class: kind, x1: x(place), x2: x(place), y1: top, y2: height - bottom});
  for (const t of ticks(0, most, 3).filter(Number.isInteger)) {
    svg.append(part("line", {class: "grid", x1: left, x2: width - right, y1: y(t), y2: y(t)}),
      part("text", {x: left - 5, y: y(t) + 4, "text-anchor": "end"}, String(t)));
  }
  for (const t of ticks(low, high, 5)) svg.append(part("text", {x: x(t), y: height - bottom + 15, "text-anchor": "middle"}, shown(t)));
  for (const bar of bars.filter(({members}) => members.length)) {
    const text = `${shown(bar.low)} to ${shown(bar.high)} ${unitText(unit)}: ${bar.members.length} realizations`, place = y(bar.members.length);
    const one = part("rect", {class: "bar colour0", x: x(bar.low) + 0.5, y: place,
      width: Math.max(3, x(bar.high) - x(bar.low) - 1), height: height - bottom - place,
      tabindex: "0", role: "button", "aria-label": text}, part("title", {}, text));
    one.addEventListener("click", () => chosen(bar));
    one.addEventListener("keydown", event => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      chosen(bar);
    });
    svg.append(one);
  }
  for (const [i, [name, value]] of marks.filter(([, value]) => value != null).entries()) {
    svg.append(upright("mark", value), part("text", {x: x(value), y: top - (i % 2 ? 18 : 6), "text-anchor": "middle"}, name));
  }
  if (limit !== undefined) svg.append(upright("limit", limit));
  return element("figure", {}, element("figcaption", {}, unitText(unit) ? `${title} [${unitText(unit)}]` : title), svg);
}
