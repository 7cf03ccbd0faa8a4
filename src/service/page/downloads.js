// What the page hands out: files of results, pictures, tables and a printed report.
import {at, element, save} from "./dom.js";
import {days, shown, timeText, unitText, withUnit} from "./numbers.js";
import {caseOfRun} from "./results/figures.js";
import {mapPart, svgFile, withStyles} from "./results/svg.js";
import {valuesOf} from "./results/views.js";

const quoted = text => /[",\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text;
const csv = lines => lines.map(line => line.map(word => word == null ? "" : quoted(String(word))).join(",")).join("\n") + "\n";
const fileName = text => text.replaceAll(/[^\p{L}\p{N}]+/gu, "_").replaceAll(/^_|_$/g, "") || "plume";

/// Series of all runs at all times.
export function seriesCsv(runs) {
  const known = runs.filter(caseOfRun), {times} = known[0].answer;
  const columns = known.flatMap(run => caseOfRun(run).series.map(series => ({...series, head: `${runs.length > 1 ? run.data.name + ": " : ""}${series.name} [${series.unit}]`})));
  return csv([["time [day]", ...columns.map(column => column.head)], ...times.map((day, i) => [day, ...columns.map(column => column.values[i])])]);
}

/// All fields of a run in each cell at a time.
export function mapCsv(run, now) {
  const {grid: {r_edges: r, z_edges: z}, fields} = run.answer, names = Object.keys(fields), lines = [];
  const unit = name => run.fields.find(each => each.name === name.replace(/_(low|high)$/, ""))?.unit ?? "1";
  for (let row = 0; row < z.length - 1; ++row) for (let column = 0; column < r.length - 1; ++column) {
    const values = names.map(name => valuesOf(run, name)[now][row][column]);
    if (values.some(value => value != null)) lines.push([(r[column] + r[column + 1]) / 2, (z[row] + z[row + 1]) / 2 - z[0], ...values]);
  }
  return csv([["radius [m]", "depth [m]", ...names.map(name => `${name} [${unit(name)}]`)], ...lines]);
}

/// The maps and curves that are shown, as one picture.
export function picture(results) {
  const {runs, views, field, times, now} = results, when = timeText(times[now]);
  const maps = views.map((view, i) => view && [mapPart(view, 900, 300), 900, 300, `${runs.length > 1 ? runs[i].data.name + ": " : ""}${field.long_name} after ${when}`]).filter(Boolean);
  const curves = [...at("curves").querySelectorAll("figure")].map(figure => {
    const svg = withStyles(figure.querySelector("svg"));
    Object.entries({width: 570, height: 300}).forEach(([name, value]) => svg.setAttribute(name, value));
    return [svg, 570, 300, figure.querySelector("figcaption").innerText];
  });
  return svgFile([...maps, ...curves]);
}

/// The inputs of the scenarios as a table of the printed report.
export function printedInputs(runs, inputs) {
  const names = inputs.scalars.filter(name => runs.some(run => run.data.inputs?.[name] !== undefined));
  const law = rock => ({homogeneous: () => shown(rock.value), layered: () => `${rock.layers.length} layers`, gaussian: () => `Gaussian, mean ${shown(rock.mean)}, deviation ${shown(rock.deviation)}, lengths ${shown(rock.length_r)} and ${shown(rock.length_z)} m, seed ${rock.seed}`,
    values: () => rock.source ?? "as given"})[rock.law]() + (rock.painted ? `, ${rock.painted.length} cells painted` : "");
  const rows = [...names.map(name => [inputs.all[name].long_name, run => run.data.schedule && name === "injection_rate"
    ? run.data.schedule.map(({until, rate}) => `${shown(rate)} Mt/year until year ${shown(until / days)}`).join(", ") : withUnit(run.data.inputs[name], inputs.all[name].unit)]),
  ["perforation", run => Array.isArray(run.data.perforation) ? "as given" : `${shown(run.data.perforation.top)} to ${shown(run.data.perforation.bottom)} m`],
  ["horizontal permeability [mD]", run => law(run.data.rock.permeability)], ["porosity", run => law(run.data.rock.porosity)],
  ["vertical over horizontal permeability", run => run.data.rock.vertical.ratio === undefined ? "as given" : shown(run.data.rock.vertical.ratio)]];
  return element("table", {}, element("thead", {}, element("tr", {}, element("th", {scope: "col"}, "Input"), ...runs.map(run => element("th", {scope: "col"}, run.data.name)))),
    element("tbody", {}, ...rows.map(([title, text]) => element("tr", {}, element("th", {scope: "row"}, title), ...runs.map(run => element("td", {}, run.isDataset ? `in ${run.data.file}` : unitText(text(run))))))));
}

export class Downloads {
  /// The page has results, runs, active, how, inputs and refused(title, sentence).
  constructor(page) {
    this.page = page;
    const file = (id, make) => { at(id).onclick = () => this.hand(make); };
    file("get-hdf5", run => this.asked(run, "application/x-hdf5", ".h5"));
    file("get-json", run => this.asked(run, "application/json", ".json"));
    file("get-png", run => run.isDataset ? this.canvas(run) : this.asked(run, "image/png", ".png", {picture: {field: page.results.field.name, time: page.results.times[page.results.now]}}));
    file("get-svg", run => save(picture(page.results), "image/svg+xml", fileName(run.data.name) + ".svg"));
    file("get-csv", () => save(seriesCsv(page.runs), "text/csv", "series.csv"));
    file("get-map-csv", run => save(mapCsv(run, page.results.now), "text/csv", fileName(run.data.name) + "_map.csv"));
    at("print").onclick = () => window.print();
    addEventListener("beforeprint", () => {
      at("printed-inputs").replaceChildren(printedInputs(page.runs, page.inputs));
      at("printed-by").textContent = `Computed by ${page.active.answer?.computed_by ?? "nothing"}, printed ${new Date().toISOString().slice(0, 10)}. Plumecast.`;
    });
  }
  async hand(make) {
    const {active} = this.page;
    if (!active.answer) return this.page.refused("Nothing was downloaded", "There is no result; correct the scenario first.");
    try { await make(active); } catch (error) { this.page.refused("Nothing was downloaded", error.message); }
  }
  async asked(run, accept, ending, more = {}) {
    const fields = accept === "application/json" ? this.page.how.fields : undefined;
    save(await (await run.ask(this.page.how, {accept, ...(fields ? {fields} : {}), ...more})).blob(), accept, fileName(run.data.name) + ending);
  }
  async canvas(run) {
    const {canvas} = this.page.results.maps[this.page.runs.indexOf(run)];
    save(await new Promise(done => canvas.toBlob(done)), "image/png", fileName(run.data.name) + ".png");
  }
}
