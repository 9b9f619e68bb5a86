// This script blocks rendering for a moment, so that a page with a chosen theme does not flash in the other
// one. Without a choice the pages follow the system.
try {
  const theme = localStorage.getItem('svc-docs-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: follow the system.
}
document.documentElement.classList.add('js');
