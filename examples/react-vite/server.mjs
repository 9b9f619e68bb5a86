import { build } from 'vite';
import { backendFor, json, serve, settingsFromEnvironment } from '../backend.mjs';

const settings = settingsFromEnvironment();
const backend = backendFor(settings);
const configFile = new URL('vite.config.mjs', import.meta.url).pathname;
const { output } = await build({ configFile, logLevel: 'warn', build: { write: false } });

const files = output.map((file) => [
  `GET /${file.fileName === 'index.html' ? '' : file.fileName}`,
  () => (file.type === 'chunk' ? ['text/javascript', file.code] : ['text/html', file.source]),
]);

serve(settings.port, {
  ...Object.fromEntries(files),
  'GET /api/svc/settings': async () => json(await backend.widgetSettings()),
  'POST /api/svc/token': async () => json({ token: await backend.tenantToken() }),
});
