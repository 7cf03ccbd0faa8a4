// The page: scenarios, what the service answers for them, and what ties both together.
import {at, chooseFile, element, options, save} from "./dom.js";
import {Downloads} from "./downloads.js";
import {EnsembleView} from "./ensemble/ensemble.js";
import {Painting} from "./rock/painting.js";
import {properties} from "./rock/laws.js";
import {Results} from "./results/results.js";
import {say} from "./results/verdict.js";
import {fromFragment, read, toFragment, write} from "./scenario/files.js";
import {ScenarioForm} from "./scenario/form.js";
import {Inputs} from "./scenario/inputs.js";
import {LimitsForm} from "./scenario/limits.js";
import {Run} from "./scenario/run.js";
import {copyOf, freeName, fromCase, newScenario} from "./scenario/scenario.js";
import {most, Tabs} from "./scenario/tabs.js";
import {Service} from "./service.js";
import {startTheme} from "./theme.js";

class Page {
  constructor() {
    Object.assign(this, {runs: [], which: 0, models: []});
    this.service = new Service(() => { at("token-form").hidden = false; });
    this.results = new Results((run, row, column) => this.rockAt(run, row, column));
    this.limitsForm = new LimitsForm(() => this.changed(true));
    this.painting = new Painting(() => { this.form.showPainted(); this.changed(); });
    this.tabs = new Tabs({choose: i => this.choose(i), rename: name => this.rename(name), remove: () => this.remove(),
      add: () => this.add(newScenario(this.inputs, this.nameFor("Scenario"))), copy: () => this.add(copyOf(this.active.data, this.names))});
    this.downloads = new Downloads(this);
    this.ensemble = new EnsembleView((one, name) => this.openRealization(one, name), (title, sentence) => this.tell(title, sentence));
    for (const view of ["scenarios", "ensemble"]) at(`show-${view}`).onclick = () => this.view(view);
    at("model").onchange = () => this.take(at("model").value);
    at("way").onchange = () => this.changed(true);
    at("scenario").onsubmit = event => event.preventDefault();
    at("open").onclick = () => this.openFile();
    at("save").onclick = () => this.canSave() && save(write(this.state), "application/json", "scenarios.json");
    at("link").onclick = () => this.copyLink();
    at("get-request").onclick = () => this.canSave() && save(JSON.stringify(this.request, null, 1), "application/json", "request.json");
    at("token-form").onsubmit = event => { event.preventDefault(); this.service.useToken(at("token").value.trim()); this.start(); };
    startTheme(at("theme"), () => { this.results.redraw(); this.painting.draw(); });
    addEventListener("hashchange", () => this.openLink());
  }
  get active() { return this.runs[this.which]; }
  get names() { return this.runs.map(run => run.data.name); }
  get way() { return at("way").value; }
  get limits() { return this.limitsForm.data; }
  get isCalibrated() { return Boolean(this.inputs.model.calibrated?.bands) && this.way === "predict"; }
  /// How runs are computed.
  get how() {
    const own = this.inputs.model.fields.map(field => field.name), bands = own.flatMap(name => [name + "_low", name + "_high"]);
    const fields = own.includes("gas_saturation") ? [...own, "trapped_gas_saturation"] : own;
    return {service: this.service, inputs: this.inputs, way: this.way, limits: this.limits,
      ...(this.isCalibrated ? {fields: [...fields, ...bands], more: {uncertainty: true}} : {fields, more: {}})};
  }
  get state() { return {model: this.inputs.model.name, way: this.way, limits: this.limits, scenarios: this.runs.map(run => run.data)}; }
  /// The body of a request for all scenarios.
  get request() { return {...this.runs[0].body(this.how), cases: this.runs.flatMap(run => run.body(this.how).cases)}; }
  nameFor(wanted) { return freeName(wanted, this.names); }

