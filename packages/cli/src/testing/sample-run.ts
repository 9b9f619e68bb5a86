import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type {
  CertificationCaseOutput,
  CertificationKeysOutput,
  CertificationOutput,
} from '@svc/contract';
import { sortedJson } from '../certify/report/verify-report.ts';

/** Text that would do harm in a terminal, in XML or in HTML. */
export const hostile = `<script>alert('1')</script>"&\u001b[2J\u202e]]>`;

const base: CertificationCaseOutput = {
  name: 'handshake',
  area: 'receiver',
  title: 'A valid webhook is accepted and a forged one refused',
  status: 'pass',
  summary: 'It answered 204 and 401.',
  cause: null,
  fix: null,
  docs_url: 'https://svc.example/docs/webhooks',
  steps: [],
  ran_at: '2026-02-01T18:00:00.000Z',
  duration_in_ms: 120,
  reported_by: 'service',
};

/** A finished run for tests of the reports: one case of each status, with text of others in every part. */
export function sampleRun(changes: Partial<CertificationOutput> = {}): CertificationOutput {
  return {
    id: 'crt_1',
    state: 'failed',
    verdict: '2 of 4 cases passed, 1 of them with a warning, 1 failed.',
    service_version: '0.3.0',
    endpoint_id: 'ep_1',
    endpoint_url: 'https://portal.example/api/svc/webhooks',
    tenant_query_url: null,
    product_variant: 'rent',
    tenants: [],
    anyway: false,
    created_at: '2026-02-01T18:00:00.000Z',
    last_step_at: '2026-02-01T18:02:10.000Z',
    finished_at: '2026-02-01T18:02:11.000Z',
    cases: [
      base,
      {
        ...base,
        name: 'duplicates',
        title: 'A repeated webhook is handled once',
        status: 'fail',
        summary: `You debited $1,520.12 twice. ${hostile}`,
        cause: 'Your receiver does not store the webhook-id of what it has handled.',
        fix: 'Store each webhook-id in the transaction that handles it, and skip one you know.',
        docs_url: 'https://svc.example/docs/webhooks#a-receiver',
        duration_in_ms: 840,
        steps: [
          {
            title: 'settlement.created, a second time',
            detail: 'The receiver had answered the first one.',
            request: {
              method: 'POST',
              url: `https://portal.example/api/svc/webhooks?${hostile}`,
              headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
              body: '{"type":"settlement.created","data":{"amount_in_cents":152012}}',
            },
            response: { status: 500, headers: { 'x-note': hostile }, body: hostile },
            duration_in_ms: 12,
          },
        ],
      },
      {
        ...base,
        name: 'service_down',
        area: 'page',
        title: 'The page works while the service is down',
        status: 'warn',
        summary: 'Without the service, the page has an empty place where the widget would be.',
        cause: 'The container #rent has no fallback.',
        fix: 'Put a sentence into the container.',
        docs_url: 'javascript:alert(1)',
        reported_by: 'cli',
        steps: [
          {
            title: 'Broke the browser’s connection to the service',
            detail: 'The page has 68 characters of text.',
            request: null,
            response: null,
            duration_in_ms: 2_040,
          },
        ],
      },
      {
        ...base,
        name: 'debited_once',
        area: 'money',
        title: 'Each settlement is debited once',
        status: 'skipped',
        summary: 'Without a tenant query, your debits cannot be seen.',
        duration_in_ms: null,
        ran_at: null,
      },
    ],
    signed_report: { payload: '{}', signature: 'AA==', key_id: 'a1b2c3d4e5f60718' },
    ...changes,
  };
}

/** A finished run, signed as the service does it, and its public keys. */
export function signedRun(): { run: CertificationOutput; keys: CertificationKeysOutput } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const run = sampleRun();
  const payload = JSON.stringify({
    type: 'svc.certification',
    service: 'https://svc.example',
    environment: 'sandbox',
    pms: 'maple',
    id: run.id,
    service_version: run.service_version,
    endpoint_url: run.endpoint_url,
    finished_at: run.finished_at,
    state: run.state,
    verdict: run.verdict,
    cases: run.cases.map(({ name, status, summary, steps }) => {
      const steps_sha256 = createHash('sha256').update(sortedJson(steps)).digest('hex');
      return { name, status, summary, steps_sha256 };
    }),
  });
  const signature = sign(null, Buffer.from(payload), privateKey).toString('base64');
  return {
    run: { ...run, signed_report: { payload, signature, key_id: 'k1' } },
    keys: {
      keys: [{ key_id: 'k1', algorithm: 'ed25519', public_key: key.toString('base64') }],
    },
  };
}
