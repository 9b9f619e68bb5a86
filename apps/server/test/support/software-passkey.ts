import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

// An authenticator in software, with ES256 keys and no attestation. Its output is what a browser would send.

interface PasskeyOptions {
  readonly challenge: string;
  readonly user?: { readonly id: string };
}

const [userPresent, userVerified, hasCredential] = [0x01, 0x04, 0x40];

export function createSoftwarePasskey(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let counter = 0;

  const authenticatorData = (flags: number, rest: Buffer, host: string) => {
    counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(host), Buffer.from([flags]), count, rest]);
  };
  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  const answer = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    /** Answers the options of an enrollment. */
    create({ challenge }: PasskeyOptions, from = origin) {
      const key = cborMap([
        [1, cborInteger(2)],
        [3, cborInteger(-7)],
        [-1, cborInteger(1)],
        [-2, cborBytes(Buffer.from(x, 'base64url'))],
        [-3, cborBytes(Buffer.from(y, 'base64url'))],
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const flags = userPresent | userVerified | hasCredential;
      const data = authenticatorData(flags, credential, new URL(origin).hostname);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(data),
      ]);
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge, from).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
      });
    },
    /** Answers the options of a sign-in. Without `verified`, the person has not shown a finger or a PIN. */
    get(
      { challenge }: PasskeyOptions,
      {
        verified = true,
        from = origin,
      }: { readonly verified?: boolean; readonly from?: string } = {},
    ) {
      const flags = userPresent | (verified ? userVerified : 0);
      const data = authenticatorData(flags, Buffer.alloc(0), new URL(origin).hostname);
      const client = clientData('webauthn.get', challenge, from);
      const signed = createSign('sha256').update(Buffer.concat([data, sha256(client)]));
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signed.sign(privateKey).toString('base64url'),
      });
    },
  };
}

function sha256(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest();
}

function cborMap(entries: readonly (readonly [number, Buffer])[]): Buffer {
  const parts = entries.flatMap(([key, value]) => [cborInteger(key), value]);
  return Buffer.concat([Buffer.from([0xa0 + entries.length]), ...parts]);
}

/** Encodes an integer from -24 to 23. */
function cborInteger(value: number): Buffer {
  return Buffer.from([value >= 0 ? value : 0x20 + (-1 - value)]);
}

/** Encodes 24 to 65,535 bytes, with as short a length prefix as possible. */
function cborBytes(value: Buffer): Buffer {
  const { length } = value;
  const head = length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), value]);
}

function cborText(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
}
