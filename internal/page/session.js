(() => {
  "use strict";
  // What a link leads to may lie in a list that is folded.
  const unfold = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let at = target.parentElement; at; at = at.parentElement) if (at.matches("details")) at.open = true;
    target.scrollIntoView({ block: "center" });
  };
  addEventListener("hashchange", unfold);
  unfold();
})();
