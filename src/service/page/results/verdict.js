// The verdict of each scenario with its reasons, and what stands in its place where nothing was computed.
import {at, element} from "../dom.js";
import {capital} from "../numbers.js";

const titles = {good: "Good: nothing speaks against it", doubtful: "Doubtful: check it against a simulation", bad: "Bad: do not rely on it"};
const most = 3;

function list(lines) {
  const items = lines.map(line => element("li", {}, line));
  if (lines.length <= most) return [element("ul", {}, ...items)];
  const more = element("details", {}, element("summary", {}, `${lines.length - most + 1} more`), element("ul", {}, ...items.slice(most - 1)));
  return [element("ul", {}, ...items.slice(0, most - 1)), more];
}

export function card(kind, title, lines = [], name = "") {
  const head = name ? [element("span", {class: "name"}, name), " "] : [];
  return element("article", {class: kind}, ...head, element("strong", {}, title), ...(lines.length ? list(lines) : []));
}

function cardOf(run, isAlone) {
  const name = isAlone ? "" : run.data.name;
  if (run.problem?.isGone) return card("refused", "The service does not answer", ["It may have ended; start it again. The page goes on by itself."], name);
  if (run.problem) return card("refused", "Not computed", [run.problem.message], name);
  if (!run.answer) return card("waiting", "Computing", [], name);
  const one = run.answer.cases[0];
  const limits = (one.findings ?? []).filter(text => text.startsWith("the case exceeds")).slice(0, 1).map(capital);
  return card(one.verdict, titles[one.verdict], [...limits, ...one.reasons.map(reason => capital(run.inputs.inWords(reason))), ...one.notes.map(note => `Note: ${note}`)], name);
}

/// Shows the cards of all scenarios; those that say the same as before stay, so that they are not read aloud again.
export function showVerdicts(runs) {
  const cards = runs.map(run => cardOf(run, runs.length === 1)), place = at("verdict");
  place.className = runs.length === 1 ? cards[0].className : "several";
  cards.forEach((one, i) => {
    if (!place.children[i]) place.append(one);
    else if (!place.children[i].isEqualNode(one)) place.children[i].replaceWith(one);
  });
  while (place.children.length > cards.length) place.lastChild.remove();
}

export function say(kind, title, lines) {
  at("verdict").className = kind;
  at("verdict").replaceChildren(card(kind, title, lines));
}
