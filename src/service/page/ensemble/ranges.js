// What an ensemble draws: ranges of inputs and heterogeneity of the rock.
import {element, options} from "../dom.js";
import {digits, label, unitText} from "../numbers.js";

const laws = [["uniform", "uniform"], ["log_uniform", "log-uniform"]];
const heterogeneity = {deviation: ["standard deviation of the natural logarithm", "", 0.5], correlation_r: ["horizontal correlation length", "m", 1000], correlation_z: ["vertical correlation length", "m", 8]};

export class Ranges {
  /// Of the inputs of a model, about a scenario.
  constructor(inputs, data) {
    this.lines = new Map();
    this.body = element("tbody");
    this.root = element("div", {class: "wide-table"}, element("table", {class: "ranges"}, element("thead", {}, element("tr", {}, ...["Input", "from", "to", "", "law"].map(text => element("th", {scope: "col"}, text)))), this.body));
    for (const name of inputs.scalars) {
      const {unit, low, high, trained} = inputs.all[name], value = data.inputs[name];
      if (data.schedule && name === "injection_rate") { this.add("injection_rate", "rates of the schedule, times", "1", 0.8, 1.2, "uniform", "multiplier"); continue; }
      if (value === undefined) continue;
      const ends = [0.8 * value, 1.2 * value].map(end => digits(Math.min(Math.max(end, trained?.min ?? low), trained?.max ?? high)));
      this.add(name, label(inputs.all[name].long_name), unit, ...(ends[0] < ends[1] ? ends : [low, high > 1e3 ? 1 : high]), "uniform");
    }
    this.add("permeability", "permeabilities, times", "1", 0.3, 3, "log_uniform", "multiplier");
    this.add("porosity", "porosity, times", "1", 0.8, 1.2, "uniform", "multiplier");
    for (const name of ["permeability", "injection_rate"]) if (this.lines.has(name)) this.lines.get(name).box.checked = true;
    this.addHeterogeneity();
  }
  number(id, text, value) { return element("input", {type: "number", step: "any", id, value, "aria-label": text}); }
  add(name, text, unit, from, to, law, as) {
    const box = element("input", {type: "checkbox", id: `range-${name}`}), low = this.number(`range-${name}-from`, `${text} from`, from), high = this.number(`range-${name}-to`, `${text} to`, to);
    const choice = element("select", {id: `range-${name}-law`, "aria-label": `law of ${text}`}, ...options(laws));
    choice.value = law;
    for (const each of [low, high, choice]) each.addEventListener("input", () => { box.checked = true; });
    this.lines.set(name, {box, low, high, choice, as});
    this.body.append(element("tr", {}, element("th", {scope: "row"}, element("label", {}, box, " ", text)), element("td", {}, low), element("td", {}, high),
      element("td", {class: "unit"}, unitText(unit)), element("td", {}, choice)));
  }
  addHeterogeneity() {
    this.varies = element("input", {type: "checkbox", id: "heterogeneity"});
    this.fields = Object.fromEntries(Object.entries(heterogeneity).map(([name, [text, , value]]) => [name, this.number(`heterogeneity-${name}`, text, value)]));
    const parts = Object.entries(heterogeneity).map(([name, [text, unit]]) => element("div", {class: "given"}, element("label", {for: `heterogeneity-${name}`}, text), this.fields[name], element("span", {class: "unit"}, unit)));
    const all = element("div", {hidden: true}, ...parts);
    this.varies.onchange = () => { all.hidden = !this.varies.checked; };
    this.root.append(element("label", {class: "line"}, this.varies, " another Gaussian field on the permeabilities in each realization"), all);
  }
  /// `ranges` and `heterogeneity` of a request.
  get data() {
    const chosen = [...this.lines].filter(([, {box}]) => box.checked);
    const ranges = Object.fromEntries(chosen.map(([name, {low, high, choice, as}]) => [name, {from: Number(low.value), to: Number(high.value), law: choice.value, ...(as ? {as} : {})}]));
    return {...(chosen.length ? {ranges} : {}),
      ...(this.varies.checked ? {heterogeneity: Object.fromEntries(Object.entries(this.fields).map(([name, input]) => [name, Number(input.value)]))} : {})};
  }
}
