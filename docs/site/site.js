// The search, whose index is loaded when it is first asked for, and the buttons that copy an example.
"use strict";
document.documentElement.classList.add("live");
let searchIndex = null;
const root = document.body.dataset.root;
const field = document.getElementById("search"), found = document.getElementById("found");
const menu = document.querySelector(".menu"), most = 30;
let chosen = -1;

const wide = matchMedia("(min-width: 52.01rem)");
const openMenu = () => { menu.open = wide.matches; };
wide.addEventListener("change", openMenu);
openMenu();

function load() {
  if (document.getElementById("index")) return;
  const s = document.createElement("script");
  s.id = "index";
  s.src = root + "search.js";
  s.onload = search;
  document.head.append(s);
}

// score says how well an entry fits: 0 not at all. Every word must stand in it.
function score([title, about, , kind], words) {
  const t = title.toLowerCase(), all = t + " " + about.toLowerCase();
  let sum = t.includes(words.join(" ")) ? 15 * words.length : 0;
  for (const w of words) {
    if (!all.includes(w)) return 0;
    sum += t === w ? 100 : t.startsWith(w) ? 30 : t.includes(" " + w) ? 20 : t.includes(w) ? 10 : 1;
  }
  return sum + ({ command: 4, document: 5, rule: 3, table: 5, schema: 2, section: 2, flag: 1 })[kind];
}

function search() {
  if (!searchIndex) return;
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  chosen = -1;
  found.replaceChildren();
  field.setAttribute("aria-expanded", String(words.length > 0));
  field.removeAttribute("aria-activedescendant");
  found.hidden = words.length === 0;
  if (!words.length) return;
  const hits = searchIndex.map((e) => [score(e, words), e]).filter(([n]) => n > 0).sort(([a], [b]) => b - a).slice(0, most);
  hits.forEach(([, [title, about, file, kind]], i) => {
    const li = document.createElement("li"), a = document.createElement("a"), small = document.createElement("small");
    li.id = "found-" + i;
    li.setAttribute("role", "option");
    a.href = root + file;
    a.tabIndex = -1;
    a.textContent = title;
    small.textContent = about ? kind + ": " + about : kind;
    a.append(small);
    li.append(a);
    found.append(li);
  });
  if (!hits.length) {
    const li = document.createElement("li");
    li.className = "none";
    li.textContent = "nothing fits";
    found.append(li);
  } else choose(0);
}

function choose(i) {
  const list = found.querySelectorAll("[role=option]");
  if (!list.length) return;
  if (chosen >= 0) list[chosen].setAttribute("aria-selected", "false");
  chosen = (i + list.length) % list.length;
  list[chosen].setAttribute("aria-selected", "true");
  list[chosen].scrollIntoView({ block: "nearest" });
  field.setAttribute("aria-activedescendant", list[chosen].id);
}

function close() {
  found.hidden = true;
  field.setAttribute("aria-expanded", "false");
}

field.addEventListener("focus", load);
field.addEventListener("input", () => { load(); search(); });
field.addEventListener("keydown", (e) => {
  if (e.key === "ArrowDown") choose(chosen + 1);
  else if (e.key === "ArrowUp") choose(chosen - 1);
  else if (e.key === "Enter" && chosen >= 0) found.children[chosen].firstChild.click();
  else if (e.key === "Escape") { close(); field.blur(); }
  else return;
  e.preventDefault();
});
document.addEventListener("keydown", (e) => {
  if (e.key === "/" && !e.ctrlKey && !e.metaKey && !e.altKey && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
    e.preventDefault();
    field.focus();
    field.select();
  }
});
document.addEventListener("click", (e) => { if (!e.target.closest(".search")) close(); });

// An example is copied without its prompts and what it prints.
for (const pre of document.querySelectorAll("main pre")) {
  const box = document.createElement("div"), button = document.createElement("button");
  box.className = "pre";
  button.className = "copy";
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const lines = pre.textContent.split("\n"), commands = lines.filter((l) => l.startsWith("$ ")).map((l) => l.slice(2));
    try {
      await navigator.clipboard.writeText(commands.length ? commands.join("\n") : pre.textContent);
      button.textContent = "Copied";
    } catch { getSelection().selectAllChildren(pre); }
  });
  pre.replaceWith(box);
  box.append(pre, button);
}
