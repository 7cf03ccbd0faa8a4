// The form of one scenario: what it shows is the scenario's data, and each control writes into it.
import {at, element} from "../dom.js";
import {properties} from "../rock/laws.js";
import {RockForm} from "../rock/rock_form.js";
import {ScheduleEditor} from "./schedule.js";
import {Slider} from "./slider.js";

const ratioBounds = {label: "vertical over horizontal permeability", unit: "", low: 0.001, high: 1, isLog: true};

export class ScenarioForm {
  /// changed() follows each change of the data, refused(sentence) a file that is not taken, paint(property) asks for the brush.
  constructor(inputs, {changed, refused, paint}) {
    Object.assign(this, {inputs, changed, sliders: {}});
    for (const place of ["rates", "formation", "fluids", "vertical"]) at(place).replaceChildren();
    for (const name of inputs.scalars) {
      this.add(at(inputs.group(name)), name, inputs.bounds(name), value => { this.data.inputs[name] = value; this.fit(name); changed(); });
    }
    for (const end of ["top", "bottom"]) {
      const bounds = {label: `${end} of the perforation below the top of the formation`, unit: "m", low: 0, high: inputs.depth, step: inputs.row};
      this.add(at("formation"), "perforation-" + end, bounds, value => { this.data.perforation[end] = value; changed(); });
    }
    const open = () => this.set(data => { data.perforation = {top: 0, bottom: data.inputs.thickness}; });
    this.openAsGiven = element("p", {class: "hint", id: "open-as-given"}, "The well is open in the rows that the file says. ",
      element("button", {type: "button", onclick: open}, "Open an interval"));
    at("formation").append(this.openAsGiven);
    this.add(at("vertical"), "anisotropy", ratioBounds, value => { this.data.rock.vertical = {ratio: value}; changed(); });
    this.verticalAsGiven = element("p", {class: "hint", id: "vertical-as-given"}, "Vertical permeability: as the file says. ",
      element("button", {type: "button", onclick: () => this.set(data => { data.rock.vertical = {ratio: 0.1}; })}, "Take a share of the horizontal"));
    at("vertical").append(this.verticalAsGiven);
    this.rock = Object.keys(properties).map(name => new RockForm(at("rock-" + name), name, inputs, {changed, refused, paint: () => paint(name)}));
    this.schedule = new ScheduleEditor(schedule => {
      if (schedule) this.data.schedule = schedule; else delete this.data.schedule;
      this.data.inputs.injection_rate ??= inputs.usual("injection_rate");
      this.show(this.data);
      changed();
    });
  }
  add(place, name, bounds, changed) {
    this.sliders[name] = new Slider(name, bounds, changed);
    place.append(this.sliders[name].root);
  }
  set(change) {
    change(this.data);
    this.show(this.data);
    this.changed();
  }
  /// A perforation does not leave a formation that grows thinner; one that ends with it follows it.
  fit(name) {
    const {perforation, inputs: {thickness}} = this.data;
    if (name !== "thickness" || Array.isArray(perforation) || !perforation) return;
    if (perforation.bottom === this.thickness || perforation.bottom > thickness) perforation.bottom = thickness;
    if (perforation.top >= perforation.bottom) perforation.top = Math.max(0, perforation.bottom - this.inputs.row);
    this.thickness = thickness;
    for (const end of ["top", "bottom"]) this.sliders["perforation-" + end].show(perforation[end]);
  }
  /// Shows a scenario; from then on the controls write into it.
  show(data) {
    this.data = data;
    this.thickness = data.inputs.thickness;
    for (const name of this.inputs.scalars) {
      if (this.inputs.isOptional(name)) data.inputs[name] ??= 0;  // of a file that knows nothing of it, or of another model
      if (data.inputs[name] !== undefined) this.sliders[name].show(data.inputs[name]);
    }
    this.sliders.injection_rate.isShown = !data.schedule;
    const isInterval = !Array.isArray(data.perforation);
    data.perforation ??= {top: 0, bottom: data.inputs.thickness};
    for (const end of ["top", "bottom"]) {
      if (isInterval) this.sliders["perforation-" + end].show(data.perforation[end]);
      this.sliders["perforation-" + end].isShown = isInterval;
    }
    this.openAsGiven.hidden = isInterval;
    const {ratio} = data.rock.vertical;
    if (ratio !== undefined) this.sliders.anisotropy.show(ratio);
    this.sliders.anisotropy.isShown = ratio !== undefined;
    this.verticalAsGiven.hidden = ratio !== undefined;
    for (const each of this.rock) each.show(data);
    this.schedule.show(data.schedule);
  }
  showPainted() { for (const each of this.rock) each.showPainted(); }
}
