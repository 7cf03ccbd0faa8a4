// What a map of a run shows: the field and its values at a time, on a scale that all runs share.
import {timeText, unitText, withUnit} from "../numbers.js";

const titles = {gas_saturation: "CO\u2082 saturation", pressure_buildup: "pressure build-up", dissolved_co2: "dissolved CO\u2082", trapped_gas_saturation: "trapped CO\u2082 saturation"};
const bounds = {low: "_low", likely: "", high: "_high"};

export const valuesOf = (run, name) => run.answer?.fields?.[name]?.[run.which ?? 0];

function largest(times, of = value => value) {
  let most = 0;
  for (const rows of times ?? []) rows.forEach(row => row.forEach((value, column) => { if (value != null) most = Math.max(most, of(value, column)); }));
  return most;
}

const titleOf = name => titles[name] ?? name.replaceAll("_", " ");

/// Fields that answers have, with titles; those of the ends of bands are no fields of their own.
export function fieldsOf(runs, model) {
  const names = [...new Set(runs.flatMap(run => Object.keys(run.answer?.fields ?? {})))].filter(name => !/_(low|high)$/.test(name));
  return names.map(name => ({name, unit: model.fields.find(field => field.name === name)?.unit ?? "1", long_name: titleOf(name)}));
}

export const hasBounds = (runs, name) => runs.some(run => valuesOf(run, name + "_low"));

/// How far plumes reach in any of the runs [m].
function plumeOf(runs) {
  return Math.max(0, ...runs.map(run => largest(valuesOf(run, "gas_saturation"), (value, column) => value > 0.01 ? run.answer.grid.r_edges[column + 1] : 0)));
}

const activeRows = rows => rows.filter(row => row.some(value => value != null)).length;

/// A view of each run, undefined of those without an answer. How: {field, bound, now, axis, isTrueScale}.
export function mapViews(runs, field, {bound, now, axis, isTrueScale}) {
  const known = runs.filter(run => valuesOf(run, field.name));
  if (!known.length) return runs.map(() => undefined);
  const r = known[0].answer.grid.r_edges, z = known[0].answer.grid.z_edges, isLog = axis === "log" && !isTrueScale;
  const suffix = bounds[bound], most = Math.max(...known.flatMap(run => [field.name, field.name + "_high"].map(name => largest(valuesOf(run, name)))));
  const depth = Math.max(...known.map(run => z[activeRows(valuesOf(run, field.name)[0])] - z[0]));
  const plume = plumeOf(known), radius = axis === "plume" ? Math.min(r.at(-1), 1.25 * plume || r.at(-1)) : r.at(-1);
  return runs.map(run => {
    const values = valuesOf(run, field.name + suffix) ?? valuesOf(run, field.name);
    return values && {values: values[now], r, z, depth, radius, isLog, isTrueScale, first: Math.max(r[0], r[1] / 10),
      scale: {low: 0, high: most > 0 ? most : 1, label: field.long_name, unit: field.unit}};
  });
}

export function labelOf(view, field, day, name) {
  return `${name ? name + ": " : ""}${field.long_name} over radius and depth after ${timeText(day)}, at most ${withUnit(largest([view.values]), field.unit)}; arrow keys move the probe`;
}

/// What stands in a cell: of one run all fields and its rock, of several the field that is shown.
export function probeText(runs, views, field, {row, column}, now, rockOf) {
  const view = views.find(Boolean), middle = (edges, i) => (edges[i] + edges[i + 1]) / 2;
  const place = `radius ${withUnit(Number(middle(view.r, column).toPrecision(3)), "m")}, depth ${withUnit(Number((middle(view.z, row) - view.z[0]).toPrecision(3)), "m")}`;
  const told = (value, unit) => value == null ? "not of the formation" : withUnit(value, unit);
  if (runs.length > 1) {
    return `${place}, ${field.long_name}: ` + runs.map((run, i) => `${run.data.name} ${views[i] ? told(views[i].values[row]?.[column], field.unit) : "none"}`).join("; ");
  }
  if (view.values[row]?.[column] == null) return `${place}: not of the formation`;
  const fields = Object.keys(runs[0].answer.fields).filter(name => !/_(low|high)$/.test(name)).map(name => {
    const [value, low, high] = ["", "_low", "_high"].map(end => valuesOf(runs[0], name + end)?.[now][row][column]);
    const unit = runs[0].fields.find(each => each.name === name)?.unit ?? "1";
    return `${titleOf(name)} ${told(value, unit)}${low != null && high != null ? ` (${withUnit(low, "1")} to ${withUnit(high, "1")})` : ""}`;
  });
  const rock = rockOf(row, column).filter(([, value]) => value !== undefined).map(([title, value, unit]) => `${title} ${[withUnit(value, "1"), unitText(unit)].join(" ").trim()}`);
  return `${place}: ${[...fields, ...rock].join(", ")}`;
}