  /// Learns the models and begins with the scenarios of the link, or with one.
  async start() {
    try {
      const [{models}, description] = await Promise.all([this.service.json("v1/models"), this.service.json("openapi.json")]);
      Object.assign(this, {models, described: description.components.schemas.Case.properties});
    } catch (error) {
      say("refused", error.isGone ? "The service does not answer" : "The models are not shown", [error.message]);
      if (error.isGone) this.service.back().then(() => this.start());
      return;
    }
    at("token-form").hidden = true;
    at("model").replaceChildren(...options(this.models.map(({name}) => [name, name])));
    this.take(this.models[0].name, true);
    if (!await this.openLink()) this.replace([newScenario(this.inputs, "Scenario")]);
  }
  inputsOf(name) {
    const model = this.models.find(each => each.name === name);
    const names = this.models.map(each => each.name).join(", ");
    if (!model) throw new Error(`model '${name}' is not served here (there is ${names}); serve it, or name one of them in the file`);
    return new Inputs(model, this.described);
  }
  /// Takes a model; the scenarios stay, without inputs that it does not have.
  take(name, isQuiet = false) {
    this.inputs = this.inputsOf(name);
    at("model").value = name;
    this.results.take(this.inputs.model);
    this.form = new ScenarioForm(this.inputs, {changed: () => this.changed(), refused: sentence => this.tell("Not taken", sentence),
      paint: property => this.painting.open(property)});
    if (isQuiet) return;
    this.showForm();
    this.computeAll();
  }
  /// Shows scenarios or an ensemble.
  view(wanted) {
    for (const view of ["scenarios", "ensemble"]) at(`show-${view}`).setAttribute("aria-pressed", String(view === wanted));
    at("results").hidden = wanted !== "scenarios";
    at("ensemble").hidden = wanted !== "ensemble";
  }
  /// A realization as a scenario, in the place of the last one where there is no room.
  openRealization(one, name) {
    if (this.runs.length === most) this.runs.pop().end();
    this.view("scenarios");
    this.add(fromCase(one, this.inputs, this.nameFor(name)));
    at("results").focus();
  }
  replace(scenarios) {
    for (const run of this.runs) run.end();
    Object.assign(this, {runs: scenarios.map(data => new Run(data)), which: 0});
    this.showForm();
    this.computeAll();
  }
  add(data) {
    if (this.runs.length >= most) return;
    this.place(new Run(data));
    this.compute(this.active);
  }
  place(run) {
    this.which = this.runs.push(run) - 1;
    this.showForm();
  }
  remove() {
    this.runs.splice(this.which, 1)[0].end();
    this.which = Math.min(this.which, this.runs.length - 1);
    this.showForm();
    this.show();
  }
  choose(i) {
    this.which = i;
    this.showForm();
    this.show();
  }
  rename(name) {
    this.active.data.name = name;
    this.tabs.show(this.runs, this.which);
    this.show();
  }
  showForm() {
    const {active} = this;
    this.tabs.show(this.runs, this.which);
    at("inputs").hidden = active.isDataset;
    at("dataset").hidden = !active.isDataset;
    if (!active.isDataset) this.form.show(active.data);
    this.painting.take(active.isDataset ? undefined : active.data, this.inputs);
    this.showDataset();
  }
  showDataset() {
    const {active} = this, last = (active.data.cases ?? 1) - 1;
    if (!active.isDataset) return;
    const take = event => {
      const wanted = Number(event.target.value);
      if (event.target.value === "" || !event.target.checkValidity() || wanted === active.data.case) return;
      active.data.case = wanted;
      this.changed();
    };
    const choice = element("input", {id: "case", type: "number", min: 0, max: last, step: 1, value: active.data.case, oninput: take});
    const label = element("label", {for: "case"}, "Case ", choice, ` of 0 to ${last}`);
    if (at("dataset").contains(document.activeElement)) return;  // of the same data set, or the focus would be lost
    at("dataset").replaceChildren(`The inputs are those of ${active.data.file}. `, label);
  }
  /// A person has changed the scenario in the form, or with `all` what concerns each of them.
  changed(all = false) {
    this.tell();
    if (all) this.computeAll(); else this.compute(this.active);
  }
  compute(run) {
    if (run === this.active && this.painting.isOpen) this.painting.refresh();
    at("results").setAttribute("aria-busy", "true");
    run.compute(() => this.how, () => this.computed(run));
  }
  computeAll() { for (const run of this.runs) this.compute(run); }
  computed(run) {
    if (!this.runs.includes(run)) return;
    if (run.problem?.isGone && !this.isWaiting) {
      this.isWaiting = true;
      this.service.back().then(() => { this.isWaiting = false; this.computeAll(); });
    }
    if (run === this.active && !run.isComputing) this.showDataset();
    this.show();
  }
  show() {
    this.results.show(this.runs, this.limitsForm.missing);
    this.ensemble.take(this.active.isDataset ? undefined : this.active.data, this.how);
  }

