// What an ensemble draws: ranges of inputs and heterogeneity of the rock.
import {element, options} from "../dom.js";
import {digits, label, unitText} from "../numbers.js";

const laws = [["uniform", "uniform"], ["log_uniform", "log-uniform"]];
const field = {deviation: ["standard deviation of the natural logarithm", "", 0.5], correlation_r: ["horizontal correlation length", "m", 1000],
  correlation_z: ["vertical correlation length", "m", 8]};
/// What is drawn unless a person says otherwise.
const usual = ["permeability", "injection_rate"];
const times = (text, from, to, law) => ({text: `${text}, times`, unit: "1", from, to, law, as: "multiplier"});

/// A fifth to either side of a value, within the training; of 0 the first fifth of what is admissible.
function endsAbout(value, {low, high, trained}) {
  const [from, to] = [0.8 * value, 1.2 * value].map(end => digits(Math.min(Math.max(end, trained?.min ?? low), trained?.max ?? high)));
  return from < to ? {from, to} : {from: low, to: digits(low + 0.2 * (high - low))};
}

export class Ranges {
  /// Of the inputs of a model, about a scenario.
  constructor(inputs, data) {
    Object.assign(this, {inputs, lines: new Map()});
    this.body = element("tbody");
    const head = ["Input", "from", "to", "unit", "law"].map(text => element("th", {scope: "col"}, text));
    this.root = element("div", {class: "wide-table"}, element("table", {class: "ranges"}, element("thead", {}, element("tr", {}, ...head)), this.body));
    for (const name of inputs.scalars) {
      const input = inputs.all[name], value = data.inputs[name];
      if (data.schedule && name === "injection_rate") this.add(name, times("rates of the schedule", 0.8, 1.2, "uniform"));
      else if (value !== undefined) this.add(name, {text: label(input.long_name), unit: input.unit, law: "uniform", ...endsAbout(value, input)});
    }
    this.add("permeability", times("permeabilities", 0.3, 3, "log_uniform"));
    this.add("porosity", times("porosity", 0.8, 1.2, "uniform"));
    for (const name of usual) if (this.lines.has(name)) this.lines.get(name).box.checked = true;
    this.addField();
  }
  number(id, text, value) { return element("input", {type: "number", step: "any", id, value, "aria-label": text}); }
  add(name, {text, unit, from, to, law, as}) {
    const id = `range-${name}`, box = element("input", {type: "checkbox", id});
    const low = this.number(`${id}-from`, `${text} from`, from), high = this.number(`${id}-to`, `${text} to`, to);
    const choice = element("select", {id: `${id}-law`, "aria-label": `law of ${text}`}, ...options(laws));
    choice.value = law;
    const line = {box, low, high, choice, as, isChosen: false};
    for (const each of [low, high, choice]) each.addEventListener("input", () => { box.checked = line.isChosen = true; });
    this.lines.set(name, line);
    this.body.append(element("tr", {}, element("th", {scope: "row"}, element("label", {}, box, " ", text)),
      element("td", {}, low), element("td", {}, high),
      element("td", {class: "unit"}, unitText(unit)), element("td", {}, choice)));
  }
  addField() {
    this.varies = element("input", {type: "checkbox", id: "heterogeneity"});
    this.fields = Object.fromEntries(Object.entries(field).map(([name, [text, , value]]) => [name, this.number(`heterogeneity-${name}`, text, value)]));
    const line = ([name, [text, unit]]) => element("div", {class: "given"}, element("label", {for: `heterogeneity-${name}`}, text), this.fields[name],
      element("span", {class: "unit"}, unit));
    const all = element("div", {hidden: true}, ...Object.entries(field).map(line));
    this.varies.onchange = () => { all.hidden = !this.varies.checked; };
    this.root.append(element("label", {class: "line"}, this.varies, " another Gaussian field on the permeabilities in each realization"), all);
  }
  /// Follows the values of the scenario where nobody has chosen a range.
  follow(data) {
    for (const [name, line] of this.lines) {
      if (line.as || line.isChosen || data.inputs[name] === undefined) continue;
      const {from, to} = endsAbout(data.inputs[name], this.inputs.all[name]);
      Object.assign(line.low, {value: from});
      Object.assign(line.high, {value: to});
    }
  }
  /// `ranges` and `heterogeneity` of a request.
  get data() {
    const chosen = [...this.lines].filter(([, {box}]) => box.checked);
    const range = ({low, high, choice, as}) => ({from: Number(low.value), to: Number(high.value), law: choice.value, ...(as ? {as} : {})});
    const fields = Object.entries(this.fields).map(([name, input]) => [name, Number(input.value)]);
    return {...(chosen.length ? {ranges: Object.fromEntries(chosen.map(([name, line]) => [name, range(line)]))} : {}),
      ...(this.varies.checked ? {heterogeneity: Object.fromEntries(fields)} : {})};
  }
}
