// Tables as comma-separated values.

const quoted = text => /[",;\t\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text;
/// A spreadsheet takes text that begins so for a formula; behind an apostrophe it is text (https://owasp.org/www-community/attacks/CSV_Injection).
const guarded = text => /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(text) ? "'" + text : text;
const csvCell = value => value == null ? "" : typeof value === "number" ? String(value) : quoted(guarded(String(value)));
/// The text of a file of lines of cells, which are numbers, texts or nothing.
export const csv = lines => lines.map(line => line.map(csvCell).join(",")).join("\n") + "\n";
