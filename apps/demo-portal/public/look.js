// Applies the chosen theme and brand before the first paint, and when the demo's bar changes them.
const root = document.documentElement;

function applyLook() {
  root.dataset.theme = readChoice('theme') ?? '';
  root.dataset.brand = readChoice('brand') ?? 'maple';
}

/** A choice of the visitor. Null where the browser keeps none, such as in a WebView. */
function readChoice(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

applyLook();
addEventListener('storage', applyLook);
