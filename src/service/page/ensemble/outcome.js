// What an ensemble found: exceedances in words, percentiles, histograms, the realizations behind them.
import {element} from "../dom.js";
import {capital, shown, unitText, withUnit} from "../numbers.js";
import {chart} from "../results/charts.js";
import {figureTitle, inLargeUnits, inOrder, isFirst, isOfMissingReview} from "../results/figures.js";
import {histogram} from "./histogram.js";

const percentiles = [["P90", "p90_low"], ["P50", "p50_middle"], ["P10", "p10_high"]];
const fans = [["plume_radius_0.01", "m"], ["bottom_hole_pressure", "bar"], ["mass_dissolved", "Mt"]];

const headings = texts => element("thead", {}, element("tr", {}, ...texts.map(text => element("th", {scope: "col"}, text))));
const grid = (id, figures) => element("div", {class: "grid-of-figures", id}, ...figures);

/// Verdicts and findings; the limits come first.
function wordsOf({verdicts, exceedances = [], findings = [], failures = [], number}) {
  const counts = ["good", "doubtful", "bad"].map(name => `${verdicts[name]} ${name}`).join(", ");
  const failed = failures.length ? [`${failures.length} of ${number} realizations could not be computed: ${failures[0].reason}`] : [];
  const lines = new Set([...exceedances.map(({meaning}) => meaning), ...failed, ...findings.filter(text => !isOfMissingReview(text))]);
  return element("div", {class: "panel"}, element("strong", {}, `${number} realizations: ${counts}`),
    element("ul", {}, ...[...lines].map(text => element("li", {}, capital(text)))));
}

function percentilesOf(figures, id) {
  const line = figure => element("tr", {}, element("th", {scope: "row"}, figureTitle(figure)),
    ...percentiles.map(([, name]) => element("td", {}, withUnit(figure[name], figure.unit))));
  return element("div", {class: "wide-table"}, element("table", {class: "figures", id},
    element("caption", {}, "P90 is exceeded by 90 % of the realizations, P10 by 10 %"),
    headings(["Figure", ...percentiles.map(([name]) => name)]), element("tbody", {}, ...figures.map(line))));
}

function fansOf({series = [], times}) {
  const known = fans.map(([name, unit]) => [series.find(each => each.name === name), unit]).filter(([one]) => one);
  return known.map(([one, unit]) => chart({title: `${figureTitle(one)}, P50 between P90 and P10`, unit, isFromZero: unit !== "bar",
    lines: [{label: "P50", times, values: one.p50_middle, low: one.p90_low, high: one.p10_high, colour: 0}]}, times.at(-1), () => {}));
}

export class Outcome {
  /// open(k) is told of the realization that is chosen; limits by figure are marked in histograms.
  constructor(place, found, limits, open) {
    const figures = inOrder(found.figures.map(inLargeUnits)), first = figures.filter(isFirst), others = figures.filter(figure => !isFirst(figure));
    Object.assign(this, {found, open, limits, columns: [...found.inputs, ...first]});
    this.list = element("div", {class: "wide-table", id: "realizations"});
    const bars = list => list.map(figure => this.bars(figure));
    place.replaceChildren(wordsOf(found), percentilesOf(first, "percentiles"), grid("histograms", bars(first)), grid("fans", fansOf(found)), this.list,
      element("details", {}, element("summary", {}, "All figures"), percentilesOf(others, "other-percentiles"), grid("other-histograms", bars(others))));
    this.showAll();
  }
  bars(figure) {
    const marks = percentiles.map(([title, name]) => [title, figure[name]]);
    return histogram({title: figureTitle(figure), unit: figure.unit, values: figure.values, limit: this.limits[figure.name], marks},
      bar => this.choose(bar, figure));
  }
  /// Opens the realization behind a bar, or lists those behind it.
  choose({low, high, members}, figure) {
    if (members.length === 1) return this.open(members[0]);
    this.show(members, `${members.length} realizations, ${figureTitle(figure)} ${shown(low)} to ${withUnit(high, figure.unit)}`,
      element("button", {type: "button", onclick: () => this.showAll()}, "Show all"));
    this.list.querySelector("button")?.focus();
  }
  showAll() { this.show(this.found.cases.map((_, k) => k), "All realizations"); }
  show(members, title, ...more) {
    const unitOf = ({unit, as}) => as === "multiplier" ? ", times" : unitText(unit) ? ` [${unitText(unit)}]` : "";
    const heads = this.columns.map(column => figureTitle({...column, description: undefined}) + unitOf(column));
    this.list.replaceChildren(element("h2", {}, title, " ", ...more), element("table", {class: "figures"},
      headings(["Realization", "Verdict", ...heads]), element("tbody", {}, ...members.map(k => this.line(k)))));
  }
  line(k) {
    const {verdict, reasons} = this.found.cases[k];
    const values = this.columns.map(column => element("td", {}, column.values[k] == null ? "none" : shown(column.values[k])));
    const open = element("button", {type: "button", id: `open-${k}`, onclick: () => this.open(k)}, `Open ${k}`);
    return element("tr", {}, element("th", {scope: "row"}, open), element("td", {class: verdict, title: reasons.join("; ")}, verdict), ...values);
  }
}
