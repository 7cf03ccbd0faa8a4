// Asks the service for the scenario of the form and shows what it answers. A request in flight is superseded, not queued.
import {curve} from "./curves.js";
import {FieldMap, shown} from "./maps.js";
import {ScenarioForm, days, element} from "./scenario.js";

const at = id => document.getElementById(id);
const state = {models: [], form: null, answer: null, flight: null, timer: 0, token: sessionStorage.getItem("token") ?? ""};
const map = new FieldMap(at("map"), text => { at("probe").textContent = text || "\u00a0"; });

const figureNames = {"plume_radius_0.01": "Plume radius", max_buildup: "Largest build-up of a cell",
  bottom_hole_pressure: "Bottom-hole pressure", bottom_hole_buildup: "Build-up in the well", mass_injected: "CO\u2082 injected", mass_free: "CO\u2082 free",
  mass_dissolved: "CO\u2082 dissolved"};

function headers(more = {}) {
  return state.token ? {...more, Authorization: `Bearer ${state.token}`} : more;
}

function ask(body, accept, signal) {
  return fetch(`v1/${at("way").value}`, {method: "POST", signal, body: JSON.stringify(body),
    headers: headers({"Content-Type": "application/json", Accept: accept})});
}

/// What an answer that is none says; asks for a token where one is missing.
async function problemOf(response) {
  if (response.status === 401) at("token-form").hidden = false;
  try { return (await response.json()).detail; } catch { return `the service answers with ${response.status}`; }
}

function say(kind, title, lines = []) {
  const verdict = at("verdict");
  verdict.className = kind;
  if (kind === "refused") at("results").setAttribute("aria-busy", "false");
  verdict.replaceChildren(element("strong", {}, title));
  if (lines.length) verdict.append(element("ul", {}, ...lines.map(line => element("li", {}, line))));
}

/// Takes away the figures of an earlier scenario: beside a refusal they would be taken for those of this one.
function withdraw() {
  state.answer = null;
  at("summary").replaceChildren();
  at("curves").replaceChildren();
  map.clear();
  at("map").setAttribute("aria-label", "No map: nothing was computed");
  at("time-text").textContent = "";
}

async function compute() {
  state.flight?.abort();
  const flight = state.flight = new AbortController();
  at("results").setAttribute("aria-busy", "true");
  try {
    const response = await ask({...state.form.body(), fields: ["gas_saturation", "pressure_buildup", "dissolved_co2"]},
      "application/json", flight.signal);
    if (!response.ok) {
      const problem = await problemOf(response);
      if (state.flight === flight) { withdraw(); say("refused", "Not computed", [problem]); }
      return;
    }
    state.answer = await response.json();
    show();
  } catch (error) {
    if (error.name === "AbortError") return;
    withdraw();
    say("refused", "The service does not answer", [`${error.message}; it may have ended: start it again, then change a value`]);
  }
  if (state.flight === flight) at("results").setAttribute("aria-busy", "false");
}

function changed() {
  at("results").setAttribute("aria-busy", "true");
  clearTimeout(state.timer);
  state.timer = setTimeout(compute, 60);
}

function show() {
  const {answer} = state, one = answer.cases[0];
  say(one.verdict, {good: "Good", doubtful: "Doubtful: check it against a simulation",
    bad: "Bad: do not rely on it"}[one.verdict], [...one.reasons, ...one.notes.map(note => `Note: ${note}`)]);
  at("summary").replaceChildren(...Object.entries(one.summary).map(([name, figure]) => element("div", {},
    element("dt", {}, figureNames[name] ?? name), element("dd", {}, figure.value == null ? "none" : shown(figure.value), element("small", {}, ` ${figure.unit}`)))));
  const slider = at("time"), isFirst = slider.max !== String(answer.times.length - 1);
  slider.max = answer.times.length - 1;
  if (isFirst) slider.value = slider.max;
  showTime();
}

const largest = (times, isWanted) => {
  let most = 0;
  times.forEach(rows => rows.forEach(row => row.forEach((value, column) => { if (value != null) most = Math.max(most, isWanted ? isWanted(value, column) : value); })));
  return most;
};

