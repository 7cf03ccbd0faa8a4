// The form of a scenario, built from what /v1/models tells, and the body of a request that it stands for.

export const days = 365.25;

const usual = {injection_rate: 1, initial_pressure: 150, temperature: 60, irreducible_water_saturation: 0.2,
  van_genuchten_lambda: 0.5, thickness: 100, salinity: 0, permeability_r: 100, porosity: 0.2};
const groups = {rates: ["injection_rate"], formation: ["thickness", "initial_pressure", "temperature"],
  fluids: ["irreducible_water_saturation", "van_genuchten_lambda", "salinity"], rock: ["permeability_r", "porosity"]};

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const digits = value => Number(value.toPrecision(4));

/// A slider beside a number, which marks what lies outside [trained.min, trained.max].
class Slider {
  constructor(id, {label, unit, low, high, step, trained, isLog}, value, changed) {
    Object.assign(this, {trained, isLog, changed});
    const to = isLog ? Math.log10 : x => x;
    this.range = element("input", {type: "range", id: id + "-range", min: to(low), max: to(high),
      step: isLog ? "0.01" : step ?? digits((high - low) / 200), "aria-label": label});
    this.number = element("input", {type: "number", id, min: low, max: high, step: "any", "aria-describedby": id + "-outside"});
    this.outside = element("span", {class: "outside", id: id + "-outside"});
    const shownUnit = unit === "1" ? "" : unit;
    this.root = element("div", {class: "slider"}, element("label", {for: id}, label), this.range, this.number,
      element("span", {class: "unit"}, shownUnit), this.outside);
    this.range.addEventListener("input", () => this.set(digits(isLog ? 10 ** Number(this.range.value) : Number(this.range.value))));
    this.number.addEventListener("input", () => this.number.value !== "" && this.set(Number(this.number.value), true));
    this.set(Math.min(Math.max(value, low), high), false, true);
  }
  set(value, isTyped = false, isQuiet = false) {
    this.value = value;
    this.range.value = this.isLog ? Math.log10(value) : value;
    if (!isTyped) this.number.value = value;
    const {trained} = this;
    const isOutside = trained && (value < trained.min * (1 - 1e-6) || value > trained.max * (1 + 1e-6));
    this.outside.textContent = isOutside ? `outside the training (${digits(trained.min)} to ${digits(trained.max)})` : "";
    if (!isQuiet) this.changed();
  }
}

