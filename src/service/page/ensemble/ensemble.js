// The view of ensembles: what is drawn, its progress, what it found.
import {at, element, save} from "../dom.js";
import {csv} from "../csv_file.js";
import {figureTitle} from "../results/figures.js";
import {caseOf} from "../scenario/scenario.js";
import {Job} from "./job.js";
import {Outcome} from "./outcome.js";
import {Ranges} from "./ranges.js";

const limited = {max_buildup: "bar", bottom_hole_pressure: "bar", "plume_radius_0.01": "m"};
const computed = (done, number) => `${done} of ${number} computed`;
const states = {waiting: () => "waits for its turn", running: computed, done: computed, failed: () => "failed",
  cancelled: (done, number) => `cancelled after ${done} of ${number}`,
  unknown: (done, number) => `${computed(done, number)} when the service last answered; it is asked again`};

/// What was drawn and found of each realization.
function realizationsCsv({inputs, figures, cases}) {
  const unitOf = ({unit, as}) => as === "multiplier" ? "times" : unit;
  const columns = [...inputs, ...figures], heads = columns.map(column => `${column.name} [${unitOf(column)}]`);
  const line = ({verdict, reasons, notes}, k) => [k, verdict, [...reasons, ...notes].join("; "), ...columns.map(({values}) => values[k])];
  return csv([["realization", "verdict", "reasons and notes", ...heads], ...cases.map(line)]);
}

export class EnsembleView {
  /// open(case, name) is told of a realization that is to be a scenario, failed(title, sentence) of what goes wrong.
  constructor(open, failed) {
    Object.assign(this, {open, failed, ranges: element("div"), title: element("h2"), outcome: element("div", {id: "outcome"})});
    const button = (id, text, onclick) => element("button", {type: "button", id, onclick}, text);
    this.progress = element("progress", {id: "progress", max: 1, value: 0, "aria-label": "Progress", hidden: true});
    this.state = element("span", {id: "ensemble-state", role: "status", "aria-live": "polite"});
    this.startButton = button("start-ensemble", "Start", () => this.start());
    this.cancelButton = button("cancel-ensemble", "Cancel", () => this.cancel());
    this.dataButton = button("get-ensemble", "HDF5 of realizations", () => this.guard("Nothing was downloaded", () => this.download()));
    this.tableButton = button("get-ensemble-csv", "CSV of realizations", () => save(realizationsCsv(this.found), "text/csv", "realizations.csv"));
    this.startButton.className = "primary";
    this.cancelButton.disabled = true;
    this.dataButton.hidden = this.tableButton.hidden = true;
    const number = (id, text, value, min) => element("label", {}, text + " ", element("input", {type: "number", id, min, step: 1, value}));
    at("ensemble").replaceChildren(element("div", {class: "panel"}, this.title, element("div", {class: "ensemble-form"}, this.ranges, this.limitsForm()),
      element("div", {class: "bar"}, number("number", "Realizations", 50, 2), number("seed", "Seed", 1, 0), this.startButton, this.cancelButton,
        this.progress, this.state, this.dataButton, this.tableButton)), this.outcome);
  }
  limitsForm() {
    const line = ([name, unit]) => element("div", {class: "given"}, element("label", {for: `limit-${name}`}, figureTitle({name})),
      element("input", {type: "number", id: `limit-${name}`, min: 0, step: "any"}), element("span", {class: "unit"}, unit));
    return element("div", {}, element("h2", {}, "Count realizations that exceed"), ...Object.entries(limited).map(line));
  }
  /// The scenario that realizations are drawn about.
  take(data, how) {
    const isOther = data !== this.data || how.inputs !== this.how?.inputs || Boolean(data?.schedule) !== this.isScheduled;
    Object.assign(this, {data, how, isScheduled: Boolean(data?.schedule)});
    this.title.textContent = data ? `Realizations of ${data.name}${how.way === "estimate" ? ", by physics alone" : ""}` : "Choose a scenario whose inputs are in the form";
    this.startButton.disabled = !data || Boolean(this.isRunning);
    if (!data) return;
    if (!isOther) return this.form.follow(data);
    this.form = new Ranges(how.inputs, data);
    this.ranges.replaceChildren(this.form.root);
  }
  get limits() {
    const given = Object.keys(limited).map(name => [name, at(`limit-${name}`).value]).filter(([, value]) => value !== "");
    return Object.fromEntries(given.map(([name, value]) => [name, Number(value)]));
  }
  get request() {
    const {how, limits} = this;
    return {model: how.inputs.model.name, method: how.way, case: caseOf(this.data, how.inputs), ...this.form.data,
      number: Number(at("number").value), seed: Number(at("seed").value), ...how.limits, ...(Object.keys(limits).length ? {limits} : {})};
  }
  async guard(title, task) {
    try { await task(); } catch (error) { if (error.name !== "AbortError") this.failed(title, error.message); }
  }
  async start() {
    const {limits, data: {name}} = this;
    this.outcome.replaceChildren();
    this.dataButton.hidden = this.tableButton.hidden = true;
    this.job = undefined;
    this.running = true;
    await this.guard("No ensemble", async () => {
      this.job = await Job.start(this.how.service, this.request);
      this.cancelButton.disabled = false;
      const found = await this.job.follow(told => this.tell(told));
      this.tell(found);
      if (found.state === "failed") throw new Error(found.problem);
      if (found.state === "done") this.show(found, limits, name);
    });
    this.running = false;
    this.dataButton.hidden = this.tableButton.hidden = !this.outcome.children.length;
  }
  /// Cancels the job that runs; may be pressed again only where that was refused.
  async cancel() {
    const {job} = this;
    this.cancelButton.disabled = true;
    await this.guard("Not cancelled", async () => {
      try { await job.cancel(); } catch (error) {
        this.cancelButton.disabled = !(this.isRunning && job === this.job);
        throw error;
      }
    });
  }
  set running(is) {
    this.isRunning = is;
    this.startButton.disabled = is || !this.data;
    this.cancelButton.disabled = true;  // until there is a job
    this.progress.hidden = !is;
    if (is) this.tell({state: "waiting", done: 0, number: 1});
  }
  tell({state, done, number}) {
    Object.assign(this.progress, {max: number, value: done});
    this.state.textContent = states[state](done, number);
  }
  show(found, limits, name) {
    this.found = found;
    const {job} = this, open = async k => this.open(await job.realization(k), `${name}, realization ${k}`);
    new Outcome(this.outcome, found, limits, k => this.guard("Not opened", () => open(k)));
  }
  async download() { save(await this.job.data(), "", "realizations.h5"); }
}
