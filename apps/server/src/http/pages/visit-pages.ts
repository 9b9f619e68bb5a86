import { returnPath } from '../../domain/payments/processor.ts';
import { htmlPage } from './html-page.ts';

/**
 * Redirects to a page of the bank or the processor, which replaces this one in the history. The cookie tells
 * `returnedPage` how many history entries of the tab come before: none in a tab that was opened for it.
 */
export const visitPage = htmlPage('One moment', [
  '<p id="opening">One moment… <span lang="es">Un momento…</span></p>',
  '<section id="failed" role="alert" hidden>',
  '<h1>This page did not open</h1>',
  '<p>Go back to your portal’s page and press the button there again. It works for 10 minutes.</p>',
  '<p lang="es">Esta página no se abrió. Vuelve a la página de tu portal y oprime el botón otra vez. Funciona por 10 minutos.</p>',
  '<button type="button" class="svc-button" hidden>Go back <span lang="es">· Volver</span></button>',
  '</section>',
  `<script>
const secure = location.protocol === 'https:' ? '; secure' : '';
document.cookie = 'svc_history_length=' + (history.length - 1) + '; path=${returnPath}; max-age=3600; samesite=lax' + secure;
fetch('/v1/experience/visit', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  credentials: 'omit',
  body: JSON.stringify({ visit: location.hash.slice(1) }),
}).then((response) => response.json()).then(({ data }) => location.replace(data.url)).catch(() => {
  const back = document.querySelector('button');
  back.hidden = history.length === 1;
  back.onclick = () => history.back();
  document.getElementById('opening').hidden = true;
  document.getElementById('failed').hidden = false;
});
</script>`,
]);

/**
 * The page to which the bank or the processor returns. If their page took the place of one of the portal's or
 * ours, it goes back to that history entry. Otherwise their page had a new tab, which browsers let the script
 * close. Browsers keep at most 50 entries, so from there on the distance is unknown.
 */
export const returnedPage = htmlPage(
  'You can close this page',
  [
    '<h1>You can close this page</h1>',
    '<p>Go back to your portal’s page to continue.</p>',
    '<p lang="es">Puedes cerrar esta página. Continúa en la página de tu portal.</p>',
  ],
  `<script>
const entries = Number(/svc_history_length=([0-9]+)/.exec(document.cookie)?.[1] ?? 0);
document.cookie = 'svc_history_length=; path=${returnPath}; max-age=0';
if (entries > 0 && entries < history.length && history.length < 50) history.go(entries - history.length);
else window.close();
</script>`,
);