export class ScenarioForm {
  constructor(model, changed) {
    Object.assign(this, {model, changed, sliders: {}});
    this.inputs = Object.fromEntries(model.inputs.map(input => [input.name, input]));
    for (const [group, names] of Object.entries(groups)) {
      const place = document.getElementById(group);
      place.replaceChildren();
      for (const name of names) this.add(place, name, this.bounds(name), usual[name]);
    }
    const rock = document.getElementById("rock");
    this.add(rock, "anisotropy", {label: "vertical over horizontal permeability", unit: "1", low: 0.001, high: 1, isLog: true}, 0.1);
    const formation = document.getElementById("formation");
    const depth = model.grid.z_edges.at(-1) ?? 200;
    for (const [name, value] of [["top", 50], ["bottom", 100]]) {
      this.add(formation, "perforation-" + name, {label: `${name} of the perforation below that of the formation`, unit: "m",
        low: 0, high: depth, step: this.row()}, value);
    }
    this.buildLayers();
    this.buildSchedule();
    document.getElementById("law").onchange = () => this.showLaw(true);
    this.showLaw(false);
  }
  row() { const z = this.model.grid.z_edges; return z.length > 1 ? z[1] - z[0] : 1; }
  bounds(name) {
    const {long_name: label, unit, low, high, trained} = this.inputs[name];
    const isLog = name.startsWith("permeability");
    if (!trained) return {label, unit, low, high, trained: name === "salinity" ? {min: 0, max: 0} : undefined};
    const margin = 0.25 * (trained.max - trained.min);
    const wide = isLog ? {low: Math.max(low, trained.min / 4, 0.1), high: Math.min(high, 4 * trained.max)}
      : {low: Math.max(low, trained.min - margin), high: Math.min(high, trained.max + margin)};
    if (name === "thickness") Object.assign(wide, {low: trained.min, high: this.model.grid.z_edges.at(-1), step: this.row()});
    return {label: isLog ? "horizontal permeability" : label, unit, trained, isLog, ...wide};
  }
  add(place, name, bounds, value) {
    this.sliders[name] = new Slider(name, bounds, value, () => this.changed());
    place.append(this.sliders[name].root);
  }
  buildLayers() {
    const place = document.getElementById("layers");
    place.replaceChildren();
    [300, 20, 500, 50].forEach((value, i) => this.add(place, `layer-${i}`,
      {...this.bounds("permeability_r"), label: `permeability of layer ${i + 1} from the top`}, value));
  }
  showLaw(isChange) {
    const isLayered = document.getElementById("law").value === "layered";
    document.getElementById("layers").hidden = !isLayered;
    this.sliders.permeability_r.root.hidden = isLayered;
    this.sliders.permeability_r.root.style.display = isLayered ? "none" : "";
    if (isChange) this.changed();
  }
  buildSchedule() {
    const changes = document.getElementById("changes");
    document.getElementById("periods").replaceChildren();
    this.addPeriod(5, 0.5);
    this.addPeriod(15, 1);
    document.getElementById("add-period").onclick = () => {
      const last = this.periods().at(-1);
      this.addPeriod(last ? last.until / days + 5 : 5, last ? last.rate : 1);
      this.changed();
    };
    changes.onchange = () => {
      document.getElementById("schedule").hidden = !changes.checked;
      this.sliders.injection_rate.root.style.display = changes.checked ? "none" : "";
      this.changed();
    };
  }
  addPeriod(years, rate) {
    const remove = element("button", {type: "button", "aria-label": "Remove this period"}, "\u00d7");
    const line = element("tr", {}, element("td", {}, element("input", {type: "number", min: 0.1, step: "any", value: years, "aria-label": "until [years]"})),
      element("td", {}, element("input", {type: "number", min: 0, step: "any", value: rate, "aria-label": "rate [Mt/year]"})),
      element("td", {}, remove));
    line.addEventListener("input", () => this.changed());
    remove.onclick = () => { line.remove(); this.changed(); };
    document.getElementById("periods").append(line);
  }
  periods() {
    return [...document.querySelectorAll("#periods tr")].map(line => {
      const [years, rate] = [...line.querySelectorAll("input")].map(input => Number(input.value));
      return {until: years * days, rate};
    });
  }
  /// How many rows of cells the formation has: those whose middle it holds.
  rows() {
    const z = this.model.grid.z_edges;
    return z.slice(1).filter((bottom, i) => (bottom + z[i]) / 2 - z[0] < this.sliders.thickness.value).length;
  }
  permeability() {
    if (document.getElementById("law").value === "homogeneous") return this.sliders.permeability_r.value;
    const rows = this.rows();
    return Array.from({length: rows}, (_, row) => this.sliders[`layer-${Math.floor(4 * row / rows)}`].value);
  }
  body() {
    const value = name => this.sliders[name].value;
    const horizontal = this.permeability();
    const vertical = Array.isArray(horizontal) ? horizontal.map(k => k * value("anisotropy")) : horizontal * value("anisotropy");
    const isScheduled = document.getElementById("changes").checked;
    const one = {...(isScheduled ? {schedule: this.periods()} : {injection_rate: value("injection_rate")}),
      permeability_r: horizontal, permeability_z: vertical, porosity: value("porosity"),
      perforation: {top: value("perforation-top"), bottom: value("perforation-bottom")}};
    for (const name of [...groups.formation, ...groups.fluids]) one[name] = value(name);
    return {model: this.model.name, cases: [one]};
  }
}
