// Applies the chosen theme and brand before the first paint, and when the demo's bar changes them.
const root = document.documentElement;

function applyLook() {
  root.dataset.theme = localStorage.getItem('theme') ?? '';
  root.dataset.brand = localStorage.getItem('brand') ?? 'maple';
}

applyLook();
addEventListener('storage', applyLook);
