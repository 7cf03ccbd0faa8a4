// Gaussian random fields over radius and depth, the same for a seed everywhere.

const waves = 512;

/// Numbers in [0, 1) from a seed (mulberry32).
export function uniforms(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/// Rows of values of mean 0 and deviation 1 with the correlation exp(-(dr / lengthR)^2 - (dz / lengthZ)^2), as a sum of
/// random waves. r and z are places.
export function gaussianField(seed, lengthR, lengthZ, r, z) {
  const draw = uniforms(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
  const field = z.map(() => new Array(r.length).fill(0));
  for (let wave = 0; wave < waves; ++wave) {
    const alongR = Math.SQRT2 * normal() / lengthR, alongZ = Math.SQRT2 * normal() / lengthZ, phase = 2 * Math.PI * draw();
    z.forEach((depth, row) => r.forEach((radius, column) => {
      field[row][column] += Math.cos(alongR * radius + alongZ * depth + phase);
    }));
  }
  return field.map(row => row.map(value => value * Math.sqrt(2 / waves)));
}
