import { createHash, createPublicKey, verify } from 'node:crypto';
import type { CertificationKeysOutput, CertificationOutput } from '@svc/contract';
import { Failure } from '../../failure.ts';

/** The text that the service has signed. */
export interface SignedPayload {
  readonly service: string;
  readonly environment: string;
  readonly pms: string;
  readonly id: string;
  readonly service_version: string;
  readonly endpoint_url: string;
  readonly finished_at: string;
  readonly state: string;
  readonly verdict: string;
  readonly cases: readonly {
    readonly name: string;
    readonly status: string;
    readonly summary: string | null;
    readonly steps_sha256?: string;
  }[];
}

export type Verified =
  | {
      readonly ok: true;
      readonly payload: SignedPayload;
      /** Parts of the file that are not as they were signed. */
      readonly changed: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/** Reads a certify.json, or says what is wrong with it. */
export function parseReport(text: string, path: string): CertificationOutput {
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    throw new Failure(`${path} is not JSON.`, {
      next: 'Pass the certify.json of "svc certify --out".',
    });
  }
  const signed = (report as { signed_report?: unknown } | null)?.signed_report;
  const { payload, signature, key_id } = (signed ?? {}) as Record<string, unknown>;
  if ([payload, signature, key_id].every((part) => typeof part === 'string')) {
    return report as CertificationOutput;
  }
  throw new Failure(`${path} has no signed report.`, {
    next: 'A run is signed when it is finished. Pass the certify.json of "svc certify --out".',
  });
}

/** Checks that one of the service's keys made the signature, and that the rest of the file agrees with it. */
export function verifyReport(
  report: CertificationOutput,
  { keys }: CertificationKeysOutput,
): Verified {
  const { payload, signature, key_id } = report.signed_report as NonNullable<
    CertificationOutput['signed_report']
  >;
  const key = keys.find((it) => it.key_id === key_id);
  if (!key)
    return { ok: false, reason: 'The service has no key with the id that the report names.' };
  const publicKey = createPublicKey({
    key: {
      kty: 'OKP',
      crv: 'Ed25519',
      x: Buffer.from(key.public_key, 'base64').toString('base64url'),
    },
    format: 'jwk',
  });
  const isSigned = verify(null, Buffer.from(payload), publicKey, Buffer.from(signature, 'base64'));
  if (!isSigned)
    return { ok: false, reason: 'The signature does not match: the report was changed.' };
  const signed: SignedPayload = JSON.parse(payload);
  return { ok: true, payload: signed, changed: differencesOf(report, signed) };
}

/** Lists what differs from the signed payload. People read the cases next to it, so those must say the same. */
function differencesOf(report: CertificationOutput, signed: SignedPayload): string[] {
  const fields = ['id', 'state', 'verdict', 'service_version', 'finished_at'] as const;
  const changed: string[] = fields.filter((name) => report[name] !== signed[name]);
  const cases = Array.isArray(report.cases) ? report.cases : [];
  if (cases.length !== signed.cases.length) changed.push('the number of cases');
  for (const it of signed.cases) {
    const shown = cases.find(({ name }) => name === it.name);
    const isSame =
      shown?.status === it.status &&
      shown.summary === it.summary &&
      (it.steps_sha256 === undefined || digestOf(shown.steps) === it.steps_sha256);
    if (!isSame) changed.push(`the case ${it.name}`);
  }
  return changed;
}

const digestOf = (steps: unknown) => createHash('sha256').update(sortedJson(steps)).digest('hex');

/** Serializes to JSON with sorted keys, like the service when it computes the digest. */
export function sortedJson(steps: unknown): string {
  return JSON.stringify(steps, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
