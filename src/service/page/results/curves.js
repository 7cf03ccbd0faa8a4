// Curves of one scenario, or the same quantity of several in one chart.
import {at} from "../dom.js";
import {chart} from "./charts.js";
import {caseOfRun} from "./figures.js";

const charts = [
  {title: "Plume radius", unit: "m", alone: [["plume_radius_0.01", "saturation above 0.01"], ["plume_radius_0.2", "above 0.2"]], several: [["plume_radius_0.01", ""]]},
  {title: "Bottom-hole pressure", unit: "bar", isFromZero: false, alone: [["bottom_hole_pressure", "bottom-hole pressure"]], several: [["bottom_hole_pressure", ""]]},
  {title: "Build-up", unit: "bar", alone: [["max_buildup", "largest of a cell"], ["bottom_hole_buildup", "in the well"]], several: [["max_buildup", "largest of a cell"], ["bottom_hole_buildup", "in the well"]]},
  {title: "Area of review, radius", unit: "m", alone: [["review_radius", ""]], several: [["review_radius", ""]]}
];
const parts = [["mass_dissolved", "dissolved"], ["mass_trapped", "trapped"], ["mass_mobile", "mobile"]];

const band = ({low, high}) => low && high ? {low, high} : {};

/// Where the CO2 is, one upon the other; free CO2 in place of mobile and trapped where nothing is trapped.
function ledger(list) {
  const of = name => list.find(each => each.name === name);
  const found = (of("mass_mobile") ? parts : [["mass_dissolved", "dissolved"], ["mass_free", "free"]]).map(([name, label]) => [of(name), label]).filter(([one]) => one);
  if (!found.length) return [];
  const lines = found.map(([one, label], i) => ({label, values: one.values, colour: i}));
  const injected = of("mass_injected");
  return [{title: "CO\u2082", unit: "Mt", lines, isStacked: true, over: injected ? [{label: "injected", values: injected.values, colour: 4, dash: 1}] : []}];
}

function ofOne(list) {
  const lines = wanted => wanted.map(([name, label], i) => [list.find(each => each.name === name), label, i]).filter(([one]) => one)
    .map(([one, label, i]) => ({label, values: one.values, colour: i, dash: i, ...band(one)}));
  return [...charts.map(({alone, several, ...one}) => ({...one, lines: lines(alone)})), ...ledger(list)];
}

function ofSeveral(lists) {
  const all = [...charts, {title: "CO\u2082", unit: "Mt", several: [["mass_free", "free"], ["mass_trapped", "trapped"], ["mass_dissolved", "dissolved"]]}];
  return all.map(({alone, several, ...one}) => ({...one, lines: several.flatMap(([name, label], dash) => lists.map(({name: scenario, list, colour}) => ({scenario, series: list?.find(each => each.name === name), colour}))
    .filter(({series}) => series).map(({scenario, series, colour}) => ({label: [scenario, label].filter(Boolean).join(", "), values: series.values, colour, dash, ...band(series)})))}));
}

export function showCurves(runs, times, now, chosen) {
  const lists = runs.map((run, colour) => ({name: run.data.name, colour, list: caseOfRun(run)?.series}));
  const wanted = runs.length === 1 ? ofOne(lists[0].list ?? []) : ofSeveral(lists);
  at("curves").replaceChildren(...wanted.filter(({lines}) => lines.some(line => line.values.length)).map(one => chart(one, times, now, chosen)));
}
