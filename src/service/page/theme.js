// Light or dark: as the system has it, or as chosen here.

export function startTheme(select, changed) {
  const apply = () => {
    if (select.value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = select.value;
    changed();
  };
  select.value = localStorage.getItem("theme") ?? "auto";
  select.onchange = () => { localStorage.setItem("theme", select.value); apply(); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
  apply();
}
