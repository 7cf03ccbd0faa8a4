// Numbers as the page shows and reads them.

export const days = 365.25;  // of a year

export const digits = value => Number(value.toPrecision(4));

export const shown = value => Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-2)
  ? value.toExponential(1) : String(Number(value.toPrecision(Math.abs(value) >= 1000 ? 4 : 3)));

export const unitText = unit => unit === "1" ? "" : unit.replace(/m2$/, "m\u00b2").replace(/m3/g, "m\u00b3").replace("degC", "\u00b0C");

/// The name of an input or a field as it is written.
export const label = name => name.replaceAll("CO2", "CO\u2082");

export const withUnit = (value, unit) => value == null ? "none" : [shown(value), unitText(unit)].join(" ").trim();

export const timeText = day => day < 60 ? `${shown(day)} days` : `${shown(day / days)} years`;

export const capital = text => text && text[0].toUpperCase() + text.slice(1);

/// About so many round numbers between two ends.
export function ticks(low, high, count) {
  const raw = (high - low) / count || 1;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(n => n * unit).find(s => s >= raw * (1 - 1e-9));
  const list = [];
  for (let t = Math.ceil(low / step - 1e-9) * step; t <= high + 1e-9 * step; t += step) list.push(Number(t.toPrecision(10)));
  return list;
}

/// Powers of ten, or round numbers where there are too few of them, on a logarithmic axis.
export function logTicks(low, high) {
  const list = [];
  for (let power = Math.ceil(Math.log10(low) - 1e-9); 10 ** power <= high * (1 + 1e-9); ++power) list.push(10 ** power);
  return list.length > 1 ? list : ticks(low, high, 4).filter(t => t > 0);
}

/// Index of the entry of a list that is nearest to a value.
export const nearest = (list, value) => list.reduce((best, each, i) => Math.abs(each - value) < Math.abs(list[best] - value) ? i : best, 0);

/// The cell between two edges that holds a place; -1 for none.
export function indexIn(edges, value) {
  let low = 0, high = edges.length - 1;
  if (!(value >= edges[0] && value < edges[high])) return -1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (edges[middle] <= value) low = middle; else high = middle;
  }
  return low;
}
