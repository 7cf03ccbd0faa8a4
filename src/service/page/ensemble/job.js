// A job of the service: an ensemble that is drawn and predicted there.

import {pause} from "../service.js";

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

  /// Tells progress until the job has ended, and returns what it found.
  async follow(told) {
    for (;;) {
      const response = await this.service.ask(`${this.url}/events`, {accept: "text/event-stream"});
      for await (const data of eventsOf(response.body)) told(data);
      const found = await this.service.json(this.url);
      if (!underWay.has(found.state)) return found;  // else the stream was cut off
      await pause(1);
    }
  }
  cancel() { return this.service.ask(this.url, {method: "DELETE"}); }
  /// The case of a realization, as requests have it.
  async realization(k) { return (await this.service.json(`${this.url}/cases/${k}`)).cases[0]; }
  async data() { return (await this.service.ask(`${this.url}/data`, {accept: "application/x-hdf5"})).blob(); }
}
