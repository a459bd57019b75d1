// Asking an element about itself, whatever its fields are called: in a form, `form.children` is the field of that name.

const getter = (kind, name) => {
  const { get } = Object.getOwnPropertyDescriptor(kind.prototype, name);
  return (node) => get.call(node);
};
const method = (kind, name) => { const own = kind.prototype[name]; return (node, ...given) => own.apply(node, given); };
const tagOf = getter(Element, "tagName"), kindOf = getter(Node, "nodeType"), textOf = getter(Node, "textContent");
const nodesOf = getter(Node, "childNodes"), upOf = getter(Node, "parentElement"), rootOf = method(Node, "getRootNode");
const slotOf = getter(Element, "assignedSlot"), shadowOf = getter(Element, "shadowRoot");
const beforeOf = getter(Element, "previousElementSibling"), editable = getter(HTMLElement, "isContentEditable");
const isEditable = (node) => "isContentEditable" in node && editable(node);  // not in drawings
const attr = method(Element, "getAttribute"), meets = method(Element, "matches"), nearest = method(Element, "closest");
const rectOf = method(Element, "getBoundingClientRect"), rectsOf = method(Element, "getClientRects");
const shows = method(Element, "checkVisibility"), reveal = method(Element, "scrollIntoView");
const contains = method(Node, "contains");
const isForm = (node) => tagOf(node) === "FORM";
const focusOn = (node) => isForm(node) ? HTMLElement.prototype.focus.call(node) : node.focus();
const typeOf = (node) => isForm(node) ? "" : node.type || "", labelsOf = (node) => isForm(node) ? [] : node.labels || [];
const elementChildren = getter(Element, "children"), elementAll = method(Element, "querySelectorAll");
const childrenOf = (node) => kindOf(node) === 1 ? elementChildren(node) : node.children;
const select = (node, selector) => kindOf(node) === 1 ? elementAll(node, selector) : node.querySelectorAll(selector);
