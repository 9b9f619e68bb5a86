import { createHmac, timingSafeEqual } from 'node:crypto';

// #region sign
export function signWidget(apiKey, pms, externalId) {
  return createHmac('sha256', apiKey).update(`${pms}+${externalId}`).digest('hex');
}
// #endregion

// #region verify
export function verify(raw, id, timestamp, signature, secret, now) {
  if (!id || !signature || !/^\d+$/.test(timestamp ?? '')) return false;
  if (Math.abs(now - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(raw).digest();
  // During a rotation there is one entry per active secret; one match is enough.
  return signature.split(' ').some((entry) => {
    const given = Buffer.from(entry.startsWith('v1,') ? entry.slice(3) : '', 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
// #endregion
