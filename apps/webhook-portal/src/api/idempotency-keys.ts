/**
 * The key of a write. The same write gets the same key until the service has answered it, so that
 * pressing the button again after a lost answer can't do the thing twice.
 */
export function keyFor(method: string, path: string, body: string | undefined): string {
  const write = name(method, path, body);
  const known = unanswered.get(write);
  if (known !== undefined) return known;
  const key = newKey();
  unanswered.set(write, key);
  return key;
}

export function forgetKey(method: string, path: string, body: string | undefined): void {
  unanswered.delete(name(method, path, body));
}

const unanswered = new Map<string, string>();

function name(method: string, path: string, body = ''): string {
  return `${method} ${path} ${body}`;
}

/** 128 random bits. Not `crypto.randomUUID`: it is missing on plain http. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
