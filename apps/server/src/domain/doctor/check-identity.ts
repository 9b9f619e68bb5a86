import type { DoctorInput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import type { StoredKey } from '../access/api-keys.ts';
import { type Check, createCheck } from './check.ts';
import { explainSignature, type SignedIdentity } from './explain-signature.ts';

/** Checks the partner's keys: which one this call used, and whether one is left over from a rotation. */
export function checkKey(
  { actor, service }: Pick<Ctx<PartnerActor>, 'actor' | 'service'>,
  keys: readonly StoredKey[],
): Check {
  const { publicOrigin, environment } = service;
  const check = createCheck('key', 'API key', { publicOrigin, docs: '/docs/security' });
  const live = keys.filter(({ isRevoked }) => !isRevoked);
  const used = live.find(({ id }) => id === actor.credentialId);
  const who = used ? `This call used ${used.name}, a ${environment} key. ` : '';
  const count = `${actor.pms} has ${live.length === 1 ? 'one live key' : `${live.length} live keys`}.`;
  const unused = live.filter(({ lastUsedAt }) => lastUsedAt === null);
  if (live.length === 0) {
    return check.fail(
      `${actor.pms} has no live key.`,
      'Create a key: no call and no widget works.',
    );
  }
  if (live.length > 1 && unused.length > 0 && unused.length < live.length) {
    return check.warn(
      `${who}${count} Never used: ${unused.map(({ name }) => name).join(', ')}.`,
      'Finish the rotation: switch over to the new key, then revoke the old one.',
    );
  }
  return check.pass(who + count);
}

/** Shows the text to sign, byte by byte, and explains the page's signature. Never shows a digest or a key. */
export function checkSignature(
  { actor, service }: Pick<Ctx<PartnerActor>, 'actor' | 'service'>,
  keys: readonly StoredKey[],
  {
    externalId,
    leaseId,
    diagnosis,
  }: {
    externalId: string | undefined;
    leaseId: string | undefined;
    diagnosis: DoctorInput['diagnosis'];
  },
): Check {
  const { publicOrigin, environment } = service;
  const checkFor = (code: string) =>
    createCheck('signature', 'Widget signature', { publicOrigin, docs: `/docs/errors#${code}` });
  const check = checkFor('signature_invalid');
  const { pms } = actor;
  if (externalId === undefined) {
    return check.skipped('Give an external_id to see the bytes that its signature is made over.');
  }
  const bytes = describeBytes({ pms, externalId });
  const signature = diagnosis?.signature;
  if (diagnosis?.pms !== undefined && diagnosis.pms !== pms) {
    return checkFor('portal_unknown').fail(
      `The page passes the pms "${diagnosis.pms}", but this key belongs to "${pms}". ${bytes}`,
      `Pass "${pms}" to the widget, and sign with a key of the same portal.`,
    );
  }
  if (diagnosis?.environment !== undefined && diagnosis.environment !== environment) {
    return checkFor('wrong_environment').fail(
      `The page's environment is "${diagnosis.environment}", but this is a ${environment} service. ${bytes}`,
      `Point baseUrl to the ${diagnosis.environment} service, or change environment.`,
    );
  }
  if (signature === undefined) {
    return check.pass(
      `${bytes} Add the output of svc.diagnose() to have the page's signature checked.`,
    );
  }
  const identity: SignedIdentity = { pms, externalId, leaseId };
  const finding = explainSignature(signature, keys, identity);
  if (finding && 'key' in finding) {
    return check.pass(`The page's signature was made with ${finding.key.name}. ${bytes}`);
  }
  const how =
    'Sign exactly these bytes on your backend with HMAC-SHA256 and a live key, as lowercase hex.';
  return finding
    ? check.fail(`The page's signature is wrong: ${finding.mistake}. ${bytes}`, how)
    : check.fail(
        `The page's signature was made with none of your keys, and by none of the usual mistakes. ${bytes}`,
        `${how} Check that the backend uses a key of this ${environment} service.`,
      );
}

/** Returns `Bytes to sign (11): 64656d6f 2b 742d313030, which is "demo" + "+" + "t-100".` */
function describeBytes({ pms, externalId }: SignedIdentity): string {
  const parts = [pms, '+', externalId];
  const hex = parts.map((part) => Buffer.from(part).toString('hex')).join(' ');
  const text = parts.map((part) => JSON.stringify(part)).join(' + ');
  return `Bytes to sign (${Buffer.byteLength(parts.join(''))}): ${hex}, which is ${text}.`;
}
