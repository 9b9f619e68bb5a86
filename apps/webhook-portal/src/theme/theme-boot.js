/* Runs before the first paint, so that a pinned theme never flashes the other one. */
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('svc-portal-theme');
  } catch (error) {
    console.info('The theme follows the system: storage is closed.', error);
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
})();
