// Rock from text files: a profile or a map.

/// Lines of numbers; a first line of words is a heading. Throws Error with the line.
export function numbersOf(text) {
  const lines = text.split(/\r?\n/).map((line, i) => [line.trim(), i + 1]).filter(([line]) => line && !line.startsWith("#"));
  const separator = lines.some(([line]) => line.includes(";")) ? ";" : lines.some(([line]) => line.includes(",")) ? "," : /\s+/;
  const wordsOf = line => line.split(separator).map(word => word.trim()).filter((word, i, all) => word || i < all.length - 1);
  const cells = lines.map(([line, number]) => [wordsOf(line), number]);
  if (cells.length && cells[0][0].every(word => Number.isNaN(Number(word)))) cells.shift();
  return cells.map(([words, number]) => words.map(word => {
    const value = Number(word);
    if (word === "" || !Number.isFinite(value)) throw new Error(`line ${number}: '${word.slice(0, 40)}' is no number; correct the line`);
    return value;
  }));
}

/// Means over rows of cells of values that hold from their depth to the next one, the first from the top on.
function overRows(pairs, edges, rows) {
  return Array.from({length: rows}, (_, row) => {
    const top = edges[row] - edges[0], bottom = edges[row + 1] - edges[0];
    let sum = 0;
    pairs.forEach(([depth, value], i) => {
      const from = i === 0 ? top : Math.max(depth, top), to = Math.min(pairs[i + 1]?.[0] ?? Infinity, bottom);
      sum += Math.max(0, to - from) * value;
    });
    return sum / (bottom - top);
  });
}

/// A profile (a value for each row), a log (depth below the top of the formation and value, brought onto the rows) or a map (a
/// line for each row, a value for each column). Throws Error for what is none of them.
export function rockOf(text, {r_edges: r, z_edges: z}, rows) {
  const lines = numbersOf(text);
  if (!lines.length) throw new Error("the file holds no numbers; give a line for each row of cells");
  const width = lines[0].length;
  const odd = lines.findIndex(line => line.length !== width);
  if (odd >= 0) throw new Error(`line ${odd + 1} of numbers has ${lines[odd].length} of them, the first has ${width}; give the same number in each`);
  if (width === 1) return lines.map(([value]) => value);
  if (width === r.length - 1) return lines;
  if (width !== 2) {
    const map = `a map ${r.length - 1}, one for each column`;
    throw new Error(`the lines have ${width} numbers (a profile has 1, a log with depths 2, ${map}); give one of them`);
  }
  if (lines.some(([depth], i) => i > 0 && !(depth > lines[i - 1][0]))) throw new Error("the depths of the log do not increase; order its lines");
  return overRows(lines, z, rows);
}
