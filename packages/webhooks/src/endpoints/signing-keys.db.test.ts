import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Harness } from '../testing/harness.ts';
import type { Received, Receiver } from '../testing/receiver.ts';
import { useEngine } from '../testing/use-engine.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { listPublicKeys, rotateSigningKey } from './signing-keys.ts';
import { updateEndpoint } from './update-endpoint.ts';
import { getEndpoint } from './view-endpoint.ts';

const hour = 3_600;

describe('a key pair of an endpoint', () => {
  let harness: Harness;
  let receiver: Receiver;
  useEngine((opened) => {
    ({ harness, receiver } = opened);
  });

  test('signs in addition to the secret, from the switch on until it is switched off', async () => {
    const id = await harness.endpoint({ url: receiver.url });
    await harness.deliver();
    expect(versions()).toEqual(['v1']);
    const changed = await change(id, true);
    expect(changed.public_keys).toEqual([
      { public_key: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/), expires_at: null },
    ]);
    await harness.deliver({ body: '{"n":"ü"}' });
    expect(versions()).toEqual(['v1', 'v1a']);
    expect(verifyingKeys(last(), changed.public_keys)).toEqual([0]);
    expect((await change(id, true)).public_keys).toEqual(changed.public_keys);
    expect(await change(id, false)).toMatchObject({
      asymmetric_signature: false,
      public_keys: [],
    });
    await harness.deliver();
    expect(versions()).toEqual(['v1']);
  });

  test('a rotation signs with both until the overlap ends, and at once with the new one alone at 0', async () => {
    const id = await harness.endpoint({ url: receiver.url, asymmetric_signature: true });
    const rotated = await rotate(id, hour);
    expect(rotated).toHaveLength(2);
    await harness.deliver();
    expect(verifyingKeys(last(), rotated)).toEqual([0, 1]);
    await harness.clock.advance(hour * 1_000);
    await harness.deliver();
    expect(versions()).toEqual(['v1', 'v1a']);
    expect(verifyingKeys(last(), rotated)).toEqual([0]);
    const { db, owner, clock } = harness;
    expect(await listPublicKeys(db, owner, id, clock.now())).toEqual([rotated[0]]);
    const alone = await rotate(id, 0);
    expect(alone).toHaveLength(1);
    await harness.clock.advance(1_001);
    await harness.deliver();
    expect(verifyingKeys(last(), alone)).toEqual([0]);
    expect(verifyingKeys(last(), rotated)).toEqual([]);
  });

  test('refuses a rotation without a key pair, too many at once, and a wrong overlap', async () => {
    const without = await harness.endpoint({ url: receiver.url });
    await expect(rotate(without, hour)).rejects.toMatchObject({ code: 'no_signing_key' });
    const id = await harness.endpoint({ url: receiver.url, asymmetric_signature: true });
    for (let times = 1; times < 5; times += 1) await rotate(id, hour);
    await expect(rotate(id, hour)).rejects.toMatchObject({ code: 'too_many_secrets' });
    await expect(rotate(id, -1)).rejects.toMatchObject({ code: 'invalid_overlap' });
    await expect(rotate('ep_none', 0)).rejects.toMatchObject({ code: 'endpoint_not_found' });
  });

  test('publishes nothing of another owner’s endpoint, nor of a deleted one', async () => {
    const id = await harness.endpoint({ url: receiver.url, asymmetric_signature: true });
    const { db, owner, clock } = harness;
    expect(await listPublicKeys(db, owner, id, clock.now())).toHaveLength(1);
    expect(await listPublicKeys(db, 'partner_b', id, clock.now())).toEqual([]);
    await db.transaction((tx) => deleteEndpoint(tx, owner, id, clock.now()));
    expect(await listPublicKeys(db, owner, id, clock.now())).toEqual([]);
  });

  async function change(id: string, asymmetric_signature: boolean) {
    const { db, deps, owner, clock } = harness;
    await db.transaction((tx) =>
      updateEndpoint(tx, deps, owner, id, { asymmetric_signature }, clock.now()),
    );
    // Settings are cached for a second.
    await clock.advance(1_001);
    return getEndpoint(db, owner, id);
  }

  function rotate(id: string, overlap_seconds: number) {
    const { db, deps, owner, clock } = harness;
    return db.transaction((tx) =>
      rotateSigningKey(tx, deps, owner, id, { overlap_seconds }, clock.now()),
    );
  }

  function last(): Received {
    return receiver.received.at(-1) as Received;
  }

  function versions(): string[] {
    return signaturesOf(last()).map(([version]) => version);
  }
});

function signaturesOf({ headers }: Received): [version: string, signature: string][] {
  const entries = (headers['webhook-signature'] ?? '').split(' ');
  return entries.map((entry) => entry.split(',') as [string, string]);
}

/** Returns the indexes of the public keys that verify one of the `v1a` signatures. */
function verifyingKeys(received: Received, keys: readonly { public_key: string }[]): number[] {
  const { headers, body } = received;
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  const signatures = signaturesOf(received).filter(([version]) => version === 'v1a');
  return keys.flatMap(({ public_key }, place) => {
    const x = Buffer.from(public_key.slice(5), 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const fits = signatures.some(([, given]) =>
      verify(null, signed, key, Buffer.from(given, 'base64')),
    );
    return fits ? [place] : [];
  });
}
