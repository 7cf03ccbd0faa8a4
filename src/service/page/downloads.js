// What the page hands out: files of results, pictures, tables and a printed report.
import {csv} from "./csv_file.js";
import {at, element, save} from "./dom.js";
import {capital, days, label, nearest, shown, timeText, withUnit} from "./numbers.js";
import {caseOfRun} from "./results/figures.js";
import {mapPart, svgFile, withStyles} from "./results/svg.js";
import {valuesOf} from "./results/views.js";

const fileName = text => text.replaceAll(/[^\p{L}\p{N}]+/gu, "_").replaceAll(/^_|_$/g, "") || "plume";

/// Series of all runs; runs with other times than the first have a column of their own for them.
function seriesCsv(runs) {
  const known = runs.filter(caseOfRun), {times} = known[0].answer;
  const head = (run, {name, unit}) => `${runs.length > 1 ? run.data.name + ": " : ""}${name} [${unit}]`;
  const timesOf = run => run.answer.times.join() === times.join() ? [] : [{name: "time", unit: "day", values: run.answer.times}];
  const columns = known.flatMap(run => [...timesOf(run), ...caseOfRun(run).series].map(series => ({head: head(run, series), values: series.values})));
  const count = Math.max(...known.map(run => run.answer.times.length));
  const lines = Array.from({length: count}, (_, i) => [times[i], ...columns.map(column => column.values[i])]);
  return csv([["time [day]", ...columns.map(column => column.head)], ...lines]);
}

/// All fields of a run in each cell at the time that is nearest to a day.
function mapCsv(run, day) {
  const {grid: {r_edges: r, z_edges: z}, fields, times} = run.answer, names = Object.keys(fields), now = nearest(times, day), lines = [];
  const unit = name => run.fields.find(each => each.name === name.replace(/_(low|high)$/, ""))?.unit ?? "1";
  for (let row = 0; row < z.length - 1; ++row) {
    for (let column = 0; column < r.length - 1; ++column) {
      const values = names.map(name => valuesOf(run, name)[now][row][column]);
      if (values.some(value => value != null)) lines.push([(r[column] + r[column + 1]) / 2, (z[row] + z[row + 1]) / 2 - z[0], ...values]);
    }
  }
  return csv([["radius [m]", "depth [m]", ...names.map(name => `${name} [${unit(name)}]`)], ...lines]);
}

/// The maps and curves that are shown, as one picture.
function picture({runs, views, field}) {
  const title = i => `${runs.length > 1 ? runs[i].data.name + ": " : ""}${field.long_name} after ${timeText(views[i].day)}`;
  const maps = views.map((view, i) => view && [mapPart(view, 900, 300), 900, 300, title(i)]).filter(Boolean);
  const curves = [...at("curves").querySelectorAll("figure")].map(figure => {
    const svg = withStyles(figure.querySelector("svg"));
    for (const [name, value] of Object.entries({width: 570, height: 300})) svg.setAttribute(name, value);
    return [svg, 570, 300, figure.querySelector("figcaption").innerText];
  });
  return svgFile([...maps, ...curves]);
}

const laws = {
  homogeneous: rock => shown(rock.value),
  layered: rock => rock.layers.map(({thickness, value}) => `${shown(value)} over ${shown(thickness)} m`).join(", "),
  gaussian: ({mean, deviation, length_r: r, length_z: z, seed}) =>
    `Gaussian, mean ${shown(mean)}, deviation ${shown(deviation)}, lengths ${shown(r)} and ${shown(z)} m, seed ${seed}`,
  values: rock => rock.source ?? "as given"
};
const lawText = rock => laws[rock.law](rock) + (rock.painted ? `, ${rock.painted.length} cells painted` : "");
const periodText = ({until, rate}) => `${shown(rate)} Mt/year until year ${shown(until / days)}`;

/// [title, text of a scenario] of each input.
function inputLines(inputs) {
  const value = name => ({schedule, inputs: values}) => schedule && name === "injection_rate" ? schedule.map(periodText).join(", ")
    : withUnit(values[name], inputs.all[name].unit);
  return [...inputs.scalars.map(name => [label(inputs.all[name].long_name), value(name)]),
    ["perforation", ({perforation: open}) => Array.isArray(open) ? "as given" : `${shown(open.top)} to ${shown(open.bottom)} m`],
    ["horizontal permeability [mD]", ({rock}) => lawText(rock.permeability)],
    ["vertical over horizontal permeability", ({rock: {vertical: {ratio}}}) => ratio === undefined ? "as given" : shown(ratio)],
    ["porosity", ({rock}) => lawText(rock.porosity)]];
}

/// The inputs of the scenarios as a table of the printed report.
function printedInputs(runs, inputs, limits) {
  const cell = (run, text) => element("td", {}, run.isDataset ? `in ${run.data.file}` : text(run.data));
  const line = ([title, text]) => element("tr", {}, element("th", {scope: "row"}, title), ...runs.map(run => cell(run, text)));
  const heads = runs.map(run => element("th", {scope: "col"}, run.data.name));
  const limit = ([title, value, unit]) => element("tr", {}, element("th", {scope: "row"}, title), element("td", {colspan: runs.length}, withUnit(value, unit)));
  return element("table", {}, element("thead", {}, element("tr", {}, element("th", {scope: "col"}, "Input"), ...heads)),
    element("tbody", {}, ...inputLines(inputs).map(line), ...limits.map(limit)));
}

export class Downloads {
  /// The page has results, limitsForm, runs, active, how, inputs and tell(title, sentence).
  constructor(page) {
    this.page = page;
    const {results} = page;
    const makers = {
      "get-hdf5": run => this.ask(run, "application/x-hdf5", ".h5"),
      "get-eclipse": run => this.ask(run, "application/zip", ".zip"),
      "get-json": run => this.ask(run, "application/json", ".json", {fields: page.how.fields, ...page.how.more}),
      "get-png": run => this.ask(run, "image/png", ".png", {picture: {field: results.field.name, time: results.day}}),
      "get-svg": run => save(picture(results), "image/svg+xml", fileName(run.data.name) + ".svg"),
      "get-csv": () => save(seriesCsv(page.runs), "text/csv", "series.csv"),
      "get-map-csv": run => save(mapCsv(run, results.day), "text/csv", fileName(run.data.name) + "_map.csv")
    };
    for (const [id, make] of Object.entries(makers)) at(id).onclick = () => this.hand(make);
    at("print").onclick = () => window.print();
    addEventListener("beforeprint", () => this.prepare());
  }
  /// Fills in what stands on paper alone.
  prepare() {
    const {runs, inputs, active, results, limitsForm} = this.page;
    at("printed-map").textContent = results.times.length ? `${capital(results.field.long_name)} after ${timeText(results.day)}` : "";
    at("printed-inputs").replaceChildren(printedInputs(runs, inputs, limitsForm.lines));
    at("printed-by").textContent = `Computed by ${active.answer?.computed_by ?? "nothing"}, printed ${new Date().toISOString().slice(0, 10)}. Plumecast.`;
  }
  async hand(make) {
    const {page} = this;
    if (!page.active.answer) return page.tell("Nothing was downloaded", "There is no result; correct the scenario first.");
    try { await make(page.active); } catch (error) { page.tell("Nothing was downloaded", error.message); }
  }
  async ask(run, accept, ending, more) {
    save(await (await run.ask(this.page.how, {accept, ...more})).blob(), accept, fileName(run.data.name) + ending);
  }
}
