// A scenario, or a case of a data set file, with the answer to it. A request in flight is superseded, not queued.
import {caseOf} from "./scenario.js";

const afterwards = 30;  // days after a change of the rate at which a schedule is computed too

/// The times of a model, and those at which the rates of a scenario change, where these are free to choose. Those at one rate are the service's.
function timesOf({schedule}, {inputs: {model: {times}}, way}) {
  if (!schedule || way !== "estimate" || !times.length) return {};
  const ends = schedule.flatMap(({until}) => [until, until + afterwards]).filter(day => day > 0 && day < times.at(-1));
  return {times: [...new Set([...times, ...ends])].sort((a, b) => a - b)};
}

const pause = 60;  // milliseconds in which changes are joined

export class Run {
  /// data of a scenario, or {name, file, case, bytes} of a case of a data set, to which the answer adds how many there are.
  constructor(data) { Object.assign(this, {data, isComputing: false}); }
  get isDataset() { return this.data.bytes !== undefined; }

  body({inputs, limits}) { return {model: inputs.model.name, cases: [caseOf(this.data, inputs)], ...limits}; }

  /// Asks for this run: how is {service, inputs, way, limits, fields}; more are further entries of a request, or fields of a data set.
  ask(how, {accept, signal, fields, ...more} = {}) {
    const {service, inputs, way, limits} = how;
    if (!this.isDataset) {
      const body = this.body(how);
      this.asked = body.cases[0];
      return service.post(`v1/${way}`, {...body, ...timesOf(this.data, how), ...(fields ? {fields} : {}), ...more}, {accept, signal});
    }
    const query = new URLSearchParams({model: inputs.model.name, cases: this.data.case});
    if (fields) query.set("fields", fields.join(","));
    if (more.uncertainty) query.set("uncertainty", "true");
    if (limits.buildup_limit !== undefined) query.set("buildup_limit", limits.buildup_limit);
    if (limits.measure !== undefined) query.set("measure", JSON.stringify(limits.measure));
    if (more.picture) query.set("picture", JSON.stringify(more.picture));
    return service.ask(`v1/${way}?${query}`, {method: "POST", type: "application/x-hdf5", body: this.data.bytes, accept, signal});
  }

  /// What was asked for as the value of an input in a cell.
  rockAt(input, row, column) {
    const values = this.asked?.[input], inRow = Array.isArray(values) ? values[row] : values;
    return Array.isArray(inRow) ? inRow[column] : inRow;
  }
  /// Computes it in a moment, as how() then says; done() is called when it is there.
  compute(how, done) {
    clearTimeout(this.timer);
    this.isComputing = true;
    this.timer = setTimeout(() => this.start(how(), done), pause);
  }
  async start(how, done) {
    this.flight?.abort();
    const flight = this.flight = new AbortController();
    try {
      const answer = await (await this.ask(how, {signal: flight.signal, fields: how.fields, ...how.more})).json();
      if (this.flight !== flight) return;
      this.take(answer, how);
    } catch (error) {
      if (error.name === "AbortError" || this.flight !== flight) return;
      // The figures of an earlier scenario would be taken for those of this one.
      Object.assign(this, {answer: undefined, problem: error});
    }
    this.isComputing = false;
    done();
  }
  take(answer, {inputs}) {
    Object.assign(this, {answer, problem: undefined, fields: inputs.model.fields, inputs});
    if (this.isDataset) this.data.cases = answer.data_set.cases;
  }
  end() {
    clearTimeout(this.timer);
    this.flight?.abort();
    this.flight = undefined;
  }
}
