// The form of one property of rock: the law and what it takes.
import {chooseFile, element, options} from "../dom.js";
import {digits} from "../numbers.js";
import {Slider} from "../scenario/slider.js";
import {rockOf} from "./csv.js";
import {laws, properties, startOf} from "./laws.js";

export class RockForm {
  /// changed() follows each change of the data, refused(sentence) a file that is not taken, paint() asks for the brush.
  constructor(place, name, inputs, {changed, refused, paint}) {
    Object.assign(this, {name, inputs, changed, refused});
    const {title, input} = properties[name];
    this.bounds = {...inputs.bounds(input), label: title.toLowerCase()};
    this.law = element("select", {id: name + "-law", onchange: () => this.choose(this.law.value)}, ...options(Object.entries(laws)));
    this.fields = element("div");
    this.painted = element("span", {class: "hint"});
    place.replaceChildren(element("div", {class: "line law"}, element("label", {for: name + "-law"}, title), this.law,
      element("button", {type: "button", id: name + "-paint", onclick: paint}, "Paint cells"), this.painted), this.fields);
  }
  show(data) {
    this.data = data;
    const rock = data.rock[this.name];
    this.law.value = rock.law;
    this.fields.replaceChildren(...this[rock.law](rock));
    this.showPainted();
  }
  showPainted() {
    const count = this.data.rock[this.name].painted?.length ?? 0;
    this.painted.textContent = count ? `${count} cells painted` : "";
  }
  set(rock) {
    const {painted} = this.data.rock[this.name];
    this.data.rock[this.name] = painted ? {...rock, painted} : rock;
    this.show(this.data);
    this.changed();
  }
  async choose(law) {
    const before = this.data.rock[this.name];
    if (law !== "values") return this.set(startOf(law, this.name, this.data.inputs.thickness, before));
    this.law.value = before.law;
    await this.upload();
  }
  async upload() {
    const file = await chooseFile(".csv,.txt,text/csv,text/plain");
    if (!file) return;
    const {data} = this;
    try {
      const values = rockOf(await file.text(), this.inputs.model.grid, this.inputs.rows(data.inputs.thickness));
      if (data === this.data) this.set({law: "values", values, source: file.name});
    } catch (error) { this.refused(`${file.name}: ${error.message}`); }
  }
  slider(id, bounds, rock, entry) {
    const slider = new Slider(id, bounds, value => { rock[entry] = value; this.changed(); });
    slider.show(rock[entry]);
    return slider.root;
  }
  homogeneous(rock) { return [this.slider(properties[this.name].input, this.bounds, rock, "value")]; }
  gaussian(rock) {
    const {isLog} = properties[this.name], id = entry => `${this.name}-${entry}`;
    const seed = element("input", {type: "number", id: id("seed"), min: 0, max: 4294967295, step: 1, value: rock.seed,
      oninput: event => { if (event.target.value !== "") { rock.seed = Math.floor(Number(event.target.value)); this.changed(); } }});
    const another = element("button", {type: "button", id: id("another"), onclick: () => { seed.value = ++rock.seed; this.changed(); }}, "Another");
    return [this.slider(id("mean"), {...this.bounds, label: isLog ? "geometric mean" : "mean"}, rock, "mean"),
      this.slider(id("deviation"), {label: isLog ? "standard deviation of its natural logarithm" : "standard deviation", unit: "1", low: 0, high: isLog ? 3 : 0.1}, rock, "deviation"),
      this.slider(id("length_r"), {label: "horizontal correlation length", unit: "m", low: 10, high: 20000, isLog: true}, rock, "length_r"),
      this.slider(id("length_z"), {label: "vertical correlation length", unit: "m", low: 0.5, high: 100, isLog: true}, rock, "length_z"),
      element("div", {class: "line"}, element("label", {for: seed.id}, "seed "), seed, " ", another)];
  }
  layered(rock) {
    const {unit} = properties[this.name];
    const cell = (layer, entry, label, i) => element("td", {}, element("input", {type: "number", min: 0, step: "any", value: digits(layer[entry]),
      id: `${this.name}-${entry}-${i}`, "aria-label": `${label} of layer ${i + 1} from the top`,
      oninput: event => { if (event.target.value !== "") { layer[entry] = Number(event.target.value); this.changed(); } }}));
    const line = (layer, i) => element("tr", {}, cell(layer, "thickness", "thickness [m]", i), cell(layer, "value", this.bounds.label, i),
      element("td", {}, element("button", {type: "button", "aria-label": `Remove layer ${i + 1}`, disabled: rock.layers.length === 1,
        onclick: () => { rock.layers.splice(i, 1); this.set(rock); }}, "\u00d7")));
    return [element("table", {}, element("thead", {}, element("tr", {}, element("th", {scope: "col"}, "thickness [m]"),
      element("th", {scope: "col"}, unit ? `value [${unit}]` : "value"), element("th"))), element("tbody", {}, ...rock.layers.map(line))),
      element("button", {type: "button", id: this.name + "-add-layer", onclick: () => { rock.layers.push({...rock.layers.at(-1)}); this.set(rock); }}, "Add a layer"),
      element("p", {class: "hint"}, "From the top down; the last one reaches to the bottom.")];
  }
  values(rock) {
    const rows = rock.values.length, columns = Array.isArray(rock.values[0]) ? rock.values[0].length : 1;
    return [element("p", {class: "hint", id: this.name + "-source"}, `${rock.source ?? "as given"}: ${columns === 1 ? `a value for each of ${rows} rows` : `${rows} rows of ${columns} cells`}`),
      element("button", {type: "button", id: this.name + "-upload", onclick: () => this.upload()}, "Another file"),
      element("p", {class: "hint"}, "CSV: a value a line (a profile), depth and value (a log), or a line of cells for each row (a map).")];
  }
}
