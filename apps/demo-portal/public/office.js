// The back office of a partner without a framework. Served as is.
import { Environment, StaffView } from '/vendor/staff.js';

const tenantId = new URL(location.href).searchParams.get('tenant') ?? 'res-1042';

try {
  await show('settlements', '/api/office');
  await show('plan', `/api/office/${encodeURIComponent(tenantId)}`, tenantId);
} catch (error) {
  document.getElementById('failure').textContent = error.message;
  document.getElementById('failure').hidden = false;
}

async function show(place, path, externalId) {
  // A real backend checks here who is signed in.
  const { pms, base_url: baseUrl } = await ask(path);
  const view = StaffView({
    view: externalId === undefined ? 'settlements' : 'tenant_plan',
    pms,
    baseUrl,
    externalId,
    environment: Environment.Sandbox,
    getToken: async () => (await ask(path)).token,
  });
  document.getElementById(place).append(view.element);
}

async function ask(path) {
  const response = await fetch(path, { method: 'POST' });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  return answer;
}
