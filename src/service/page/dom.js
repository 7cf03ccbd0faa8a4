// Elements of the page and files that it hands out.

export const at = id => document.getElementById(id);

/// An element with attributes and children. A function is a listener of the event that its name says after "on";
/// false and undefined leave an attribute out.
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (value !== false && value !== undefined) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/// A choice among [value, text].
export const options = list => list.map(([value, text]) => element("option", {value}, text));

export function save(content, type, name) {
  const blob = content instanceof Blob ? content : new Blob([content], {type});
  const link = element("a", {href: URL.createObjectURL(blob), download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/// The file that a person chooses; none without a choice.
export function chooseFile(accept) {
  return new Promise(done => {
    const input = element("input", {type: "file", accept, "aria-label": "File", hidden: true});
    input.onchange = () => { input.remove(); done(input.files[0]); };
    input.oncancel = () => { input.remove(); done(undefined); };
    document.body.append(input);
    input.click();
  });
}
