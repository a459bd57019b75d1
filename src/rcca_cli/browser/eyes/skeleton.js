// Runs in our own world before a replay: which elements the parser makes, in order, to find each in the source.
document.addEventListener("readystatechange", () => {
  if (document.readyState === "interactive") globalThis.parsed = [...document.querySelectorAll("*")];
}, { once: true, capture: true });
