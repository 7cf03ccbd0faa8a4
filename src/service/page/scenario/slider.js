// A slider beside a number.
import {element} from "../dom.js";
import {digits, unitText} from "../numbers.js";

/// Marks what lies outside [trained.min, trained.max]; changed(value) follows each movement.
export class Slider {
  constructor(id, {label, unit, low, high, step, trained, isLog}, changed) {
    Object.assign(this, {trained, isLog, changed, unit: unitText(unit)});
    const told = `${id}-unit ${id}-outside`;
    const to = isLog ? Math.log10 : x => x;
    this.range = element("input", {type: "range", id: id + "-range", min: to(low), max: to(high),
      step: isLog ? "0.01" : step ?? digits((high - low) / 200), "aria-label": label, "aria-describedby": id + "-outside"});
    this.number = element("input", {type: "number", id, min: low, max: high, step: "any", "aria-describedby": told});
    this.outside = element("span", {class: "outside", id: id + "-outside"});
    this.root = element("div", {class: "slider"}, element("label", {for: id}, label), this.range, this.number,
      element("span", {class: "unit", id: id + "-unit"}, this.unit), this.outside);
    this.range.addEventListener("input", () => this.take(digits(isLog ? 10 ** Number(this.range.value) : Number(this.range.value))));
    this.number.addEventListener("input", () => this.number.value !== "" && this.take(Number(this.number.value), true));
  }
  take(value, isTyped = false) {
    this.show(value, isTyped);
    this.changed(value);
  }
  /// Shows a value that comes from elsewhere.
  show(value, isTyped = false) {
    this.range.value = this.isLog ? Math.log10(Math.max(value, 1e-9)) : value;
    this.range.setAttribute("aria-valuetext", `${value} ${this.unit}`.trim());
    if (!isTyped) this.number.value = value;
    const {trained} = this;
    const isOutside = trained && (value < trained.min * (1 - 1e-6) || value > trained.max * (1 + 1e-6));
    this.outside.textContent = isOutside ? `outside the training (${digits(trained.min)} to ${digits(trained.max)})` : "";
  }
  set isShown(is) { this.root.hidden = !is; }
}
