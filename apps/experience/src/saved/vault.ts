/** AES-GCM, both in base64. */
export interface Sealed {
  iv: string;
  text: string;
}

/**
 * Seals a text with a key that no script can read out (IndexedDB, not extractable), bound to the
 * tenant: storage alone shows nothing. Null where the browser has no such key to give.
 */
export async function seal(text: string, tenant: string): Promise<Sealed | null> {
  try {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const sealed = await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv, additionalData: bytesOf(tenant) },
      await theKey(),
      bytesOf(text),
    );
    return { iv: encode(iv), text: encode(new Uint8Array(sealed)) };
  } catch {
    // Plain http, a private window or blocked storage: nothing is kept then.
    return null;
  }
}

/** Null for another tenant's, or when the key is gone. */
export async function openSealed(sealed: Sealed, tenant: string): Promise<string | null> {
  try {
    const text = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: decode(sealed.iv), additionalData: bytesOf(tenant) },
      await theKey(),
      decode(sealed.text),
    );
    return new TextDecoder().decode(text);
  } catch {
    return null;
  }
}

let known: Promise<CryptoKey> | null = null;

function theKey(): Promise<CryptoKey> {
  known ??= findOrMakeKey();
  return known;
}

async function findOrMakeKey(): Promise<CryptoKey> {
  const opening = indexedDB.open('svc-experience', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
  const database = await settled(opening);
  const begin = database.transaction.bind(database);
  const found = await settled<CryptoKey | undefined>(
    begin('keys', 'readonly').objectStore('keys').get('progress'),
  );
  if (found !== undefined) return found;
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  await settled(begin('keys', 'readwrite').objectStore('keys').put(made, 'progress'));
  return made;
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function encode(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
