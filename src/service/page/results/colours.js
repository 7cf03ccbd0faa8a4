// Colours of maps: viridis, whose lightness grows evenly; eyes that see red and green alike tell its colours apart.

const stops = ["440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"]
  .map(hex => [0, 2, 4].map(i => parseInt(hex.slice(i, i + 2), 16)));

export function colourAt(share) {
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(place), stops.length - 2);
  return `rgb(${stops[i].map((from, c) => Math.round(from + (place - i) * (stops[i + 1][c] - from)))})`;
}

/// How much larger letters are than usual, as on a screen of many pixels.
export const enlargement = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 15;

/// A colour of the style sheet.
export const styled = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
