// Series over time as SVG.
import {shown, ticks} from "./maps.js";
import {days, element} from "./scenario.js";

const space = "http://www.w3.org/2000/svg";
const part = (name, attributes, text) => {
  const made = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
};

/// A figure of some series, and a line at the time that is shown elsewhere.
export function curve(title, unit, list, times, now) {
  const width = 380, height = 190, left = 50, right = 10, top = 8, bottom = 34;
  const years = times.map(day => day / days), last = years.at(-1);
  const high = Math.max(1e-12, ...list.flatMap(one => one.values.filter(v => v != null)));
  const x = year => left + year / last * (width - left - right);
  const y = value => height - bottom - value / high * (height - top - bottom);
  const svg = part("svg", {viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `${title} [${unit}] over time: ${list.map(one => `${one.label} ${shown(one.values.at(-1) ?? 0)} at the end`).join(", ")}`});
  for (const t of ticks(0, high, 4)) {
    svg.append(part("line", {class: "grid", x1: left, x2: width - right, y1: y(t), y2: y(t)}),
      part("text", {x: left - 6, y: y(t) + 4, "text-anchor": "end"}, shown(t)));
  }
  for (const t of ticks(0, last, 6)) svg.append(part("text", {x: x(t), y: height - bottom + 15, "text-anchor": "middle"}, t));
  svg.append(part("text", {x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle"}, "years"),
    part("line", {class: "now", x1: x(years[now]), x2: x(years[now]), y1: top, y2: height - bottom}));
  list.forEach((one, i) => {
    const points = one.values.map((value, k) => value == null ? null : `${x(years[k]).toFixed(1)},${y(value).toFixed(1)}`);
    svg.append(part("path", {class: `c${i}`, d: "M" + points.filter(Boolean).join("L")}));
  });
  const caption = element("figcaption", {}, `${title} [${unit}] `);
  if (list.length > 1) list.forEach((one, i) => caption.append(element("span", {}, element("i", {class: `c${i}`}), one.label)));
  return element("figure", {}, caption, svg);
}
