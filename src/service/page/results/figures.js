// Figures of scenarios: tiles of one, a table with differences of several.
import {at, element} from "../dom.js";
import {capital, shown, unitText, withUnit} from "../numbers.js";

const titles = {"plume_radius_0.01": "Plume radius", max_buildup: "Largest build-up of a cell", bottom_hole_pressure: "Bottom-hole pressure",
  bottom_hole_buildup: "Build-up in the well", mass_injected: "CO\u2082 injected", mass_free: "CO\u2082 free", mass_mobile: "CO\u2082 mobile", mass_trapped: "CO\u2082 trapped",
  mass_dissolved: "CO\u2082 dissolved", review_radius: "Area of review, radius", review_area: "Area of review"};

export const figureTitle = name => titles[name] ?? name.replaceAll("_", " ");

export const caseOfRun = run => run.answer?.cases[run.which ?? 0];

/// Figures that the summary of an answer may leave out: their last values.
const last = ["review_radius", "review_area"];

/// {name, unit, value, low, high} of a run.
function figuresOf(run) {
  const {summary, series} = caseOfRun(run);
  const more = series.filter(({name}) => last.includes(name) && !(name in summary)).map(({name, unit, values, low, high}) => ({name, unit, value: values.at(-1), low: low?.at(-1), high: high?.at(-1)}));
  return [...Object.entries(summary).map(([name, figure]) => ({name, ...figure})), ...more].map(inLargeUnits);
}

/// Areas as maps have them.
function inLargeUnits(figure) {
  const {unit, value, low, high} = figure, to = area => area == null ? area : area / 1e6;
  return unit === "m2" ? {...figure, unit: "km2", value: to(value), low: to(low), high: to(high)} : figure;
}

const interval = ({low, high}) => low == null || high == null ? "" : `${shown(low)} to ${shown(high)}`;

function tile(figure) {
  return element("div", {}, element("dt", {}, figureTitle(figure.name)), element("dd", {}, figure.value == null ? "none" : shown(figure.value),
    element("small", {}, ` ${unitText(figure.unit)}`), ...(interval(figure) ? [element("small", {class: "interval"}, interval(figure))] : [])));
}

/// How a value differs from that of the first scenario.
function difference(value, first) {
  if (value == null || first == null || value === first) return "";
  const change = value - first, sign = change > 0 ? "+" : "\u2212";
  return `${sign}${shown(Math.abs(change))}` + (first > 0 ? ` (${sign}${shown(Math.abs(100 * change / first))} %)` : "");
}

function table(runs, lists) {
  const names = [...new Set(lists.flat().map(figure => figure.name))];
  const cell = (name, i) => {
    const figure = lists[i].find(each => each.name === name), first = lists[0].find(each => each.name === name);
    if (!figure) return element("td", {}, "\u2013");
    return element("td", {}, withUnit(figure.value, figure.unit), ...(interval(figure) ? [element("small", {class: "interval"}, interval(figure))] : []),
      ...(i > 0 && first ? [element("small", {}, difference(figure.value, first.value))] : []));
  };
  return element("table", {class: "figures"}, element("caption", {class: "hidden"}, "Figures of the scenarios, with their differences from the first"),
    element("thead", {}, element("tr", {}, element("th", {scope: "col"}, "Figure"),
      ...runs.map((run, i) => element("th", {scope: "col"}, element("i", {class: `colour${i}`}), run.data.name)))),
    element("tbody", {}, ...names.map(name => element("tr", {}, element("th", {scope: "row"}, figureTitle(name)), ...runs.map((_, i) => cell(name, i))))));
}

/// The figures, and below them what the service found beside them; missing is what the page knows to be missing.
export function showFigures(runs, missing) {
  const lists = runs.map(run => caseOfRun(run) ? figuresOf(run) : []);
  const isAlone = runs.length === 1;
  at("summary").hidden = !isAlone;
  at("summary").replaceChildren(...(isAlone ? lists[0].map(tile) : []));
  at("comparison").hidden = isAlone;
  at("comparison").replaceChildren(...(isAlone || !lists.flat().length ? [] : [table(runs, lists)]));
  at("findings").replaceChildren(...findingsOf(runs, missing).map(text => element("li", {}, text)));
}

/// Findings that all scenarios share once, others with the name of the scenario.
function findingsOf(runs, missing) {
  const known = runs.filter(caseOfRun), lists = known.map(run => (caseOfRun(run).findings ?? []).filter(text => !(missing && text.startsWith("area of review"))));
  const all = [...new Set(lists.flat())].map(text => {
    const holders = known.filter((_, i) => lists[i].includes(text));
    return capital(holders.length === known.length ? text : `${holders.map(run => run.data.name).join(", ")}: ${text}`);
  });
  return known.length && missing ? [...all, capital(missing)] : all;
}
