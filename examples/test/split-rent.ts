import { createHmac } from 'node:crypto';

/**
 * Splits a tenant's rent with the calls of the experience: applies, adds the account whose payments
 * succeed, and accepts the first offer. The portal must have reported the tenant before.
 */
export async function splitRent(
  api: string,
  { key, pms, externalId }: { key: string; pms: string; externalId: string },
): Promise<void> {
  const partner = (path: string, body: object) =>
    call(`${api}${path}`, body, { authorization: `Bearer ${key}` });
  await partner(`/simulation/${externalId}/set_underwriting_result`, {
    underwriting_result: 'WILL_BE_APPROVED',
  });
  const today = new Date().toISOString().slice(0, 10);
  const { token } = await partner(`/tenant/portal_info/${externalId}`, {
    first_name: 'Ada',
    last_name: 'Lane',
    email: 'ada@example.com',
    charges: [{ id: 'C-1', due_date: today, amount_in_cents: 152012 }],
  });
  const { session } = await call(`${api}/experience/session`, {
    token,
    pms,
    external_id: externalId,
    signature: createHmac('sha256', key).update(`${pms}+${externalId}`).digest('hex'),
    product_variant: 'rent',
    nonce: 'nonce-of-this-frame-1',
  });
  const headers = { authorization: `Bearer ${session}` };
  const tenant = (path: string, body: object) => call(`${api}/experience${path}`, body, headers);
  await tenant('/application', {
    date_of_birth: '1990-04-01',
    monthly_income_in_cents: 500_000,
    consent: true,
  });
  await tenant('/payment_method', {
    type: 'bank_account',
    routing_number: '110000000',
    account_number: '000111110000',
    account_type: 'checking',
  });
  const { items } = await call(`${api}/experience/quotes`, undefined, headers);
  const [quote] = items as { id: string; disclosure: { sha256: string } }[];
  await tenant('/plan', {
    quote_id: quote?.id,
    accepted_disclosure_sha256: quote?.disclosure.sha256,
  });
}

async function call(
  url: string,
  body: object | undefined,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { error, data } = (await response.json()) as {
    error: { message: string } | null;
    data: Record<string, unknown>;
  };
  if (error) throw new Error(`${url}: ${error.message}`);
  return data;
}
