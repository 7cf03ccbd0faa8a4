// Elements of SVG, and files of them.
import {colourAt, styled} from "./colours.js";
import {MapFrame} from "./map_frame.js";

const space = "http://www.w3.org/2000/svg";

export function part(name, attributes = {}, ...children) {
  const made = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/// A map as a group of a picture.
export function mapPart(view, width, height) {
  const frame = new MapFrame(view, width, height), group = part("g"), ink = styled("--faint"), two = place => Number(place.toFixed(2));
  for (const {x, y, width: w, height: h, value} of frame.cells(two)) {
    const fill = value == null ? styled("--line") : colourAt(frame.share(value));
    if (w > 0) group.append(part("rect", {x, y, width: two(w + 0.2), height: two(h + 0.2), fill}));
  }
  frame.annotate({
    rect(x, y, w, h, colour = ink) { group.append(part("rect", {x: two(x), y: two(y), width: two(w), height: two(h), fill: colour})); },
    text(x, y, text, anchor, isUpright) {
      const transform = isUpright ? `rotate(-90 ${two(x)} ${two(y)})` : undefined;
      group.append(part("text", {x: two(x), y: two(y), fill: ink, "font-size": 12, "text-anchor": anchor, transform}, text));
    }});
  return group;
}

const kept = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "font-size", "text-anchor"];

/// A copy of a chart of the page that needs no style sheet.
export function withStyles(svg) {
  const copy = svg.cloneNode(true);
  const originals = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((one, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of kept) one.setAttribute(name, style.getPropertyValue(name));
    one.removeAttribute("class");
  });
  return copy;
}

/// The text of a file of parts below each other: [part, width, height, title].
export function svgFile(parts) {
  const width = Math.max(...parts.map(([, w]) => w)) + 20;
  let y = 10;
  const root = part("svg", {xmlns: space, "font-family": "system-ui, sans-serif"});
  const ground = root.appendChild(part("rect", {width: "100%", height: "100%", fill: styled("--paper")}));
  for (const [one, , height, title] of parts) {
    root.append(part("text", {x: 10, y: y + 14, "font-size": 14, fill: styled("--ink")}, title),
      part("g", {transform: `translate(10 ${y + 22})`}, one));
    y += height + 36;
  }
  root.setAttribute("viewBox", `0 0 ${width} ${y}`);
  Object.entries({width, height: y}).forEach(([name, value]) => { root.setAttribute(name, value); ground.setAttribute(name, value); });
  return new XMLSerializer().serializeToString(root) + "\n";
}
