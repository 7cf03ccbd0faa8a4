// Series over time as SVG.
import {element} from "../dom.js";
import {days, shown, ticks} from "../numbers.js";
import {part} from "./svg.js";

const width = 380, height = 200, left = 50, right = 10, top = 8, bottom = 34;

/// Points of the values that there are, and of those of another list backwards.
const outline = (points, back = []) => "M" + [...points, ...back.reverse()].filter(Boolean).join("L");

/// Lines of a chart: {label, values, low?, high?, colour, dash}; with isStacked each lies upon those before it.
function stack(lines) {
  const sums = lines[0].values.map(() => 0);
  return lines.map(line => {
    const low = [...sums];
    line.values.forEach((value, i) => { sums[i] += value ?? 0; });
    return {...line, values: [...sums], low, isArea: true};
  });
}

/// A figure of some series with a line at the time `now`; chosen(index) is told of the time at which it is clicked. Lines that are
/// `over` are not stacked.
export function chart(given, times, now, chosen) {
  const {title, unit, lines, over = [], isStacked = false, isFromZero = true} = given;
  const years = times.map(day => day / days), last = years.at(-1) || 1;
  const drawn = [...(isStacked ? stack(lines) : lines), ...over];
  const all = drawn.flatMap(line => [...line.values, ...(line.high ?? [])]).filter(value => value != null);
  const most = Math.max(1e-12, ...all), least = isFromZero ? Math.min(0, ...all) : Math.min(...all);
  const high = most + 0.04 * (most - least), low = isFromZero ? least : least - 0.04 * (most - least);
  const x = year => left + year / last * (width - left - right);
  const y = value => height - bottom - (value - low) / (high - low) * (height - top - bottom);
  const point = values => values.map((value, i) => value == null ? null : `${x(years[i]).toFixed(1)},${y(value).toFixed(1)}`);
  const ends = [...lines, ...over].map(line => `${line.label} ${shown(line.values.at(-1) ?? 0)} at the end`);
  const svg = part("svg", {viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `${title} [${unit}] over time: ${ends.join(", ")}`});
  for (const t of ticks(low, high, 4)) {
    svg.append(part("line", {class: "grid", x1: left, x2: width - right, y1: y(t), y2: y(t)}),
      part("text", {x: left - 6, y: y(t) + 4, "text-anchor": "end"}, shown(t)));
  }
  for (const t of ticks(0, last, 6)) svg.append(part("text", {x: x(t), y: height - bottom + 15, "text-anchor": "middle"}, String(t)));
  svg.append(part("text", {x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle"}, "years"));
  for (const line of drawn) {
    const classes = `colour${line.colour} dash${line.dash ?? 0}`;
    const upper = line.isArea ? line.values : line.high;
    if (line.low) svg.append(part("path", {class: `${line.isArea ? "area" : "band"} ${classes}`, d: outline(point(upper), point(line.low)) + "Z"}));
    if (!line.isArea) svg.append(part("path", {class: `curve ${classes}`, d: outline(point(line.values))}));
  }
  svg.append(part("line", {class: "now", x1: x(years[now]), x2: x(years[now]), y1: top, y2: height - bottom}));
  const nearest = event => {
    const box = svg.getBoundingClientRect(), place = (event.clientX - box.left) / box.width * width;
    const year = (place - left) / (width - left - right) * last;
    chosen(years.reduce((best, each, i) => Math.abs(each - year) < Math.abs(years[best] - year) ? i : best, 0));
  };
  svg.addEventListener("pointerdown", nearest);
  svg.addEventListener("pointermove", event => event.buttons & 1 && nearest(event));
  const caption = element("figcaption", {}, `${title} [${unit}] `);
  for (const line of [...lines, ...over]) {
    const kind = isStacked && !over.includes(line) ? " swatch" : "";
    if (line.label && drawn.length > 1) caption.append(element("span", {}, element("i", {class: `colour${line.colour} dash${line.dash ?? 0}${kind}`}), line.label));
  }
  return element("figure", {}, caption, svg);
}
