/* Runs before the first paint, so that a selected theme does not flash. */
(() => {
  const root = document.documentElement.dataset;
  let theme = null;
  let contrast = null;
  try {
    theme = localStorage.getItem('svc-portal-theme');
    contrast = localStorage.getItem('svc-portal-contrast');
  } catch (error) {
    console.info('The theme follows the system, because storage is unavailable.', error);
  }
  if (theme === 'light' || theme === 'dark') root.theme = theme;
  const more = contrast === null && matchMedia('(prefers-contrast: more)').matches;
  if (more || contrast === 'more') root.contrast = 'more';
})();
