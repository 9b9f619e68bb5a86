import { type SdkError, sdkErrorCatalog } from '@svc/contract/sdk-errors';

/** A problem as the SDK saw it. SDKs of other releases load this file: add fields, change none. */
interface Facts {
  code: number | null;
  error_code: string;
  msg: string;
  serviceOrigin: string;
  pms: string;
  externalId: string;
  signature: string;
  /** `YYYY-MM-DD`: when the tenant can split, if the service said so. */
  availableOn: string | null;
}

/** The line to show: `msg` says what is wrong and what to do. */
export interface Finding {
  error_code: string;
  msg: string;
}

/** Finds out which of several causes a problem has, by asking the service. Sandbox only. */
export async function findCause(facts: Facts): Promise<Finding> {
  const { code, error_code } = facts;
  if (code === 1001) return refusedCause(facts);
  if (error_code === 'network') {
    // This file has arrived, so the service runs.
    const what = `${facts.serviceOrigin} answers, but gave the widget's request no usable answer.`;
    const fix = 'Look at POST /v1/widget/session in the network panel, and at what is in between.';
    return describeError(facts, error_code, what, fix);
  }
  if (error_code === 'frame_timeout') return frameCause(facts);
  if (error_code === 'tenant_too_early' && facts.availableOn) {
    return describeError(
      facts,
      error_code,
      `The tenant can split from ${facts.availableOn} on, not before.`,
    );
  }
  return describeError(facts, error_code);
}

async function refusedCause(facts: Facts): Promise<Finding> {
  const { serviceOrigin, error_code, pms } = facts;
  if (await isProduction(serviceOrigin)) return describeError(facts, 'wrong_environment');
  if (error_code === 'portal_unknown') {
    return describeError(facts, error_code, `${serviceOrigin} has no portal named "${pms}".`);
  }
  const hint = externalIdHint(facts.externalId);
  return describeError(
    facts,
    error_code,
    hint ? `The signature does not match. ${hint}` : undefined,
  );
}

/** Returns a hint if such ids are often signed in another form than they are passed. Never repeats the id. */
function externalIdHint(id: string): string | undefined {
  if (id !== id.trim()) return 'externalId begins or ends with a space.';
  if (/%[0-9a-f]{2}/i.test(id))
    return 'externalId looks percent-encoded: sign and pass it decoded.';
  if (id !== id.normalize('NFC')) {
    return 'externalId has combining characters (NFD): sign and pass the same form.';
  }
  return undefined;
}

async function frameCause(facts: Facts): Promise<Finding> {
  const { serviceOrigin, pms, externalId, signature } = facts;
  if (await isProduction(serviceOrigin)) return describeError(facts, 'wrong_environment');
  // This is the widget's own request, which a page with `identityCheck: 'open'` has not sent yet.
  const refusal = await fetch(`${serviceOrigin}/v1/widget/session`, {
    method: 'POST',
    body: JSON.stringify({ pms, external_id: externalId, signature }),
  }).then(
    async (response) => (await response.json()).error?.code,
    () => undefined,
  );
  if (refusal === 'portal_unknown' || refusal === 'signature_invalid') {
    return refusedCause({ ...facts, error_code: refusal });
  }
  return describeError(facts, refusal === 'origin_not_allowed' ? refusal : 'frame_timeout');
}

/** Returns whether the service is in production. Only sandbox pages load this file, so true is a mismatch. */
async function isProduction(serviceOrigin: string): Promise<boolean> {
  const response = await fetch(`${serviceOrigin}/sdk/release.json`, { cache: 'no-store' });
  const { environment } = await response.json();
  return environment === 'production';
}

/** Describes the error in the catalog's words, with a more exact `cause` or `fix` where one is given. */
function describeError(
  { serviceOrigin, msg }: Facts,
  error_code: string,
  cause?: string,
  fix?: string,
) {
  const known: SdkError | undefined = Object.hasOwn(sdkErrorCatalog, error_code)
    ? sdkErrorCatalog[error_code as keyof typeof sdkErrorCatalog]
    : undefined;
  if (!known) return { error_code, msg };
  const text = `${cause ?? `${known.meaning} ${known.cause}`} ${fix ?? known.fix}`;
  return {
    error_code,
    msg: text.replaceAll('{service}', serviceOrigin).replaceAll('{page}', location.origin),
  };
}
