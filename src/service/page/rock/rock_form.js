// The form of one property of rock: the law and what it takes.
import {chooseFile, element, options} from "../dom.js";
import {digits} from "../numbers.js";
import {Slider} from "../scenario/slider.js";
import {rockOf} from "./csv.js";
import {laws, properties, startOf} from "./laws.js";

const lengths = {
  length_r: {label: "horizontal correlation length", unit: "m", low: 10, high: 20000, isLog: true},
  length_z: {label: "vertical correlation length", unit: "m", low: 0.5, high: 100, isLog: true}
};

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
  /// Takes other rock; the focus then is where it was, or at `next`.
  set(rock, next = document.activeElement?.id) {
    const {painted} = this.data.rock[this.name];
    this.data.rock[this.name] = painted ? {...rock, painted} : rock;
    this.show(this.data);
    if (next) document.getElementById(next)?.focus();
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
    } catch (error) {
      this.refused(`${file.name}: ${error.message}`);
    }
  }
  slider(id, bounds, rock, entry) {
    const slider = new Slider(id, bounds, value => { rock[entry] = value; this.changed(); });
    slider.show(rock[entry]);
    return slider.root;
  }
  homogeneous(rock) { return [this.slider(properties[this.name].input, this.bounds, rock, "value")]; }
  gaussian(rock) {
    const {isLog} = properties[this.name], id = entry => `${this.name}-${entry}`;
    const deviation = {label: isLog ? "standard deviation of its natural logarithm" : "standard deviation", unit: "1", low: 0, high: isLog ? 3 : 0.1};
    return [this.slider(id("mean"), {...this.bounds, label: isLog ? "geometric mean" : "mean"}, rock, "mean"),
      this.slider(id("deviation"), deviation, rock, "deviation"),
      ...Object.entries(lengths).map(([name, bounds]) => this.slider(id(name), bounds, rock, name)), this.seed(rock, id)];
  }
  seed(rock, id) {
    const take = event => {
      if (event.target.value === "") return;
      rock.seed = Math.floor(Number(event.target.value));
      this.changed();
    };
    const seed = element("input", {type: "number", id: id("seed"), min: 0, max: 4294967295, step: 1, value: rock.seed, oninput: take});
    const another = () => { seed.value = ++rock.seed; this.changed(); };
    return element("div", {class: "line"}, element("label", {for: seed.id}, "seed "), seed, " ",
      element("button", {type: "button", id: id("another"), onclick: another}, "Another"));
  }
  layered(rock) {
    const {unit} = properties[this.name], head = text => element("th", {scope: "col"}, text);
    const add = () => { rock.layers.push({...rock.layers.at(-1)}); this.set(rock); };
    return [element("table", {}, element("thead", {}, element("tr", {}, head("thickness [m]"), head(unit ? `value [${unit}]` : "value"), element("td"))),
      element("tbody", {}, ...rock.layers.map((layer, i) => this.layer(rock, layer, i)))),
      element("button", {type: "button", id: this.name + "-add-layer", onclick: add}, "Add a layer"),
      element("p", {class: "hint"}, "From the top down; the last one reaches to the bottom.")];
  }
  layer(rock, layer, i) {
    const take = entry => event => {
      if (event.target.value === "") return;
      layer[entry] = Number(event.target.value);
      this.changed();
    };
    const cell = (entry, label) => element("td", {}, element("input", {type: "number", min: 0, step: "any", value: digits(layer[entry]),
      id: `${this.name}-${entry}-${i}`, "aria-label": `${label} of layer ${i + 1} from the top`, oninput: take(entry)}));
    const remove = () => { rock.layers.splice(i, 1); this.set(rock, `${this.name}-add-layer`); };
    return element("tr", {}, cell("thickness", "thickness [m]"), cell("value", this.bounds.label), element("td", {},
      element("button", {type: "button", "aria-label": `Remove layer ${i + 1}`, disabled: rock.layers.length === 1, onclick: remove}, "\u00d7")));
  }
  values(rock) {
    const rows = rock.values.length, columns = Array.isArray(rock.values[0]) ? rock.values[0].length : 1;
    const size = columns === 1 ? `a value for each of ${rows} rows` : `${rows} rows of ${columns} cells`;
    return [element("p", {class: "hint", id: this.name + "-source"}, `${rock.source ?? "as given"}: ${size}`),
      element("button", {type: "button", id: this.name + "-upload", onclick: () => this.upload()}, "Another file"),
      element("p", {class: "hint"}, "CSV: a value a line (a profile), depth and value (a log), or a line of cells for each row (a map).")];
  }
}
