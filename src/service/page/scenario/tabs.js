// The row of scenarios: which is in the form, its name, add, copy, remove.
import {at, element} from "../dom.js";

export const most = 4;

export class Tabs {
  /// told has choose(i), rename(text), add(), copy(), remove().
  constructor(told) {
    this.told = told;
    at("add").onclick = told.add;
    at("copy").onclick = told.copy;
    at("remove").onclick = told.remove;
    at("name").oninput = () => at("name").value.trim() && told.rename(at("name").value.trim());
  }
  show(runs, active) {
    const tabs = runs.map((run, i) => element("button", {type: "button", class: "tab", id: `scenario-${i + 1}`,
      "aria-pressed": String(i === active), onclick: () => this.told.choose(i)},
      element("i", {class: `colour${i}`}), run.data.name));
    const focused = [...at("tabs").children].indexOf(document.activeElement);
    at("tabs").replaceChildren(...tabs);
    tabs[focused]?.focus();
    at("add").disabled = at("copy").disabled = runs.length >= most;
    at("remove").disabled = runs.length < 2;
    if (document.activeElement !== at("name")) at("name").value = runs[active].data.name;
  }
}
