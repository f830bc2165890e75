(() => {
  "use strict";
  const root = document.documentElement;
  const one = (selector) => document.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
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

  // The items of long lists are JSON until they are near the window. Until then, each is one element with its text,
  // for the find of the browser, links and print.
  const group = 50;
  const far = new Map(); // element of such an item: { inner, text }
  const letters = { amp: "&", lt: "<", gt: ">", "#34": '"', "#39": "'", "#43": "+" };
  const escaped = Object.fromEntries(Object.entries(letters).map(([name, letter]) => [letter, "&" + name + ";"]));
  const plain = (html) => {
    const text = html.replace(/<\\?\/?(?:mark|wbr)\b[^>]*>/g, "").replace(/<[^>]*>/g, " "); // words go on over marks and breaks
    return text.includes("&") ? text.replace(/&(amp|lt|gt|#34|#39|#43);/g, (_, letter) => letters[letter]) : text;
  };
  const emptied = (html) => {
    const [begin, tag, names] = /^\s*<(\w+)([^>]*)>/.exec(html);
    const item = document.createElement(tag);
    for (const [, name, value] of names.matchAll(/([\w-]+)(?:="([^"]*)")?/g)) item.setAttribute(name, value || "");
    far.set(item, { inner: html.slice(begin.length, html.lastIndexOf("</")) });
    return item;
  };
  const textOfFar = (item) => {
    const it = far.get(item);
    return (it.text ??= plain(it.inner).replace(/\s+/g, " "));
  };
  const empty = (item) => {
    let within = item;
    if (item.matches("details")) item.replaceChildren((within = document.createElement("summary")));
    within.textContent = textOfFar(item);
  };
  const fill = (item) => {
    const it = far.get(item);
    if (!it || it.filled) return;
    it.filled = true;
    item.innerHTML = it.inner;
    unpack(item);
    if (item.matches("section.subject")) narrow(item);
  };
  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        for (const item of target.holder.children) {
          if (isIntersecting) fill(item);
          else if (far.get(item).filled && !item.matches("section.subject") && !item.contains(document.activeElement)) {
            far.get(item).filled = false;
            empty(item);
          }
        }
      }
    },
    { rootMargin: "1200px" },
  );
  const lists = [];
  const sections = [];
  // The texts of items are made while the browser has nothing else to do: those that the search needs, then those in the
  // document.
  let bare = [];
  let searched = 0; // of the sections
  const dress = (deadline) => {
    const goes = () => !deadline || deadline.timeRemaining() > 1;
    for (; searched < sections.length && goes(); searched++) if (far.has(sections[searched])) partsOf(sections[searched]);
    while (bare.length && goes()) {
      const item = bare.pop();
      if (!far.get(item).filled) empty(item);
      if (!item.matches("section.subject")) textOf(item);
    }
    if (bare.length) requestIdleCallback(dress);
  };
  // deal spreads items of a list over its parts.
  const deal = (list, items) => {
    list.whole = items.length === list.items.length;
    for (const [i, part] of list.parts.entries()) {
      const own = items.slice(i * group, (i + 1) * group);
      part.holder.replaceChildren(...own);
      part.hidden = !own.length;
      part.classList.toggle("narrowed", own.length < group);
      near.unobserve(part);
      near.observe(part);
    }
  };
  const unpack = (within) => {
    for (const still of all(".still", within)) still.remove();
    for (const script of all("script.later", within)) {
      const items = JSON.parse(script.textContent).map(emptied);
      const list = script.parentElement;
      const made = [];
      for (let at = 0; at < items.length; at += group) {
        const part = document.createElement("div");
        part.className = "later of-" + (items[0].matches(".finding") ? "finding" : items[0].classList[0]);
        part.holder = part;
        if (list.matches("ol")) part.holder = part.appendChild(list.cloneNode());
        if (list.matches("tbody")) part.holder = part.appendChild(list.parentElement.cloneNode()).appendChild(list.cloneNode());
        made.push(part);
        near.observe(part);
      }
      lists.push({ items, parts: made, home: list.closest("section.subject") });
      deal(lists.at(-1), items);
      if (!bare.length) requestIdleCallback(dress);
      bare = items.toReversed().concat(bare);
      if (list.matches("ol")) list.after(...made);
      else if (list.matches("tbody")) list.parentElement.after(...made);
      else script.before(...made);
      script.remove();
    }
  };

  // What a link leads to may be in a list that is folded, filtered or far.
  const reveal = (id) => {
    const named = (it) => it.inner.includes(' id="' + id + '"') || it.inner.includes(' id=\\"' + id + '\\"');
    let target = document.getElementById(id);
    if (!target && words.length) clear();
    while (!(target ??= document.getElementById(id))) {
      const [item] = [...far].find(([, it]) => !it.filled && named(it)) || [];
      if (!item) return;
      fill(item);
    }
    if (target.closest("[hidden]")) clear();
    root.classList.remove("failing-only");
    one("#failing")?.setAttribute("aria-pressed", "false");
    for (let at = target; at; at = at.parentElement) {
      fill(at);
      if (at.matches("details")) at.open = true;
    }
    if (target.matches("section.subject")) target.firstElementChild.open = true;
    let times = 6; // items between here and there become as high as they are
    const settle = () => {
      target.scrollIntoView({ block: target.matches(".finding, .item") ? "center" : "start" });
      if (times--) requestAnimationFrame(settle);
    };
    settle();
  };
  const follow = () => location.hash && reveal(location.hash.slice(1));
  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link && link.getAttribute("href") === location.hash) follow();
  });

  const search = one("#search");
  const shown = { error: true, warning: true, info: true };
  const texts = new WeakMap();
  const titles = new WeakMap(); // of sections
  const textOf = (item) => {
    if (!texts.has(item)) texts.set(item, (far.has(item) ? textOfFar(item) : item.textContent).toLowerCase());
    return texts.get(item);
  };
  const severityOf = (item) => /\berror|\bwarning|\binfo/.exec(item.matches(".finding") ? item.className : "")?.[0];
  let words = [];
  const fits = (severity, text) => (!severity || shown[severity]) && words.every((word) => text.includes(word));
  // The findings and other items in the HTML of a section that is far, as pairs of severity and text.
  const partsOf = (section) => {
    const it = far.get(section);
    return (it.parts ??= it.inner
      .split(/(?=<(?:li|tr|div|details) class=\\?"item )/)
      .map((html) => [/^<li class=\\?"item finding (\w+)/.exec(html)?.[1], plain(html).toLowerCase()]));
  };
  const titleOf = (section) => {
    if (!titles.has(section)) {
      const head = /<h2[^]*?<\/h2>/.exec(far.get(section)?.inner);
      titles.set(section, (head ? plain(head[0]) : section.querySelector("h2").textContent).toLowerCase() + " ");
    }
    return titles.get(section);
  };
  // pick marks the items that fit, and counts them; those of long lists are in the document only if they fit.
  const pick = (home, title) => {
    const count = [0, 0];
    const look = (item) => {
      const fit = fits(severityOf(item), title + textOf(item));
      count[0] += fit;
      count[1]++;
      return fit;
    };
    for (const item of all(".item", home || document)) {
      if (!far.has(item) && (home || !item.closest("section.subject"))) hide(item, !look(item));
    }
    for (const list of lists) {
      if (list.home !== home || !list.items[0].matches(".item")) continue;
      const some = list.items.filter(look);
      if (!list.whole || some.length < list.items.length) deal(list, some);
    }
    return count;
  };
  const hide = (item, on) => {
    if (item.hidden !== on) item.hidden = on;
  };
  const unfolded = new Set(); // the sections that the search opened
  // narrow hides the items in a section that do not fit, and the section if nothing in it does.
  const narrow = (section) => {
    if (far.has(section) && !far.get(section).filled) {
      if (!narrows()) {
        hide(section, false);
        return [0, 0];
      }
      const it = far.get(section);
      if (!it.parts && rough.some((word) => !word.test(it.inner))) {
        hide(section, true);
        return [0, it.inner.split('"item ').length - 1];
      }
      const [head, ...parts] = partsOf(section);
      const title = titleOf(section);
      const of = parts.length;
      const left = parts.filter(([severity, text]) => fits(severity, title + text)).length;
      hide(section, of ? !left : !fits("", head[1]));
      return [left, of];
    }
    const [left, of] = pick(section, titleOf(section));
    const details = section.firstElementChild;
    if (!words.length) unfolded.delete(details) && (details.open = false);
    else if (left && !details.open) unfolded.add(details) && (details.open = true);
    hide(section, of ? !left : !fits("", textOf(section)));
    return [left, of];
  };
  const narrows = () => words.length > 0 || Object.values(shown).includes(false);
  // roughly returns an expression for HTML that can have a word in its text.
  const roughly = (word) => {
    const letter = (c) => (escaped[c] || c).replace(/[\\^$.*?()[\]{}|/]/g, "\\$&");
    return new RegExp([...word].map(letter).join("(?:<[^>]*>)*"), "iu");
  };
  let rough = [];
  // filter searches the sections in steps, so that the page stays responsive, and then calls done.
  let waiting = false;
  let searches = 0;
  const filter = (done) => {
    waiting = false;
    words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    rough = words.map(roughly);
    const own = ++searches;
    let [left, of] = pick(null, "");
    let at = 0;
    const go = () => {
      if (own !== searches) return;
      const until = narrows() ? performance.now() + 100 : Infinity;
      for (; at < sections.length && performance.now() < until; at++) {
        const [some, whole] = narrow(sections[at]);
        left += some;
        of += whole;
      }
      const ends = at === sections.length;
      one("#matches").textContent = !narrows() ? "" : ends ? left + " of " + of : "searching";
      hide(one("#nothing"), !ends || !narrows() || left > 0 || sections.some((section) => !section.hidden));
      if (!ends) setTimeout(go);
      else if (done) done();
    };
    go();
  };
  const soon = () => {
    if (!waiting) requestAnimationFrame(() => filter());
    waiting = true;
  };
  const press = (button, on) => button.setAttribute("aria-pressed", String(on));
  const pressed = (button) => button.getAttribute("aria-pressed") === "true";
  for (const button of all("[data-show]")) {
    button.addEventListener("click", () => {
      press(button, (shown[button.dataset.show] = !pressed(button)));
      soon();
    });
  }
  one("#failing")?.addEventListener("click", (event) => {
    press(event.target, root.classList.toggle("failing-only"));
  });
  for (const button of all("[data-find]")) {
    button.addEventListener("click", () => {
      search.value = button.dataset.find;
      filter(() => all(".finding").find(seen)?.scrollIntoView({ block: "center" }));
    });
  }
  const clear = () => {
    if (!search) return;
    search.value = "";
    for (const button of all("[data-show]")) press(button, (shown[button.dataset.show] = true));
    filter();
  };
  search?.addEventListener("input", soon);
  one("#clear").addEventListener("click", clear);

  // What the keys lead through: findings, or other items and cells with a link. A section that is far has some.
  const stops = {
    finding: ".finding, section.subject",
    row: ".item:not(.finding), .item > .cell:has(a), section.subject",
  };
  const seen = (stop) => stop.checkVisibility();
  const waits = (stop) => stop.matches("section.subject") && far.has(stop) && !far.get(stop).filled;
  const step = (kind, by) => {
    for (;;) {
      const list = all(stops[kind]).filter((stop) => !stop.matches("section.subject") || waits(stop));
      let here = -1;
      for (let at = document.activeElement; at && here < 0; at = at.parentElement) here = list.indexOf(at);
      let at = here < 0 && by < 0 ? list.length : here;
      do at += by;
      while (list[at] && !seen(list[at]));
      if (!list[at]) return;
      if (waits(list[at])) {
        fill(list[at]);
        continue;
      }
      if (!list[at].hasAttribute("tabindex")) list[at].tabIndex = -1;
      list[at].focus({ preventScroll: true });
      list[at].scrollIntoView({ block: "center" });
      return;
    }
  };

  const leave = () => {
    if (search?.value) clear();
    search?.blur();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || help.open) return;
    const typing = event.target instanceof HTMLInputElement;
    if (event.key === "Escape") leave();
    else if (typing) return;
    else if (event.key === "j") step("finding", 1);
    else if (event.key === "k") step("finding", -1);
    else if (event.key === "n") step("row", 1);
    else if (event.key === "p") step("row", -1);
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
    dress();
    for (const section of [...far.keys()]) if (section.matches("section.subject")) fill(section);
    opened = one("body.several") ? [] : all("details:not([open])");
    for (const folded of opened) folded.open = true;
  });
  addEventListener("afterprint", () => {
    for (const folded of opened) folded.open = false;
    opened = [];
  });

  unpack(document);
  sections.push(...all("section.subject"));
  follow();
})();