  /// A sentence above the results; none without one.
  tell(title = "", sentence = "") {
    at("notice").hidden = !title;
    at("notice").replaceChildren(...(title ? [element("strong", {}, `${title}: `), sentence] : []));
  }
  /// [title, value, unit] of the rock in a cell.
  rockAt(run, row, column) {
    if (run.isDataset) return [];
    return Object.values(properties).map(({input, unit}) => [this.inputs.all[input].long_name, run.rockAt(input, row, column), unit]);
  }

  /// Whether all scenarios can be written down; says so where one cannot.
  canSave() {
    const isDataset = this.runs.some(run => run.isDataset);
    if (isDataset) this.tell("Not saved", "the cases of a data set stay in their file; remove them first.");
    return !isDataset;
  }
  async copyLink() {
    if (!this.canSave()) return;
    const fragment = await toFragment(this.state);
    if (!fragment) return this.tell("No link", "the rock is too large for one; save the scenarios as a file.");
    history.replaceState(null, "", fragment);
    try { await navigator.clipboard.writeText(location.href); } catch { /* the address line has it */ }
    at("link").textContent = "The address is the link";
    setTimeout(() => { at("link").textContent = "Copy a link"; }, 3000);
  }
  async openLink() {
    try {
      const text = await fromFragment(location.hash);
      if (text === undefined) return false;
      await this.openText(text, "the link");
      return true;
    } catch (error) {
      this.tell("Not opened", `the link: ${error.message}`);
      return this.runs.length > 0;
    }
  }
  async openFile() {
    this.tell();
    const file = await chooseFile(".json,.h5,.hdf5,application/json,application/x-hdf5");
    if (!file) return;
    try {
      if (/\.(h5|hdf5)$/i.test(file.name)) await this.openDataset(file);
      else await this.openText(await file.text());
    } catch (error) { this.tell("Not opened", `${file.name}: ${error.message}`); }
  }
  /// Takes the scenarios of a file once the service has taken each of them.
  async openText(text) {
    const {inputs, way = this.way, limits, scenarios} = read(text, name => this.inputsOf(name ?? this.inputs.model.name), most);
    const how = {...this.how, way, inputs, limits: JSON.parse(JSON.stringify(limits))};
    for (const data of scenarios) await new Run(data).ask(how);
    this.take(inputs.model.name, true);
    at("way").value = way;
    this.limitsForm.show(limits);
    this.replace(scenarios);
  }
  async openDataset(file) {
    if (this.runs.length >= most) throw new Error(`there are ${most} scenarios already; remove one first`);
    const {how} = this, name = this.nameFor(file.name.replace(/\.[^.]*$/, ""));
    const run = new Run({name, file: file.name, case: 0, bytes: await file.arrayBuffer()});
    run.take(await (await run.ask(how, {fields: how.fields, ...how.more})).json(), how);
    this.place(run);
    this.show();
  }
}

const page = new Page();
page.start();
