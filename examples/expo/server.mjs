import { backendFor, json, serve, settingsFromEnvironment } from '../backend.mjs';

// The app's backend. It has the API key; the app gets a signature and, on a tap, a tenant token.
const settings = settingsFromEnvironment();
const backend = backendFor(settings);
// Phones in the same network reach it by the address of this computer.
const host = process.env.HOST ?? '127.0.0.1';

serve(
  settings.port,
  {
    async 'GET /api/rent'() {
      const { environment: _, ...rent } = await backend.widgetSettings();
      return json(rent);
    },
    'POST /api/svc/token': async () => json({ token: await backend.tenantToken() }),
  },
  host,
);
