// Whether the page has begun to drag something in the browser's own way, for the hand that goes on with it.

let dragged = null, watching = false;
const watchDrags = () => {
  dragged = null;
  if (watching) return;
  watching = true;
  addEventListener("dragstart", (event) => { dragged = event; }, true);
};
const isDragging = () => dragged !== null && !dragged.defaultPrevented;
