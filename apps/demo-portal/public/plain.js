// A complete partner integration without a framework. Served as is.
import { es } from '/vendor/es.js';
import { Environment, Svc } from '/vendor/svc.js';

const byId = (id) => document.getElementById(id);
const tenantId = new URL(location.href).searchParams.get('tenant') ?? 'res-1042';
const tenantPath = `/api/tenants/${encodeURIComponent(tenantId)}`;

showLanguage();
try {
  const { account, widget } = await ask('GET', tenantPath);
  for (const text of document.querySelectorAll('[data-hello]')) {
    text.textContent = `${text.dataset.hello}, ${account.first_name}`;
  }
  byId('place').textContent = `${account.property.name} · ${account.unit}`;
  const svc = Svc({
    balance: account.balance_in_cents,
    pms: widget.pms,
    externalId: widget.external_id,
    signature: widget.signature,
    environment: Environment.Sandbox,
    productVariant: widget.product_variant,
    baseUrl: widget.base_url,
    locale: localeNow(),
    onEvent: report,
    onWidgetClickCallback: async () => svc.openExperienceAndSetToken(await fetchToken()),
  });
  byId('widget').append(svc.createWidget());
  if (widget.preload) svc.update({ token: await fetchToken() });
  keepBalance(svc);
  // Another language, theme or brand: the widget and the open experience follow.
  addEventListener('storage', () => {
    showLanguage();
    svc.update({ locale: localeNow() });
  });
} catch (error) {
  byId('failure').textContent = error.message;
  byId('failure').hidden = false;
}

function localeNow() {
  const visitors = navigator.language.startsWith('es') ? 'es' : 'en';
  return (readChoice('language') ?? visitors) === 'es' ? es : 'en-US';
}

/** Shows the texts of one language. The page has them in both. */
function showLanguage() {
  const language = localeNow() === es ? 'es' : 'en';
  document.documentElement.lang = language;
  for (const text of document.querySelectorAll('[data-in]')) {
    text.hidden = text.dataset.in !== language;
  }
}

/** Requests a tenant token from the backend. The API key never reaches the page. */
async function fetchToken() {
  return (await ask('POST', '/api/token', { tenant_id: tenantId })).token;
}

function report(type, data) {
  void ask('POST', `${tenantPath}/sdk-events`, { type, data });
}

/** A recorded payment updates the balance. */
function keepBalance(svc) {
  new EventSource('/api/stream').addEventListener('message', async ({ data }) => {
    const { tenant_id, verified, type } = JSON.parse(data);
    if (tenant_id !== tenantId || !verified) return;
    if (type !== 'settlement.created' && type !== 'plan.canceled') return;
    const { account } = await ask('GET', tenantPath);
    svc.update({ balance: account.balance_in_cents });
  });
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