function showTime() {
  const {answer} = state, now = Number(at("time").value), day = answer.times[now];
  const text = day < 60 ? `${shown(day)} days` : `${shown(day / days)} years`;
  at("time-text").textContent = text;
  at("time").setAttribute("aria-valuetext", text);
  const name = at("field").value, quantity = state.model.fields.find(field => field.name === name) ?? state.model.fields[0];
  const values = answer.fields[quantity.name][0], {r_edges: r, z_edges: z} = answer.grid;
  const rows = values[0].filter(row => row.some(value => value != null)).length;
  const isLog = at("axis").value === "log";
  const plume = largest(answer.fields.gas_saturation?.[0] ?? [], (value, column) => value > 0.01 ? r[column + 1] : 0);
  const most = largest(values);
  map.show({values: values[now], r, z, depth: z[rows] - z[0], isLog, first: Math.max(r[0], r[1] / 10),
    radius: isLog ? r.at(-1) : Math.min(r.at(-1), 1.25 * plume || r.at(-1)),
    scale: {low: 0, high: most > 0 ? most : 1, label: quantity.long_name, unit: quantity.unit}});
  at("map").setAttribute("aria-label", `${quantity.long_name} over radius and depth after ${text}, at most ${shown(largest([values[now]]))} ${quantity.unit === "1" ? "" : quantity.unit}; arrow keys move the probe`);
  showCurves(now);
}

function showCurves(now) {
  const {cases: [one], times} = state.answer;
  const series = (name, label) => ({label, values: one.series.find(each => each.name === name)?.values ?? []});
  const kept = list => list.filter(each => each.values.length);
  const figures = [["Plume radius", "m", [series("plume_radius_0.01", "saturation above 0.01"), series("plume_radius_0.2", "above 0.2")]],
    ["Build-up", "bar", [series("max_buildup", "largest of a cell"), series("bottom_hole_buildup", "in the well")]],
    ["CO\u2082", "Mt", [series("mass_free", "free"), series("mass_dissolved", "dissolved"), series("mass_injected", "injected")]]];
  at("curves").replaceChildren(...figures.filter(([, , list]) => kept(list).length).map(([title, unit, list]) => curve(title, unit, kept(list), times, now)));
}

function save(blob, name) {
  const link = element("a", {href: URL.createObjectURL(blob), download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function download(accept, name) {
  const body = {...state.form.body(), picture: {field: at("field").value, time: state.answer?.times[Number(at("time").value)]}};
  if (accept === "application/json") body.fields = state.model.fields.map(field => field.name);
  const response = await ask(body, accept).catch(error => ({ok: false, status: error.message, json: () => { throw error; }}));
  if (!response.ok) { say("refused", "Nothing was downloaded", [await problemOf(response)]); return; }
  save(await response.blob(), name);
}

function choose(name) {
  state.model = state.models.find(model => model.name === name) ?? state.models[0];
  state.form = new ScenarioForm(state.model, changed);
  at("field").replaceChildren(...state.model.fields.map(field => element("option", {value: field.name}, field.long_name)));
  at("time").max = "0";
  compute();
}

async function start() {
  try {
    const response = await fetch("v1/models", {headers: headers()});
    if (!response.ok) { say("refused", "The models are not shown", [await problemOf(response)]); return; }
    at("token-form").hidden = true;
    state.models = (await response.json()).models;
  } catch (error) { say("refused", "The service does not answer", [error.message]); return; }
  at("model").replaceChildren(...state.models.map(model => element("option", {value: model.name}, model.name)));
  choose(state.models[0].name);
}

let playing = 0;
at("play").onclick = () => {
  const isStart = !playing;
  clearInterval(playing);
  playing = isStart ? setInterval(() => {
    if (!state.answer) return;
    at("time").value = (Number(at("time").value) + 1) % state.answer.times.length;
    showTime();
  }, 250) : 0;
  at("play").setAttribute("aria-pressed", String(isStart));
  at("play").textContent = isStart ? "Stop" : "Play";
};
at("model").onchange = () => choose(at("model").value);
at("way").onchange = changed;
for (const id of ["time", "field", "axis"]) at(id).oninput = () => state.answer && showTime();
at("scenario").onsubmit = event => event.preventDefault();
at("token-form").onsubmit = event => {
  event.preventDefault();
  state.token = at("token").value.trim();
  sessionStorage.setItem("token", state.token);
  start();
};
at("get-json").onclick = () => download("application/json", "plume.json");
at("get-hdf5").onclick = () => download("application/x-hdf5", "plume.h5");
at("get-png").onclick = () => download("image/png", "plume.png");
at("get-scenario").onclick = () => save(new Blob([JSON.stringify(state.form.body(), null, 1)], {type: "application/json"}), "scenario.json");
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => map.draw());
start();
