/* Runs before the first paint, so that a pinned theme never flashes the other one. */
(() => {
  const root = document.documentElement.dataset;
  let theme = null;
  let contrast = null;
  try {
    theme = localStorage.getItem('svc-portal-theme');
    contrast = localStorage.getItem('svc-portal-contrast');
  } catch (error) {
    console.info('The theme follows the system: storage is closed.', error);
  }
  if (theme === 'light' || theme === 'dark') root.theme = theme;
  const more = contrast === null && matchMedia('(prefers-contrast: more)').matches;
  if (more || contrast === 'more') root.contrast = 'more';
})();
