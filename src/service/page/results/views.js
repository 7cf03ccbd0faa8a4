// What a map of a run shows: the field and its values at a time, on a scale that all runs share.
import {nearest, timeText, withUnit} from "../numbers.js";
import {cellOf} from "./maps.js";

const titles = {gas_saturation: "CO\u2082 saturation", pressure_buildup: "pressure build-up", dissolved_co2: "dissolved CO\u2082",
  trapped_gas_saturation: "trapped CO\u2082 saturation"};
const suffixes = {low: "_low", likely: "", high: "_high"};

const isBound = name => /_(low|high)$/.test(name);
const titleOf = name => titles[name] ?? name.replaceAll("_", " ");

export const valuesOf = (run, name) => run.answer?.fields?.[name]?.[0];

function largest(times, of = value => value) {
  let most = 0;
  for (const rows of times ?? []) {
    rows.forEach(row => row.forEach((value, column) => { if (value != null) most = Math.max(most, of(value, column)); }));
  }
  return most;
}

/// Fields that answers have, with titles; those of the ends of bands are no fields of their own.
export function fieldsOf(runs, model) {
  const names = [...new Set(runs.flatMap(run => Object.keys(run.answer?.fields ?? {})))].filter(name => !isBound(name));
  return names.map(name => ({name, unit: model.fields.find(field => field.name === name)?.unit ?? "1", long_name: titleOf(name)}));
}

export const hasBounds = (runs, name) => runs.some(run => valuesOf(run, name + "_low"));

/// How far the plume of a run reaches [m].
function plumeOf(run) {
  const edges = run.answer.grid.r_edges;
  return largest(valuesOf(run, "gas_saturation"), (value, column) => value > 0.01 ? edges[column + 1] : 0);
}

/// How deep the formation of a run reaches [m].
function depthOf(run) {
  const {z_edges: z} = run.answer.grid, [[first]] = Object.values(run.answer.fields).map(([only]) => only);
  return z[first.filter(row => row.some(value => value != null)).length] - z[0];
}

/// A view of each run at the time that is nearest to a day, undefined of those without an answer. How: {bound, day, axis, isTrueScale}.
export function mapViews(runs, field, {bound, day, axis, isTrueScale}) {
  const known = runs.filter(run => valuesOf(run, field.name));
  if (!known.length) return runs.map(() => undefined);
  const most = Math.max(...known.flatMap(run => [field.name, field.name + "_high"].map(name => largest(valuesOf(run, name)))));
  const depth = Math.max(...known.map(depthOf)), end = Math.max(...known.map(run => run.answer.grid.r_edges.at(-1)));
  const plume = Math.max(...known.map(plumeOf)), radius = axis === "plume" ? Math.min(end, 1.25 * plume || end) : end;
  const scale = {low: 0, high: most > 0 ? most : 1, label: field.long_name, unit: field.unit};
  return runs.map(run => {
    const values = valuesOf(run, field.name + suffixes[bound]) ?? valuesOf(run, field.name);
    if (!values) return undefined;
    const {grid: {r_edges: r, z_edges: z}, times} = run.answer, now = nearest(times, day);
    return {values: values[now], now, day: times[now], r, z, depth, radius, isLog: axis === "log" && !isTrueScale, isTrueScale,
      first: Math.max(r[0], r[1] / 10), scale};
  });
}

export function labelOf(view, field, name) {
  const most = withUnit(largest([view.values]), field.unit);
  return `${name ? name + ": " : ""}${field.long_name} over radius and depth after ${timeText(view.day)}, at most ${most}; arrow keys move the probe`;
}

/// All fields of a run in a cell, with the ends of their bands.
function fieldsText(run, {row, column}, now) {
  return Object.keys(run.answer.fields).filter(name => !isBound(name)).map(name => {
    const [value, low, high] = ["", "_low", "_high"].map(end => valuesOf(run, name + end)?.[now][row][column]);
    const unit = run.fields.find(each => each.name === name)?.unit ?? "1";
    return `${titleOf(name)} ${withUnit(value, unit)}` + (low != null && high != null ? ` (${withUnit(low, "1")} to ${withUnit(high, "1")})` : "");
  });
}

function valueAt(view, place) {
  const cell = cellOf(view, place);
  return cell && view.values[cell.row][cell.column];
}

/// What stands at a place: of one run all fields and its rock, of several the field that is shown.
export function probeText(runs, views, field, place, rockOf) {
  const [view] = views, where = `radius ${withUnit(place.r, "m")}, depth ${withUnit(place.depth, "m")}`;
  if (runs.length > 1) {
    const told = one => !one ? "none" : valueAt(one, place) == null ? "not of the formation" : withUnit(valueAt(one, place), field.unit);
    return `${where}, ${field.long_name}: ` + runs.map((run, i) => `${run.data.name} ${told(views[i])}`).join("; ");
  }
  if (valueAt(view, place) == null) return `${where}: not of the formation`;
  const cell = cellOf(view, place);
  const rock = rockOf(cell.row, cell.column).filter(([, value]) => value !== undefined).map(([title, value, unit]) => `${title} ${withUnit(value, unit)}`);
  return `${where}: ${[...fieldsText(runs[0], cell, view.now), ...rock].join(", ")}`;
}
