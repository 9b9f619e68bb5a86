import { readFile } from 'node:fs/promises';
import { backendFor, json, serve, settingsFromEnvironment } from '../backend.mjs';

const settings = settingsFromEnvironment();
const backend = backendFor(settings);
const service = new URL(settings.baseUrl).origin;

// Fetched once: the URL of a release never changes, and the browser checks its hash.
const { files } = await (await fetch(`${service}/sdk/release.json`)).json();
const { path, integrity } = files['svc.iife.js'];

serve(settings.port, {
  'GET /': async () => ['text/html', page(await backend.widgetSettings())],
  'GET /rent.js': async () => [
    'text/javascript',
    await readFile(new URL('rent.js', import.meta.url)),
  ],
  'POST /api/svc/token': async () => json({ token: await backend.tenantToken() }),
});

/** The settings are part of the page, so that the widget paints without a request. */
function page(widgetSettings) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Your rent</title>
<link rel="icon" href="data:,">
<style>#rent { max-width: 560px; min-height: 250px }</style>
<script src="${service}${path}" integrity="${integrity}" crossorigin="anonymous" defer></script>
<script src="/rent.js" defer></script>
</head>
<body>
<main>
<h1>Your rent</h1>
<div id="rent" data-settings="${escapeHtml(JSON.stringify(widgetSettings))}"></div>
</main>
</body>
</html>`;
}

function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
