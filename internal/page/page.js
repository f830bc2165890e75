(() => {
  "use strict";
  const root = document.documentElement;
  const one = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  root.classList.add("live");

  const themes = ["", "light", "dark"];
  const turn = () => {
    const next = themes[(themes.indexOf(root.dataset.theme || "") + 1) % themes.length];
    if (next) root.dataset.theme = next;
    else delete root.dataset.theme;
    one("#theme").textContent = next ? "theme: " + next : "theme";
  };
  const help = one("#help");
  const keys = () => (help.open ? help.close() : help.showModal());
  one("#theme").addEventListener("click", turn);
  one("#keys").addEventListener("click", keys);

  const search = one("#search");
  const items = all(".item");
  const findings = items.filter((item) => item.classList.contains("finding"));
  const lists = all(".findings");
  const texts = new Map();
  const textOf = (item) => {
    if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
    return texts.get(item);
  };
  const shown = { error: true, warning: true, info: true };
  let waiting = false;
  const filter = () => {
    waiting = false;
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const item of items) {
      const severity = item.dataset.s;
      const fits = (!severity || shown[severity]) && words.every((word) => textOf(item).includes(word));
      if (item.hidden === fits) item.hidden = !fits;
      if (fits) left++;
    }
    for (const list of lists) {
      const out = list.querySelectorAll(":scope > [hidden]").length;
      list.hidden = out === list.childElementCount;
      list.classList.toggle("narrowed", out > 0);
    }
    const narrowed = words.length > 0 || Object.values(shown).includes(false);
    one("#matches").textContent = narrowed ? left + " of " + items.length : "";
  };
  const soon = () => {
    if (!waiting) requestAnimationFrame(filter);
    waiting = true;
  };
  if (search) search.addEventListener("input", soon);
  for (const button of all("[data-show]")) {
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      shown[button.dataset.show] = on;
      soon();
    });
  }

  // What stands in views and tables: each item that is no finding, and each cell that leads somewhere.
  let rows;
  const walked = () => (rows ||= all(".item:not(.finding), .item > .cell:has(a)"));
  const seen = (stop) => stop.checkVisibility();
  const step = (stops, by) => {
    const active = document.activeElement;
    let here = stops.indexOf(active);
    for (let at = active; at && here < 0; at = at.parentElement) here = stops.indexOf(at);
    let at = here < 0 && by < 0 ? stops.length : here;
    do at += by;
    while (stops[at] && !seen(stops[at]));
    if (!stops[at]) return;
    if (!stops[at].hasAttribute("tabindex")) stops[at].tabIndex = -1;
    stops[at].focus({ preventScroll: true });
    stops[at].scrollIntoView({ block: "center" });
  };

  const clear = () => {
    if (!search) return;
    if (search.value) {
      search.value = "";
      soon();
    }
    search.blur();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || help.open) return;
    const typing = event.target instanceof HTMLInputElement;
    if (event.key === "Escape") clear();
    else if (typing) return;
    else if (event.key === "j") step(findings, 1);
    else if (event.key === "k") step(findings, -1);
    else if (event.key === "n") step(walked(), 1);
    else if (event.key === "p") step(walked(), -1);
    else if (event.key === "t") turn();
    else if (event.key === "?") keys();
    else if (event.key === "/" && search) {
      search.focus();
      search.select();
    } else return;
    event.preventDefault();
  });

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details:not([open])");
    for (const folded of opened) folded.open = true;
  });
  addEventListener("afterprint", () => {
    for (const folded of opened) folded.open = false;
    opened = [];
  });
})();
