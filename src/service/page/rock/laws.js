// Laws by which rock is given, and the values of cells that follow from them.
import {gaussianField} from "./gaussian.js";

/// Properties of rock that have a law. Deviations of a property with isLog are those of its natural logarithm.
export const properties = {
  permeability: {input: "permeability_r", title: "Horizontal permeability", unit: "mD", isLog: true,
    usual: {value: 100, deviation: 1, layers: [300, 20, 500, 50]}},
  porosity: {input: "porosity", title: "Porosity", unit: "", isLog: false, usual: {value: 0.2, deviation: 0.03, layers: [0.24, 0.16, 0.25, 0.18]}}
};

export const laws = {homogeneous: "homogeneous", layered: "layers", gaussian: "Gaussian", values: "from a file"};

const middles = edges => edges.slice(1).map((edge, i) => (edge + edges[i]) / 2);
const rounded = value => Number(value.toPrecision(5));

/// What a law takes, after another one.
export function startOf(law, name, thickness, before) {
  const {usual} = properties[name];
  if (law === "layered") return {law, layers: usual.layers.map(value => ({thickness: rounded(thickness / 4), value}))};
  if (law === "gaussian") return {law, mean: before?.value ?? usual.value, deviation: usual.deviation, length_r: 1000, length_z: 8, seed: 1};
  return {law: "homogeneous", value: before?.mean ?? usual.value};
}

/// The layer that holds the middle of each row; the last one reaches to the bottom.
function layered(layers, z, rows) {
  return middles(z).slice(0, rows).map(depth => {
    let bottom = z[0];
    const found = layers.find(layer => (bottom += layer.thickness) > depth);
    return (found ?? layers.at(-1)).value;
  });
}

function gaussian(rock, {isLog}, {low, high}, {r_edges: r, z_edges: z}, rows) {
  const field = gaussianField(rock.seed, rock.length_r, rock.length_z, middles(r), middles(z).slice(0, rows));
  const of = share => isLog ? rock.mean * Math.exp(rock.deviation * share) : rock.mean + rock.deviation * share;
  return field.map(row => row.map(share => rounded(Math.min(Math.max(of(share), low), high))));
}

function byLaw(rock, name, bounds, grid, rows) {
  if (rock.law === "layered") return layered(rock.layers, grid.z_edges, rows);
  if (rock.law === "gaussian") return gaussian(rock, properties[name], bounds, grid, rows);
  return rock.law === "values" ? rock.values : rock.value;
}

/// A number, a value for each row, or for each row one for each column.
export function valuesOf(rock, name, bounds, grid, rows) {
  const values = byLaw(rock, name, bounds, grid, rows);
  const painted = (rock.painted ?? []).filter(([row, column]) => row < rows && column < grid.r_edges.length - 1);
  if (!painted.length) return values;
  const map = mapOf(values, rows, grid.r_edges.length - 1);
  for (const [row, column, value] of painted) if (map[row]) map[row][column] = value;
  return map;
}

/// The same as rows of cells.
export function mapOf(values, rows, columns) {
  if (!Array.isArray(values)) values = new Array(rows).fill(values);
  return values.map(row => Array.isArray(row) ? [...row] : new Array(columns).fill(row));
}

export const times = (values, factor) => Array.isArray(values) ? values.map(each => times(each, factor)) : rounded(values * factor);

/// What all values of one are of those of the other; none where that differs.
export function ratioOf(one, other) {
  const flat = values => Array.isArray(values) ? values.flat() : [values];
  const a = flat(one), b = flat(other);
  if (a.length !== b.length || typeof a[0] !== "number" || !(b[0] > 0)) return undefined;
  const ratio = rounded(a[0] / b[0]);
  return a.every((value, i) => Math.abs(value - ratio * b[i]) <= 1e-3 * Math.abs(value)) ? ratio : undefined;
}
