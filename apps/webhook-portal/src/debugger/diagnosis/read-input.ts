/** The three headers that a signature needs; null where one is missing. */
export interface SignedHeaders {
  id: string | null;
  timestamp: string | null;
  signature: string | null;
  /** Under which names they came; null when there was none at all. */
  family: 'webhook' | 'svix' | null;
}

/** From what people paste: header lines, curl's or a debugger's, a JSON object or list of pairs. */
export function readHeaders(text: string): SignedHeaders {
  const headers = new Map(readJson(text) ?? readLines(text));
  const family = (['webhook', 'svix'] as const).find((name) =>
    parts.some((part) => headers.has(`${name}-${part}`)),
  );
  const value = (part: string) => headers.get(`${family}-${part}`) ?? null;
  return {
    id: value('id'),
    timestamp: value('timestamp'),
    signature: value('signature'),
    family: family ?? null,
  };
}

const parts = ['id', 'timestamp', 'signature'];

function readJson(text: string): [string, string][] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON: header lines.
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const pairs: unknown[] = Array.isArray(value) ? value : Object.entries(value);
  return pairs.flatMap((pair): [string, string][] => {
    if (!Array.isArray(pair) || typeof pair[0] !== 'string') return [];
    const given: unknown = Array.isArray(pair[1]) ? pair[1].join(' ') : pair[1];
    return [[plainName(pair[0]), String(given).trim()]];
  });
}

function readLines(text: string): [string, string][] {
  return text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const found = /^[\s<>]*(?:-H\s*)?["']?([A-Za-z][\w-]*)["']?\s*(?::|=>?)\s*(.*)$/.exec(line);
    if (!found) return [];
    const value = (found[2] ?? '').replace(/\s*\\$/, '').replace(/^["']|["'],?$|,$/g, '');
    return [[plainName(found[1] ?? ''), value.trim()]];
  });
}

/** `HTTP_WEBHOOK_ID`, as CGI, Rack and PHP name it, is `webhook-id`. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^http-/, '');
}
