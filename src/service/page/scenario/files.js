// Scenario files and links: what is written into them and how strictly they are read.
import {laws} from "../rock/laws.js";
import {fromCase} from "./scenario.js";

const format = "plumecast scenarios 1";
const longestLink = 8000;

const fileEntries = ["format", "model", "computed_by", "limits", "scenarios"];
const scenarioEntries = ["name", "inputs", "schedule", "perforation", "rock"];
const lawEntries = {homogeneous: ["value"], layered: ["layers"], gaussian: ["mean", "deviation", "length_r", "length_z", "seed"],
  values: ["values", "source"]};
const limitEntries = ["buildup_limit", "measure"];

const fail = (where, what) => { throw new Error(`${where} ${what}`); };
const isObject = value => value !== null && typeof value === "object" && !Array.isArray(value);
const isPositive = value => Number.isFinite(value) && value > 0;

/// Takes only these entries.
function only(value, known, where) {
  if (!isObject(value)) fail(where, "is no object; correct it");
  const odd = Object.keys(value).find(name => !known.includes(name));
  if (odd !== undefined) fail(`${where}.${odd}`, `is not known here (known are ${known.join(", ")}); leave it out`);
  return value;
}

const checks = {
  homogeneous({value}, where) {
    if (!Number.isFinite(value)) fail(`${where}.value`, "is no number; give one");
  },
  layered({layers}, where) {
    if (!Array.isArray(layers) || !layers.length) fail(`${where}.layers`, "is no list of layers; give one layer or more");
    layers.forEach((layer, i) => {
      const {thickness, value} = only(layer, ["thickness", "value"], `${where}.layers[${i}]`);
      if (!isPositive(thickness) || !Number.isFinite(value)) fail(`${where}.layers[${i}]`, "has no thickness above 0 or no value; give both as numbers");
    });
  },
  gaussian(rock, where) {
    for (const name of lawEntries.gaussian) {
      const isSound = isPositive(rock[name]) || ((name === "seed" || name === "deviation") && rock[name] === 0);
      if (!isSound) fail(`${where}.${name}`, "is no number above 0; correct it");
    }
  },
  values({values}, where) {
    if (!Array.isArray(values)) fail(`${where}.values`, "is no list; give a value for each row, or for each row a list");
  }
};

function isPainted(cell) {
  const isIndex = value => Number.isInteger(value) && value >= 0;
  return Array.isArray(cell) && cell.length === 3 && isIndex(cell[0]) && isIndex(cell[1]) && Number.isFinite(cell[2]);
}

function checkLaw(rock, where) {
  const isKnown = isObject(rock) && Object.hasOwn(laws, rock.law);
  if (!isKnown) fail(`${where}.law`, `is none (there are ${Object.keys(laws).join(", ")}); name one`);
  only(rock, ["law", "painted", ...lawEntries[rock.law]], where);
  checks[rock.law](rock, where);
  const {painted = []} = rock;
  if (!(Array.isArray(painted) && painted.every(isPainted))) fail(`${where}.painted`, "is no list of [row, column, value]; correct it");
}

function checkScenario(one, where) {
  only(one, scenarioEntries, where);
  if (typeof one.name !== "string" || !one.name.trim() || one.name.length > 60) fail(`${where}.name`, "is no text of 1 to 60 letters; correct it");
  if (!isObject(one.inputs)) fail(`${where}.inputs`, "is no object; give the inputs by name");
  only(one.rock, ["permeability", "porosity", "vertical"], `${where}.rock`);
  for (const name of ["permeability", "porosity"]) checkLaw(one.rock[name], `${where}.rock.${name}`);
  const vertical = only(one.rock.vertical, ["ratio", "values"], `${where}.rock.vertical`);
  if ((vertical.values === undefined) === (vertical.ratio === undefined) || vertical.ratio !== undefined && !isPositive(vertical.ratio)) {
    fail(`${where}.rock.vertical`, "has neither a ratio above 0 nor values; give one of them");
  }
  return one;
}

/// {inputs, way, limits, scenarios} of a file: one that was saved here, or the body of a request. inputsOf(model) has the inputs of a
/// model, or of the one that is shown for undefined. Throws Error with a sentence.
export function read(text, inputsOf, most) {
  let file;
  try { file = JSON.parse(text); } catch (error) { fail("the file", `is no JSON (${error.message}); choose another one`); }
  if (!isObject(file)) fail("the file", "is no object; choose a file of scenarios");
  const isRequest = "cases" in file;
  const list = isRequest ? file.cases : file.scenarios;
  if (isRequest) only(file, ["model", "cases", ...limitEntries, "fields", "picture"], "the request");
  else only(file, fileEntries, "the file");
  if (!isRequest && file.format !== format) fail("format", `is not '${format}'; choose a file of scenarios`);
  const isSome = Array.isArray(list) && list.length >= 1 && list.length <= most;
  if (!isSome) fail(isRequest ? "cases" : "scenarios", `holds none, or more than ${most}; give 1 to ${most}`);
  if (!["predict", "estimate", undefined].includes(file.computed_by)) fail("computed_by", "is neither predict nor estimate; correct it");
  const inputs = inputsOf(file.model);
  if (isRequest) {
    list.forEach((one, i) => isObject(one) || fail(`cases[${i}]`, "is no object; correct it"));
    const scenarios = list.map((one, i) => fromCase(one, inputs, list.length > 1 ? `Case ${i + 1}` : "Case"));
    return {inputs, limits: {buildup_limit: file.buildup_limit, measure: file.measure}, scenarios};
  }
  if (file.limits !== undefined) only(file.limits, limitEntries, "limits");
  return {inputs, way: file.computed_by, limits: file.limits ?? {}, scenarios: list.map((one, i) => checkScenario(one, `scenarios[${i}]`))};
}

export function write({model, way, limits, scenarios}) {
  return JSON.stringify({format, model, computed_by: way, ...(Object.keys(limits).length ? {limits} : {}), scenarios}, null, 1) + "\n";
}

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/// The same as the fragment of a link; none where it is too long for one.
export async function toFragment(state) {
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(JSON.parse(write(state)))));
  const text = btoa(Array.from(packed, byte => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return text.length > longestLink ? undefined : "#s=" + text;
}

/// The text of the file in a fragment; none where there is none. Throws Error for a broken one.
export async function fromFragment(fragment) {
  if (!fragment.startsWith("#s=")) return undefined;
  try {
    const bytes = Uint8Array.from(atob(fragment.slice(3).replaceAll("-", "+").replaceAll("_", "/")), letter => letter.charCodeAt(0));
    return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
  } catch { throw new Error("the link is broken (a part of it is missing); copy all of it"); }
}
