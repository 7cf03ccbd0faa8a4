// What is allowed at the site and what figures need that scenarios do not say: `buildup_limit` and `measure` of a request.
import {at, element, options} from "../dom.js";

const entries = {
  buildup_limit: ["largest build-up allowed", "bar"],
  top_depth: ["depth of the top of the formation", "m"],
  fracture_gradient: ["fracture pressure per depth", "bar/m"],
  fracture_pressure: ["fracture pressure", "bar"],
  fracture_factor: ["share of it that is allowed (0.9 without it)", ""],
  pressure_front: ["critical build-up", "bar"],
  depth: ["depth of the base of the lowermost drinking water", "m"],
  brine_density: ["density of the brine of the formation", "kg/m\u00b3"],
  pressure: ["pressure in the drinking water there (of water at rest without it)", "bar"],
  water_density: ["density of the water in the borehole there", "kg/m\u00b3"]
};
const rock = {none: ["not known", []], gradient: ["by depth", ["fracture_gradient", "fracture_factor"]],
  pressure: ["one pressure", ["fracture_pressure", "fracture_factor"]]};
const review = {none: ["not computed", []], front: ["by a critical build-up", ["pressure_front"]],
  full: ["by drinking water, borehole full of brine", ["depth", "brine_density", "pressure"]],
  stratified: ["by drinking water, stratified borehole", ["depth", "brine_density", "water_density"]]};
const needed = {front: ["pressure_front"], full: ["depth", "brine_density", "top_depth"],
  stratified: ["depth", "brine_density", "water_density", "top_depth"]};

export class LimitsForm {
  constructor(changed) {
    Object.assign(this, {changed, values: {}, rock: this.choice("fracture", rock), review: this.choice("review-way", review)});
    this.places = {rock: element("div"), review: element("div")};
    const choice = (label, select) => element("div", {class: "line"}, element("label", {for: select.id}, label + " "), select);
    this.fixed = element("div");
    at("limits").replaceChildren(this.fixed, choice("Fracture pressure", this.rock), this.places.rock,
      choice("Area of review", this.review), this.places.review);
    this.build();
  }
  choice(id, list) {
    const take = () => { this.build(); this.changed(); };
    return element("select", {id, onchange: take}, ...options(Object.entries(list).map(([value, [text]]) => [value, text])));
  }
  number(name) {
    const [label, unit] = entries[name];
    const take = event => {
      this.values[name] = event.target.value === "" ? undefined : Number(event.target.value);
      this.changed();
    };
    const input = element("input", {type: "number", id: name, min: 0, step: "any", value: this.values[name] ?? "", oninput: take, "aria-describedby": name + "-unit"});
    return element("div", {class: "given"}, element("label", {for: name}, label), input, element("span", {class: "unit", id: name + "-unit"}, unit));
  }
  build() {
    this.fixed.replaceChildren(...["buildup_limit", "top_depth"].map(name => this.number(name)));
    this.places.rock.replaceChildren(...rock[this.rock.value][1].map(name => this.number(name)));
    this.places.review.replaceChildren(...review[this.review.value][1].map(name => this.number(name)));
  }
  /// What is still to be given for the area of review that was chosen; empty where nothing is.
  get missing() {
    if (this.review.value === "none") return "area of review: not computed: give under Limits the critical build-up of the site, or what it follows from";
    const missing = needed[this.review.value].filter(name => this.values[name] === undefined).map(name => entries[name][0]);
    return missing.length ? `area of review: not computed: give ${missing.join(", ")}` : "";
  }
  /// `buildup_limit` and `measure` as far as they are known.
  get data() {
    const known = names => Object.fromEntries(names.filter(name => this.values[name] !== undefined).map(name => [name, this.values[name]]));
    const {fracture_factor: factor, ...limit} = known(rock[this.rock.value][1]);
    const {pressure_front: front, ...water} = this.missing ? {} : known(review[this.review.value][1]);
    const measure = {...known(["top_depth"]), ...limit};
    if (Object.keys(limit).length && factor !== undefined) measure.fracture_factor = factor;
    if (front !== undefined) measure.pressure_front = front;
    if (Object.keys(water).length) measure.drinking_water = water;
    return {...known(["buildup_limit"]), ...(Object.keys(measure).length ? {measure} : {})};
  }
  /// [title, value, unit] of what was given.
  get lines() {
    const wanted = ["buildup_limit", "top_depth", ...rock[this.rock.value][1], ...review[this.review.value][1]];
    return wanted.filter(name => this.values[name] !== undefined).map(name => [entries[name][0], this.values[name], entries[name][1]]);
  }
  show({buildup_limit: buildup, measure: {drinking_water: water, ...measure} = {}}) {
    this.values = {buildup_limit: buildup, ...measure, ...water};
    this.rock.value = measure.fracture_gradient !== undefined ? "gradient" : measure.fracture_pressure !== undefined ? "pressure" : "none";
    this.review.value = measure.pressure_front !== undefined ? "front" : !water ? "none" : water.water_density === undefined ? "full" : "stratified";
    this.build();
  }
}
