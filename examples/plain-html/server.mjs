import { readFile } from 'node:fs/promises';
import { backendFor, json, serve, settingsFromEnvironment } from '../backend.mjs';

const settings = settingsFromEnvironment();
const backend = backendFor(settings);

serve(settings.port, {
  'GET /': async () => ['text/html', await readFile(new URL('index.html', import.meta.url))],
  'GET /svc.js': async () => [
    'text/javascript',
    await readFile(new URL(import.meta.resolve('@svc/core'))),
  ],
  'GET /api/svc/settings': async () => json(await backend.widgetSettings()),
  'POST /api/svc/token': async () => json({ token: await backend.tenantToken() }),
});
