// The editor of a schedule: constant rates one after the other.
import {at, element} from "../dom.js";
import {days} from "../numbers.js";

const first = [{until: 5 * days, rate: 0.5}, {until: 15 * days, rate: 1}];

export class ScheduleEditor {
  /// changed(schedule or undefined) follows each change.
  constructor(changed) {
    this.changed = changed;
    at("add-period").onclick = () => {
      const last = this.periods.at(-1);
      this.periods.push(last ? {until: last.until + 5 * days, rate: last.rate} : {...first[0]});
      this.build();
      this.tell();
    };
    at("changes").onchange = () => {
      this.show(at("changes").checked ? this.kept ?? structuredClone(first) : undefined);
      this.tell();
    };
  }
  tell() { this.changed(this.periods && structuredClone(this.periods)); }
  show(schedule) {
    if (this.periods) this.kept = this.periods;
    this.periods = schedule && structuredClone(schedule);
    at("changes").checked = Boolean(schedule);
    at("schedule").hidden = !schedule;
    this.build();
  }
  build() { at("periods").replaceChildren(...(this.periods ?? []).map((period, i) => this.line(period, i))); }
  remove(i) {
    this.periods.splice(i, 1);
    this.build();
    at("add-period").focus();
    this.tell();
  }
  line(period, i) {
    const number = (label, value, min, take) => element("td", {}, element("input", {type: "number", min, step: "any", value,
      "aria-label": `${label} of period ${i + 1}`, oninput: event => { take(Number(event.target.value)); this.tell(); }}));
    return element("tr", {}, number("end [years]", Number((period.until / days).toPrecision(6)), 0.1, value => { period.until = value * days; }),
      number("rate [Mt/year]", period.rate, 0, value => { period.rate = value; }),
      element("td", {}, element("button", {type: "button", "aria-label": `Remove period ${i + 1}`,
        onclick: () => this.remove(i)}, "\u00d7")));
  }
}
