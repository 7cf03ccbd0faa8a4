// A job of the service: an ensemble that is drawn and predicted there.

import {pause, Refusal} from "../service.js";

const underWay = new Set(["waiting", "running"]);

/// The data of the events of a stream.
export async function* eventsOf(stream) {
  let text = "";
  const decoder = new TextDecoder(), reader = stream.getReader();
  for (;;) {
    const {value, done} = await reader.read();
    text += decoder.decode(value ?? new Uint8Array(), {stream: !done}).replaceAll("\r\n", "\n");
    for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
      const data = text.slice(0, end).split("\n").filter(line => line.startsWith("data:")).map(line => line.slice(5)).join("\n");
      if (data) yield JSON.parse(data);
    }
    if (done) return;
  }
}

export class Job {
  constructor(service, started) { Object.assign(this, {service, url: `v1/ensembles/${started.id}`}); }
  static async start(service, body) { return new Job(service, await (await service.post("v1/ensembles", body)).json()); }

  /// Tells progress until the job has ended, and returns what it found. Where the stream of events is refused or breaks off, the
  /// job itself is asked; where that is not answered either, tells the state "unknown" and asks again.
  async follow(told) {
    let last = {done: 0, number: 1};
    for (;;) {
      const wait = await this.stream(data => told(last = data));
      try {
        const found = await this.service.json(this.url, {attempts: 1});
        if (!underWay.has(found.state)) return found;
        told(last = found);
      } catch (error) {
        if (!(error instanceof Refusal && error.isPassing)) throw error;
        told({...last, state: "unknown"});
      }
      await pause(wait);
    }
  }
  /// Tells progress while a stream of events lasts; returns after how many seconds another is worth asking for.
  async stream(told) {
    try {
      const response = await this.service.ask(`${this.url}/events`, {accept: "text/event-stream", attempts: 1});
      for await (const data of eventsOf(response.body)) told(data);
    } catch (error) {
      return Math.min(Math.max(error.wait ?? 0, 1), 5);
    }
    return 1;
  }
  /// Cancels the job; one that has ended meanwhile stays as it is.
  async cancel() { await this.service.ask(`${this.url}?forget=false`, {method: "DELETE"}); }
  /// The case of a realization, as requests have it.
  async realization(k) { return (await this.service.json(`${this.url}/cases/${k}`)).cases[0]; }
  async data() { return (await this.service.ask(`${this.url}/data`, {accept: "application/x-hdf5"})).blob(); }
}
