// The view of ensembles: what is drawn, its progress, what it found.
import {at, element, save} from "../dom.js";
import {caseOf} from "../scenario/scenario.js";
import {figureTitle} from "../results/figures.js";
import {Job} from "./job.js";
import {Outcome} from "./outcome.js";
import {Ranges} from "./ranges.js";

const limited = {max_buildup: "bar", bottom_hole_pressure: "bar", "plume_radius_0.01": "m"};

export class EnsembleView {
  /// open(case, name) is told of a realization that is to be a scenario, failed(title, sentence) of what goes wrong.
  constructor(open, failed) {
    Object.assign(this, {open, failed});
    const number = (id, text, value, min) => element("label", {}, text + " ", element("input", {type: "number", id, min, step: id.startsWith("limit") ? "any" : 1, value}));
    this.ranges = element("div");
    this.title = element("h2");
    this.progress = element("progress", {id: "progress", max: 1, value: 0, "aria-label": "Progress", hidden: true});
    this.state = element("span", {id: "ensemble-state", role: "status", "aria-live": "polite"});
    this.startButton = element("button", {type: "button", id: "start-ensemble", onclick: () => this.start()}, "Start");
    this.cancelButton = element("button", {type: "button", id: "cancel-ensemble", disabled: true, onclick: () => this.cancel()}, "Cancel");
    this.dataButton = element("button", {type: "button", id: "get-ensemble", hidden: true, onclick: () => this.guard("Nothing was downloaded", async () => save(await this.job.data(), "", "realizations.h5"))}, "HDF5 of realizations");
    const limits = Object.entries(limited).map(([name, unit]) => element("div", {class: "given"}, element("label", {for: `limit-${name}`}, figureTitle(name)), element("input", {type: "number", id: `limit-${name}`, min: 0, step: "any"}), element("span", {class: "unit"}, unit)));
    this.outcome = element("div", {id: "outcome"});
    at("ensemble").replaceChildren(element("div", {class: "panel"}, this.title, element("div", {class: "ensemble-form"}, this.ranges, element("div", {}, element("h2", {}, "Count realizations that exceed"), ...limits)),
      element("div", {class: "bar"}, number("number", "Realizations", 50, 2), number("seed", "Seed", 1, 0), this.startButton, this.cancelButton, this.progress, this.state, this.dataButton)), this.outcome);
  }
  /// The scenario that realizations are drawn about.
  take(data, how) {
    const isOther = data !== this.data || how.inputs !== this.how?.inputs || Boolean(data?.schedule) !== this.isScheduled;
    Object.assign(this, {data, how, isScheduled: Boolean(data?.schedule)});
    this.title.textContent = data ? `Realizations of ${data.name}` : "Choose a scenario whose inputs are in the form";
    this.startButton.disabled = !data || Boolean(this.isRunning);
    if (!data || !isOther) return;
    this.form = new Ranges(how.inputs, data);
    this.ranges.replaceChildren(this.form.root);
  }
  get limits() {
    const given = Object.keys(limited).map(name => [name, at(`limit-${name}`).value]).filter(([, value]) => value !== "");
    return Object.fromEntries(given.map(([name, value]) => [name, Number(value)]));
  }
  async guard(title, task) {
    try { await task(); } catch (error) { if (error.name !== "AbortError") this.failed(title, error.status === 404 ? `${error.message}; this service may have no ensembles` : error.message); }
  }
  async start() {
    const {how, limits} = this, name = this.data.name;
    this.job?.leave();
    this.outcome.replaceChildren();
    this.running = true;
    await this.guard("No ensemble", async () => {
      const job = this.job = await Job.start(how.service, {model: how.inputs.model.name, case: caseOf(this.data, how.inputs), ...this.form.data, number: Number(at("number").value), seed: Number(at("seed").value), ...how.limits,
        ...(Object.keys(limits).length ? {limits} : {})});
      const found = await job.follow(told => this.tell(told));
      if (job !== this.job) return;
      this.tell(found);
      if (found.state === "failed") throw new Error(found.problem);
      if (found.state === "done") this.show(found, limits, name);
    });
    this.running = false;
  }
  set running(is) {
    this.isRunning = is;
    this.startButton.disabled = is || !this.data;
    this.cancelButton.disabled = !is;
    this.progress.hidden = !is;
    this.dataButton.hidden = true;
    if (is) this.tell({state: "waiting", done: 0, number: 1});
  }
  tell({state, done, number}) {
    Object.assign(this.progress, {max: number, value: done});
    this.state.textContent = {waiting: "waits for its turn", running: `${done} of ${number} computed`, done: `${done} of ${number} computed`, failed: "failed", cancelled: `cancelled after ${done} of ${number}`}[state] ?? state;
  }
  cancel() { return this.guard("Not cancelled", () => this.job.cancel()); }
  show(found, limits, name) {
    const {job} = this;
    new Outcome(this.outcome, found, limits, k => this.guard("Not opened", async () => this.open(await job.realization(k), `${name}, realization ${k}`)));
    setTimeout(() => { this.dataButton.hidden = false; });
  }
}
