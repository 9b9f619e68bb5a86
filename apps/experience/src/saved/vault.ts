/** A text encrypted with AES-GCM. Both values are base64. */
export interface Sealed {
  iv: string;
  text: string;
}

/**
 * Encrypts a text with a key that scripts can use but not read (not extractable, in IndexedDB). The
 * tenant is authenticated with it, so it can't be opened for another one. Null if the browser can't
 * store such a key.
 */
export async function seal(text: string, tenant: string): Promise<Sealed | null> {
  try {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const sealed = await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv, additionalData: bytesOf(tenant) },
      await encryptionKey(),
      bytesOf(text),
    );
    return { iv: encode(iv), text: encode(new Uint8Array(sealed)) };
  } catch {
    // No WebCrypto on plain http, or no storage, such as in a private window.
    return null;
  }
}

/** Decrypts a sealed text. Null if it belongs to another tenant or the key is gone. */
export async function openSealed(sealed: Sealed, tenant: string): Promise<string | null> {
  try {
    const text = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: decode(sealed.iv), additionalData: bytesOf(tenant) },
      await encryptionKey(),
      decode(sealed.text),
    );
    return new TextDecoder().decode(text);
  } catch {
    return null;
  }
}

let cachedKey: Promise<CryptoKey> | null = null;

function encryptionKey(): Promise<CryptoKey> {
  cachedKey ??= loadOrCreateKey();
  return cachedKey;
}

async function loadOrCreateKey(): Promise<CryptoKey> {
  const opening = indexedDB.open('svc-experience', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
  const database = await resultOf(opening);
  const keys = (mode: IDBTransactionMode) => database.transaction('keys', mode).objectStore('keys');
  const existing = await resultOf<CryptoKey | undefined>(keys('readonly').get('progress'));
  if (existing !== undefined) return existing;
  const created = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  await resultOf(keys('readwrite').put(created, 'progress'));
  return created;
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
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
