// Runs in our own world before a replay: which elements the parser makes, in order, so that each can be found in the source.
document.addEventListener("readystatechange", () => {
  if (document.readyState === "interactive") globalThis.parsed = [...document.querySelectorAll("*")];
}, { once: true, capture: true });
