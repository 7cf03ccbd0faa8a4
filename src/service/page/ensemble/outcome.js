// What an ensemble found: exceedances in words, percentiles, histograms, the realizations behind them.
import {element} from "../dom.js";
import {capital, shown, withUnit} from "../numbers.js";
import {chart} from "../results/charts.js";
import {figureTitle} from "../results/figures.js";
import {histogram} from "./histogram.js";

const percent = share => `${Number((100 * share).toPrecision(3))} %`;

/// Verdicts and findings; the limits come first.
function wordsOf({verdicts, exceedances = [], findings = [], failures = [], number}) {
  const counts = ["good", "doubtful", "bad"].map(name => `${verdicts[name]} ${name}`).join(", ");
  const above = exceedances.map(({limit, cases_above: above, cases, share, interval, confidence}) =>
    `${limit}: exceeded by ${above} of ${cases} realizations, ${percent(share)} (with ${percent(confidence)} confidence ${percent(interval[0])} to ${percent(interval[1])})`);
  const failed = failures.length ? [`${failures.length} of ${number} realizations could not be computed: ${failures[0].reason}`] : [];
  return element("div", {class: "panel"}, element("strong", {}, `${number} realizations: ${counts}`), element("ul", {}, ...[...above, ...failed, ...findings.filter(text => !above.some(each => each === text))].map(text => element("li", {}, capital(text)))));
}

function percentiles(figures) {
  const line = figure => element("tr", {}, element("th", {scope: "row"}, capital(figure.description || figureTitle(figure.name))),
    ...["p90_low", "p50_middle", "p10_high"].map(name => element("td", {}, withUnit(figure[name], figure.unit))));
  return element("div", {class: "wide-table"}, element("table", {class: "figures", id: "percentiles"}, element("caption", {}, "P90 is exceeded by 90 % of the realizations, P10 by 10 %"),
    element("thead", {}, element("tr", {}, ...["Figure", "P90", "P50", "P10"].map(text => element("th", {scope: "col"}, text)))), element("tbody", {}, ...figures.map(line))));
}

const fans = [["plume_radius_0.01", "Plume radius", "m"], ["bottom_hole_pressure", "Bottom-hole pressure", "bar"], ["mass_dissolved", "CO\u2082 dissolved", "Mt"]];

function fan({series = [], times}) {
  return fans.map(([name, title, unit]) => [series.find(each => each.name === name), title, unit]).filter(([one]) => one).map(([one, title, unit]) => chart(
    {title: `${title}, P50 between P90 and P10`, unit, isFromZero: unit !== "bar", lines: [{label: "P50", values: one.p50_middle, low: one.p90_low, high: one.p10_high, colour: 0}]}, times, times.length - 1, () => {}));
}

export class Outcome {
  /// open(k) is told of the realization that is chosen; limits by figure are marked in histograms.
  constructor(place, found, limits, open) {
    Object.assign(this, {found, open, columns: [...found.inputs, ...found.figures.slice(0, 6)]});
    this.list = element("div", {class: "wide-table", id: "realizations"});
    const bars = found.figures.map(figure => histogram({title: capital(figure.description || figureTitle(figure.name)), unit: figure.unit, values: figure.values, limit: limits[figure.name],
      marks: [["P90", figure.p90_low], ["P50", figure.p50_middle], ["P10", figure.p10_high]]}, bar => this.choose(bar, figure)));
    place.replaceChildren(wordsOf(found), percentiles(found.figures), element("div", {class: "grid-of-figures", id: "histograms"}, ...bars), element("div", {class: "grid-of-figures"}, ...fan(found)), this.list);
    this.showList(found.cases.map((_, k) => k), "All realizations");
  }
  choose({low, high, members}, figure) {
    if (members.length === 1) return this.open(members[0]);
    this.showList(members, `${members.length} realizations with ${shown(low)} to ${withUnit(high, figure.unit)} of ${figure.description || figureTitle(figure.name)}`, true);
    this.list.querySelector("button")?.focus();
  }
  showList(members, title, isPart = false) {
    const {found, columns} = this;
    const line = k => element("tr", {}, element("th", {scope: "row"}, element("button", {type: "button", id: `open-${k}`, onclick: () => this.open(k)}, `Open ${k}`)),
      element("td", {class: found.cases[k].verdict, title: found.cases[k].reasons.join("; ")}, found.cases[k].verdict), ...columns.map(({values}) => element("td", {}, values[k] == null ? "none" : shown(values[k]))));
    this.list.replaceChildren(element("h2", {}, title, " ", ...(isPart ? [element("button", {type: "button", onclick: () => this.showList(found.cases.map((_, k) => k), "All realizations")}, "Show all")] : [])),
      element("table", {class: "figures"}, element("thead", {}, element("tr", {}, element("th", {scope: "col"}, "Realization"), element("th", {scope: "col"}, "Verdict"),
        ...columns.map(({name, unit, as}) => element("th", {scope: "col"}, `${name.replaceAll("_", " ")}${as === "multiplier" ? ", times" : unit && unit !== "1" ? ` [${unit}]` : ""}`)))),
      element("tbody", {}, ...members.map(line))));
  }
}
