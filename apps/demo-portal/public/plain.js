// A complete partner integration without a framework. Served as is.
import { Environment, Svc } from '/vendor/svc.js';

const byId = (id) => document.getElementById(id);
const tenantId = new URL(location.href).searchParams.get('tenant');
let svc;

const { service_origin: baseUrl, tenants } = await ask('GET', '/api/tenants');
const current = tenants.find(({ id }) => id === tenantId) ?? tenants[0];
byId('react').href = `/?tenant=${encodeURIComponent(current.id)}`;
byId('switcher').append(...tenants.map(choiceOf));
byId('start-over').addEventListener('click', () => signIn('start-over'));
listen();
await signIn('select');

/** Loads the signed-in tenant from the backend and shows the widget. */
async function signIn(how) {
  svc?.destroy();
  try {
    const { account, widget } = await ask('POST', `/api/tenants/${current.id}/${how}`);
    byId('hello').textContent = `Hello, ${account.first_name}`;
    byId('place').textContent = `${account.property.name} · ${account.unit}`;
    svc = Svc({
      balance: account.balance_in_cents,
      pms: widget.pms,
      externalId: widget.external_id,
      signature: widget.signature,
      environment: Environment.Sandbox,
      productVariant: widget.product_variant,
      baseUrl,
      onEvent: report,
      onWidgetClickCallback: async () => svc.openExperienceAndSetToken(await fetchToken()),
    });
    byId('widget').replaceChildren(svc.createWidget());
    if (widget.preload) svc.update({ token: await fetchToken() });
  } catch (error) {
    byId('failure').textContent = error.message;
    byId('failure').hidden = false;
  }
}

/** Requests a tenant token from the backend. The API key never reaches the page. */
async function fetchToken() {
  return (await ask('POST', '/api/token', { tenant_id: current.id })).token;
}

function report(type, data) {
  void ask('POST', `/api/tenants/${current.id}/sdk-events`, { type, data });
}

/** Lists activity as it happens. A recorded payment updates the balance. */
function listen() {
  new EventSource('/api/stream').addEventListener('message', async ({ data }) => {
    const activity = JSON.parse(data);
    if (activity.tenant_id !== null && activity.tenant_id !== current.id) return;
    if (activity.path?.endsWith('/reset')) byId('list').replaceChildren();
    byId('list').prepend(itemOf(activity));
    if (activity.verified && /^(settlement\.created|plan\.canceled)$/.test(activity.type)) {
      const account = await ask('GET', `/api/tenants/${current.id}/account`);
      svc?.update({ balance: account.balance_in_cents });
    }
  });
}

function itemOf({ kind, type, method, path, status, verified, reason, doc_url: href }) {
  const link = Object.assign(document.createElement('a'), { className: 'svc-link', href });
  link.textContent = kind === 'call' ? `${method} ${path}` : (type ?? 'Unverified request');
  const outcome = document.createElement('span');
  if (kind === 'call') outcome.textContent = `API call · ${status ?? 'no response'}`;
  if (kind === 'sdk') outcome.textContent = 'SDK event';
  if (kind === 'webhook') {
    outcome.textContent = verified ? 'Webhook · verified' : `Webhook · not verified: ${reason}`;
  }
  const item = document.createElement('li');
  item.append(link, outcome);
  return item;
}

function choiceOf({ id, name, shows }) {
  const input = Object.assign(document.createElement('input'), {
    type: 'radio',
    name: 'tenant',
    className: 'switcher__radio',
    checked: id === current.id,
  });
  input.addEventListener('change', () => {
    location.search = `?tenant=${encodeURIComponent(id)}`;
  });
  const label = Object.assign(document.createElement('label'), { className: 'switcher__choice' });
  label.append(input, textOf('switcher__name', name), textOf('switcher__shows', shows));
  return label;
}

function textOf(className, textContent) {
  return Object.assign(document.createElement('span'), { className, textContent });
}

async function ask(method, path, body) {
  const init = body && {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await fetch(path, { method, ...init });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  return answer;
}
