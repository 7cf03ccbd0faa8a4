// A scenario as plain data, and the case of a request that it stands for.
import {mapOf, properties, ratioOf, startOf, times, valuesOf} from "../rock/laws.js";

/// The first scenario of a person.
export function newScenario(inputs, name) {
  const scalars = Object.fromEntries(inputs.scalars.map(one => [one, inputs.usual(one)]));
  const thickness = scalars.thickness;
  return {name, inputs: scalars, perforation: {top: thickness / 2, bottom: thickness},
    rock: {permeability: startOf("homogeneous", "permeability", thickness), porosity: startOf("homogeneous", "porosity", thickness),
      vertical: {ratio: 0.1}}};
}

/// A name that no other scenario has.
export function freeName(wanted, names) {
  const stem = wanted.replace(/ \d+$/, "");
  let name = wanted;
  for (let i = 2; names.includes(name); ++i) name = `${stem} ${i}`;
  return name;
}

/// A copy with a name of its own; of a data set too, whose file both hold.
export function copyOf(scenario, names) {
  const {bytes, ...rest} = scenario;
  return {...structuredClone(rest), ...(bytes ? {bytes} : {}), name: freeName(scenario.name, names)};
}

export function rockValues(scenario, inputs, name) {
  const rows = inputs.rows(scenario.inputs.thickness);
  return valuesOf(scenario.rock[name], name, inputs.admissible(properties[name].input), inputs.model.grid, rows);
}

/// The entries of `cases` in a request.
export function caseOf(scenario, inputs) {
  const {injection_rate: rate, ...scalars} = scenario.inputs;
  const permeability = rockValues(scenario, inputs, "permeability"), {vertical} = scenario.rock;
  const one = {...(scenario.schedule ? {schedule: scenario.schedule} : rate === undefined ? {} : {injection_rate: rate}), ...scalars,
    permeability_r: permeability, permeability_z: vertical.values ?? times(permeability, vertical.ratio),
    porosity: rockValues(scenario, inputs, "porosity")};
  if (scenario.perforation) one.perforation = scenario.perforation;
  for (const name of inputs.scalars) if (inputs.isOptional(name) && one[name] === 0) delete one[name];
  return one;
}

function rockFrom(given) { return Array.isArray(given) ? {law: "values", values: given} : {law: "homogeneous", value: given}; }

/// A scenario from the case of a request; entries that are not known stay, so that the service names them.
export function fromCase(one, inputs, name) {
  const {permeability_r: horizontal, permeability_z: vertical, porosity, schedule, perforation, ...scalars} = one;
  const ratio = ratioOf(vertical, horizontal);
  for (const each of inputs.scalars) if (inputs.isOptional(each)) scalars[each] = inputs.shown(each, scalars[each]);
  return {name, inputs: scalars, ...(schedule ? {schedule} : {}), ...(perforation ? {perforation} : {}),
    rock: {permeability: rockFrom(horizontal), porosity: rockFrom(porosity), vertical: ratio === undefined ? {values: vertical} : {ratio}}};
}

/// Rows of cells of a property, for maps and brushes.
export function rockMap(scenario, inputs, name) {
  return mapOf(rockValues(scenario, inputs, name), inputs.rows(scenario.inputs.thickness), inputs.model.grid.r_edges.length - 1);
}
