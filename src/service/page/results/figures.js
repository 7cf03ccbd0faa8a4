// Figures of scenarios: tiles of one, a table with differences of several.
import {at, element} from "../dom.js";
import {capital, label, shown, unitText, withUnit} from "../numbers.js";

/// The figures that come first, in this order; the others stand behind a fold.
const first = {"plume_radius_0.01": "Plume radius", "plume_area_0.01": "Plume area", max_buildup: "Largest build-up of a cell",
  bottom_hole_pressure: "Bottom-hole pressure", fracture_margin: "Margin to the allowed pressure", mass_injected: "CO\u2082 injected",
  mass_trapped: "CO\u2082 trapped", mass_dissolved: "CO\u2082 dissolved", critical_buildup: "Critical build-up",
  review_radius: "Radius of the area of review", review_area: "Area of review"};
const order = Object.keys(first);

export const isFirst = figure => figure.name in first;

/// Figures in the order in which they are shown.
export function inOrder(figures) {
  const known = order.map(name => figures.find(figure => figure.name === name)).filter(Boolean);
  return [...known, ...figures.filter(figure => !isFirst(figure))];
}

export const figureTitle = ({name, description}) => first[name] ?? label(capital(description ?? name.replaceAll("_", " ")));

/// Areas as maps have them.
export function inLargeUnits(figure) {
  if (figure.unit !== "m2") return figure;
  const to = value => Array.isArray(value) ? value.map(to) : typeof value === "number" ? value / 1e6 : value;
  return {...Object.fromEntries(Object.entries(figure).map(([name, value]) => [name, to(value)])), unit: "km2"};
}

export const caseOfRun = run => run.answer?.cases[0];

/// {name, description, unit, value, low, high} of a run.
function figuresOf(run) {
  const {summary = {}, series = []} = caseOfRun(run) ?? {};
  const described = name => series.find(each => each.name === name)?.description;
  return inOrder(Object.entries(summary).map(([name, figure]) => inLargeUnits({name, description: described(name), ...figure})));
}

/// The interval of a figure below it, where it has one.
const intervals = ({low, high}) => low == null || high == null ? [] : [element("small", {class: "interval"}, `${shown(low)} to ${shown(high)}`)];

/// "at the end", "largest" or "least".
const whenOf = ({at: when}) => when.replace(" of all times", "");

function tile(figure) {
  return element("div", {}, element("dt", {}, figureTitle(figure)), element("dd", {}, figure.value == null ? "none" : shown(figure.value),
    element("small", {}, ` ${unitText(figure.unit)}`), ...intervals(figure), element("small", {class: "at"}, whenOf(figure))));
}

/// How a value differs from that of the first scenario.
function difference(value, reference) {
  if (value == null || reference == null || value === reference) return "";
  const change = value - reference, sign = change > 0 ? "+" : "\u2212";
  return `${sign}${shown(Math.abs(change))}` + (reference > 0 ? ` (${sign}${shown(Math.abs(100 * change / reference))} %)` : "");
}

function table(runs, lists, isWanted) {
  const figures = inOrder([...new Map(lists.flat().filter(isWanted).map(figure => [figure.name, figure])).values()]);
  const cell = (name, i) => {
    const [figure, reference] = [lists[i], lists[0]].map(list => list.find(each => each.name === name));
    if (!figure) return element("td", {}, "\u2013");
    const differs = i > 0 && reference ? [element("small", {}, difference(figure.value, reference.value))] : [];
    return element("td", {}, withUnit(figure.value, figure.unit), ...differs, ...intervals(figure));
  };
  const heads = runs.map((run, i) => element("th", {scope: "col"}, element("i", {class: `colour${i}`}), run.data.name));
  const line = figure => element("tr", {}, element("th", {scope: "row"}, figureTitle(figure), element("small", {}, `, ${whenOf(figure)}`)), ...runs.map((_, i) => cell(figure.name, i)));
  return element("table", {class: "figures"}, element("caption", {class: "hidden"}, "Figures of the scenarios, with their differences from the first"),
    element("thead", {}, element("tr", {}, element("th", {scope: "col"}, "Figure"), ...heads)), element("tbody", {}, ...figures.map(line)));
}

/// The figures, and below them what the service found beside them; missing is what the page knows to be missing.
export function showFigures(runs, missing) {
  const lists = runs.map(figuresOf), isAlone = runs.length === 1, isEmpty = !lists.flat().length;
  at("summary").hidden = !isAlone;
  at("summary").replaceChildren(...(isAlone ? lists[0].filter(isFirst).map(tile) : []));
  at("comparison").hidden = isAlone || isEmpty;
  at("comparison").replaceChildren(...(isAlone || isEmpty ? [] : [table(runs, lists, isFirst)]));
  at("more").hidden = !lists.flat().some(figure => !isFirst(figure));
  at("other-figures").replaceChildren(...(at("more").hidden ? [] : [table(runs, lists, figure => !isFirst(figure))]));
  at("findings").replaceChildren(...findingsOf(runs, missing).map(text => element("li", {}, text)));
}

/// What a service says of an area of review that it did not compute; the page says itself what to give.
export const isOfMissingReview = text => text.startsWith("area of review: not computed");

/// Of a scenario, which has no file.
const ofAScenario = text => text.replace("the file states no depth; if that is not the depth of your formation, give it", "Limits state no depth; give it there");

/// Findings that all scenarios share once, others with the name of the scenario.
function findingsOf(runs, missing) {
  const known = runs.filter(caseOfRun), words = run => run.isDataset ? text => text : ofAScenario;
  const lists = known.map(run => (caseOfRun(run).findings ?? []).filter(text => !isOfMissingReview(text)).map(words(run)));
  const all = [...new Set(lists.flat())].map(text => {
    const holders = known.filter((_, i) => lists[i].includes(text));
    return holders.length === known.length ? capital(text) : `${holders.map(run => run.data.name).join(", ")}: ${text}`;
  });
  return known.length && missing ? [...all, capital(missing)] : all;
}
