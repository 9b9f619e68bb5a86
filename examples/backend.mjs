import { createServer } from 'node:http';
import { SvcClient, signWidget } from '@svc/node';

/** The signed-in tenant. Yours comes from your session and your database. */
const tenant = { id: 't-100', balance: 152012, firstName: 'Ada', lastName: 'Lane' };

/**
 * The partner's backend in all three examples. It signs the tenant's id for the page and fetches a
 * tenant token on click. The API key never leaves the backend.
 */
export function backendFor({ apiKey, pms, baseUrl }) {
  const svc = new SvcClient({ apiKey, baseUrl });
  return {
    async widgetSettings() {
      const signature = await signWidget({ apiKey, pms, externalId: tenant.id });
      const { id: externalId, balance } = tenant;
      return { balance, pms, externalId, signature, environment: 'sandbox', baseUrl };
    },
    async tenantToken() {
      const { token } = await svc.portalInfo(tenant.id, {
        first_name: tenant.firstName,
        last_name: tenant.lastName,
        email: 'ada@example.com',
        charges: [
          // A bill can be split from seven days before it is due until nine days after.
          { id: 'C-1', type: 'rent', due_date: today(), amount_in_cents: tenant.balance },
        ],
      });
      return token;
    },
  };
}

/** Reads the API key and name that `npm run svc-admin -- partner create <pms>` printed from the environment. */
export function settingsFromEnvironment() {
  const { SVC_API_KEY: apiKey, SVC_PMS: pms, SVC_BASE_URL, PORT } = process.env;
  if (!apiKey || !pms)
    throw new Error(
      'Set SVC_API_KEY and SVC_PMS to the values that "npm run svc-admin -- partner create" printed.',
    );
  const baseUrl = SVC_BASE_URL ?? 'http://localhost:4000/v1';
  return { apiKey, pms, baseUrl, port: Number(PORT ?? 4200) };
}

/** Serves `routes`: each key is `METHOD /path`, each value a function that returns `[content type, body]`. */
export function serve(port, routes, host = '127.0.0.1') {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const route = routes[`${request.method} ${pathname}`];
    try {
      const [type, body] = route ? await route() : ['text/plain', 'Not found'];
      response.writeHead(route ? 200 : 404, { 'content-type': type });
      response.end(body);
    } catch (error) {
      console.error(error);
      response.writeHead(502, { 'content-type': 'application/json' });
      response.end('{}');
    }
  });
  server.listen(port, host, () => {
    console.log(`http://${host}:${server.address().port}`);
  });
}

export const json = (value) => ['application/json', JSON.stringify(value)];

function today() {
  return new Date().toISOString().slice(0, 10);
}
