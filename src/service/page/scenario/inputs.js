// What the inputs of a model are: where they stand in the form, their units and ranges.
import {label as written} from "../numbers.js";

const usual = {injection_rate: 1, initial_pressure: 150, temperature: 60, irreducible_water_saturation: 0.2,
  van_genuchten_lambda: 0.5, thickness: 100};
const groups = {injection_rate: "rates", thickness: "formation", initial_pressure: "formation", temperature: "formation"};
const limit = "bottom_hole_pressure_limit", highestLimit = 1000;  // [bar], the highest pressure with a known density of CO2
/// Inputs that a plain case does not have: none of it is meant where nothing is said, and by 0.
const without = new Set(["salinity", "residual_gas_saturation", limit]);

export class Inputs {
  /// The model as /v1/models has it, and the entries of a case as the description of the interface has them.
  constructor(model, described) {
    this.model = model;
    this.all = Object.fromEntries(model.inputs.map(input => [input.name, input]));
    this.scalars = model.inputs.filter(input => !input.is_map && input.name in described).map(input => input.name);
  }
  group(name) { return groups[name] ?? "fluids"; }
  isOptional(name) { return !this.all[name].required; }
  usual(name) {
    const {low, high, min, max} = {...this.all[name], ...this.all[name].trained};
    return without.has(name) ? 0 : usual[name] ?? ((min ?? low) + (max ?? high)) / 2;
  }
  /// A value that a case states, as the form shows it: none, and a limit that is as good as none, by 0.
  shown(name, value) { return value === undefined || (name === limit && value >= highestLimit) ? 0 : value; }
  /// Height of a row of cells [m].
  get row() { const z = this.model.grid.z_edges; return z.length > 1 ? z[1] - z[0] : 1; }
  get depth() { const z = this.model.grid.z_edges; return z.length ? z.at(-1) - z[0] : 200; }
  /// How many rows of cells a formation has: those whose middle it holds.
  rows(thickness) {
    const z = this.model.grid.z_edges;
    return z.slice(1).filter((bottom, i) => (bottom + z[i]) / 2 - z[0] < thickness).length;
  }
  /// Where a slider of it begins and ends: somewhat beyond the training.
  bounds(name) {
    const {long_name, unit, low, high, trained} = this.all[name], label = written(long_name);
    const isLog = name.startsWith("permeability");
    if (name === limit) return {label: `${label} (0 without a limit)`, unit, low: 0, high: highestLimit, step: 1};
    if (!trained) return {label, unit, low, high, isLog, trained: without.has(name) ? {min: 0, max: 0} : undefined};
    const margin = 0.25 * (trained.max - trained.min);
    const wide = isLog ? {low: Math.max(low, trained.min / 4, 0.1), high: Math.min(high, 4 * trained.max)}
      : {low: Math.max(low, trained.min - margin), high: Math.min(high, trained.max + margin)};
    if (name === "thickness") Object.assign(wide, {low: trained.min, high: this.depth, step: this.row});
    return {label, unit, trained, isLog, ...wide};
  }
  /// A reason of a verdict with the words of the form in place of the name of an input that it begins with.
  inWords(reason) {
    const [, name, rest] = /^(\w+) (lies outside .*)$/.exec(reason) ?? [];
    if (name === "schedule_end") return `the end of the injection ${rest}; under Injection the rate changes, and ends with the last period`;
    return this.all[name] ? `${written(this.all[name].long_name)} ${rest}` : reason;
  }
  admissible(name) { return this.all[name]; }
}
