// The results of all scenarios: verdicts, figures, maps with one time and one scale, curves.
import {at, element, options} from "../dom.js";
import {nearest, timeText} from "../numbers.js";
import {showCurves} from "./curves.js";
import {showFigures} from "./figures.js";
import {cellOf, FieldMap} from "./maps.js";
import {showVerdicts} from "./verdict.js";
import {fieldsOf, hasBounds, labelOf, mapViews, probeText} from "./views.js";

const frames = 250;  // milliseconds for a time while it plays

export class Results {
  /// rockOf(run, row, column) has [title, value, unit] of the rock of a cell.
  constructor(rockOf) {
    Object.assign(this, {rockOf, runs: [], maps: [], model: null, place: null});
    for (const id of ["time", "field", "bound", "axis", "height"]) at(id).oninput = () => this.showTime();
    at("play").onclick = () => this.play(!this.timer);
  }
  take(model) {
    this.model = model;
    this.place = null;
    at("time").max = "0";
  }
  get now() { return Number(at("time").value); }
  /// Those of the run that ends last.
  get times() {
    const all = this.runs.filter(run => run.answer).map(run => run.answer.times);
    return all.reduce((longest, times) => times.at(-1) > (longest.at(-1) ?? -1) ? times : longest, []);
  }
  get day() { return this.times[this.now]; }
  get field() { return this.fields.find(each => each.name === at("field").value) ?? this.fields[0]; }
  get how() { return {bound: at("bound").value, day: this.day, axis: at("axis").value, isTrueScale: at("height").value === "true"}; }

  show(runs, missing) {
    this.runs = runs;
    at("results").setAttribute("aria-busy", String(runs.some(run => run.isComputing)));
    showVerdicts(runs);
    showFigures(runs, missing);
    this.fields = fieldsOf(runs, this.model);
    const chosen = at("field").value, names = this.fields.map(each => each.name);
    if (names.length && names.join() !== [...at("field").options].map(each => each.value).join()) {
      at("field").replaceChildren(...options(this.fields.map(each => [each.name, each.long_name])));
      if (names.includes(chosen)) at("field").value = chosen;
    }
    const slider = at("time"), last = String(Math.max(0, this.times.length - 1));
    if (this.times.length && slider.max !== last) {
      slider.max = last;
      slider.value = last;
    }
    this.placeMaps();
    this.showTime();
  }
  placeMaps() {
    const {maps, runs} = this;
    while (maps.length < runs.length) {
      const canvas = element("canvas", {tabindex: "0", role: "img", id: maps.length ? `map-${maps.length + 1}` : "map"});
      const title = element("figcaption", {}), figure = element("figure", {class: "map"}, title, canvas);
      maps.push({figure, title, map: new FieldMap(canvas, cell => this.probe(cell)), canvas});
      at("maps").append(figure);
    }
    while (maps.length > runs.length) maps.pop().figure.remove();
    at("maps").className = runs.length > 1 ? "several" : "";
  }
  showTime() {
    const {runs, maps, times, day} = this, text = times.length ? timeText(day) : "";
    at("time-text").textContent = text;
    at("time").setAttribute("aria-valuetext", text);
    at("bound-choice").hidden = !times.length || !hasBounds(runs, this.field.name);
    if (at("bound-choice").hidden) at("bound").value = "likely";
    this.views = times.length ? mapViews(runs, this.field, this.how) : runs.map(() => undefined);
    this.views.forEach((view, i) => {
      const {map, canvas} = maps[i];
      canvas.classList.toggle("flat", Boolean(view?.isTrueScale));
      if (view) map.show(view); else map.clear();
      const name = runs.length > 1 ? runs[i].data.name : "", isOther = view && view.day !== day;
      maps[i].title.replaceChildren(...(name ? [element("i", {class: `colour${i}`}), name + (isOther ? ` after ${timeText(view.day)}` : "")] : []));
      canvas.setAttribute("aria-label", view ? labelOf(view, this.field, name) : "No map: nothing was computed");
    });
    showCurves(runs, day, chosen => { at("time").value = nearest(times, chosen); this.showTime(); });
    this.probe(this.place);
  }
  probe(place) {
    const isKnown = place && this.views.some(view => view && cellOf(view, place));
    this.place = isKnown ? place : null;
    for (const {map} of this.maps) map.mark(this.place);
    const rockOf = (row, column) => this.rockOf(this.runs[0], row, column);
    at("probe").textContent = isKnown ? probeText(this.runs, this.views, this.field, place, rockOf)
      : "Point at a cell, or choose the map and use the arrow keys, to read its values.";
  }
  redraw() { for (const {map} of this.maps) map.draw(); }
  play(isStart) {
    clearInterval(this.timer);
    this.timer = isStart ? setInterval(() => {
      if (!this.times.length) return;
      at("time").value = (this.now + 1) % this.times.length;
      this.showTime();
    }, frames) : 0;
    at("play").setAttribute("aria-pressed", String(isStart));
    at("play").textContent = isStart ? "Stop" : "Play";
  }
}
