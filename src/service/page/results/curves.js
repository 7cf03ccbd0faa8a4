// Curves of one scenario, or the same quantity of several in one chart.
import {at} from "../dom.js";
import {chart} from "./charts.js";
import {caseOfRun} from "./figures.js";

/// Of one scenario all series stand in a chart, of several the first of them.
const charts = [
  {title: "Plume radius", unit: "m", series: [["plume_radius_0.01", "saturation above 0.01"], ["plume_radius_0.2", "above 0.2"]]},
  {title: "Bottom-hole pressure", unit: "bar", isFromZero: false, series: [["bottom_hole_pressure", ""]]},
  {title: "Build-up", unit: "bar", series: [["max_buildup", "largest of a cell"], ["bottom_hole_buildup", "in the well"]]},
  {title: "Radius of the area of review", unit: "m", series: [["review_radius", ""]]}
];
const trapped = [["mass_dissolved", "dissolved"], ["mass_trapped", "trapped"], ["mass_mobile", "mobile"]];
const free = [["mass_dissolved", "dissolved"], ["mass_free", "free"]];

const named = (list, name) => list?.find(each => each.name === name);
const line = ({values, low, high}, label, colour, dash = 0) => ({label, values, colour, dash, ...(low && high ? {low, high} : {})});
/// A chart whose lines all have the times of one run.
const atTimes = (one, times) => ({...one, lines: one.lines.map(each => ({...each, times})), over: (one.over ?? []).map(each => ({...each, times}))});

/// Where the CO2 is, from below; free CO2 in place of mobile and trapped where nothing is trapped.
const partsOf = list => named(list, "mass_mobile") ? trapped : free;

function ledger(list) {
  const lines = partsOf(list).map(([name, label], i) => [named(list, name), label, i]).filter(([one]) => one)
    .map(([{values}, label, i]) => line({values}, label, i));
  const injected = named(list, "mass_injected");
  return {title: "CO\u2082", unit: "Mt", lines, isStacked: true, over: injected ? [line(injected, "injected", 4, 1)] : []};
}

function ofOne(list) {
  const lines = series => series.map(([name, label], i) => [named(list, name), label, i]).filter(([one]) => one)
    .map(([one, label, i]) => line(one, label, i, i));
  return [...charts.map(({series, ...one}) => ({...one, lines: lines(series)})), ledger(list)];
}

function ofSeveral(lists) {
  const parts = partsOf(lists.find(({list}) => list)?.list).map(([name, label]) => ({title: `CO\u2082 ${label}`, unit: "Mt", series: [[name]]}));
  return [...charts, ...parts].map(({series: [[name]], ...one}) => ({...one, lines: lists.filter(({list}) => named(list, name))
    .map(({list, scenario, colour, times}) => ({...line(named(list, name), scenario, colour), times}))}));
}

/// chosen(day) is told of the time at which a chart is clicked.
export function showCurves(runs, day, chosen) {
  const lists = runs.map((run, colour) => ({scenario: run.data.name, colour, list: caseOfRun(run)?.series, times: run.answer?.times}));
  const [{list, times}] = lists;
  const wanted = runs.length === 1 ? ofOne(list ?? []).map(one => atTimes(one, times)) : ofSeveral(lists);
  at("curves").replaceChildren(...wanted.filter(({lines}) => lines.some(({values}) => values.length)).map(one => chart(one, day, chosen)));
}
