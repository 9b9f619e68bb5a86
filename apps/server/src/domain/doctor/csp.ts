/** A policy of a page: its directives by lower-case name. */
export type Policy = ReadonlyMap<string, readonly string[]>;

/** Parses Content-Security-Policy headers; several policies are separated by commas. */
export function parsePolicies(header: string): Policy[] {
  return header
    .split(',')
    .map(parsePolicy)
    .filter((policy) => policy.size > 0);
}

function parsePolicy(text: string): Policy {
  const policy = new Map<string, readonly string[]>();
  for (const part of text.split(';')) {
    const [name, ...sources] = part.trim().split(/\s+/);
    // If a directive is repeated, browsers use the first one.
    if (name && !policy.has(name.toLowerCase())) policy.set(name.toLowerCase(), sources);
  }
  return policy;
}

/** Returns the policies in `<meta http-equiv>` of a page. */
export function metaPolicies(html: string): Policy[] {
  return metaTags(html).flatMap((tag) => {
    const attributes = attributesOf(tag);
    if (attributes.get('http-equiv')?.toLowerCase() !== 'content-security-policy') return [];
    const content = attributes.get('content') ?? '';
    return parsePolicies(content.replaceAll('&#39;', "'").replaceAll('&quot;', '"'));
  });
}

/** The longest tag that is parsed: longer than any policy. A tag can be as long as the page. */
const longestTag = 32 * 1024;

/**
 * Returns the text between `<meta` and `>` in each tag. The page is the partner's, so each character is read once:
 * a page of 256 kB of `<meta ` took an expression with `[^>]*` 19 seconds.
 */
function metaTags(html: string): string[] {
  const tags: string[] = [];
  const opening = /<meta(?=[\s/])/gi;
  while (opening.test(html)) {
    const start = opening.lastIndex;
    const end = html.indexOf('>', start);
    // Without another ">", no tag that follows has an end either.
    if (end === -1) break;
    if (end - start <= longestTag) tags.push(html.slice(start, end));
    opening.lastIndex = end;
  }
  return tags;
}

// A value without its closing quote reaches to the end, so no character is read twice.
const attribute = /([^\s/=]+)(?:\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s"']\S*)))?/g;

/** Returns the attributes by lower-case name. If one is repeated, browsers use the first. */
function attributesOf(tag: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare] of tag.matchAll(attribute)) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, double ?? single ?? bare ?? '');
  }
  return attributes;
}

const fallbacks = {
  'frame-src': ['frame-src', 'child-src', 'default-src'],
  'connect-src': ['connect-src', 'default-src'],
  'script-src': ['script-src-elem', 'script-src', 'default-src'],
} as const;

export type FetchDirective = keyof typeof fallbacks;

/**
 * Returns the directive that a policy needs so that the page may reach `target`, with the sources that it has
 * so far; undefined if the policy allows it already.
 */
export function missingDirective(
  policy: Policy,
  name: FetchDirective,
  { page, target }: { page: URL; target: URL },
): string | undefined {
  const found = fallbacks[name].find((each) => policy.has(each));
  if (found === undefined) return undefined;
  const sources = policy.get(found) ?? [];
  if (sources.some((source) => sourceAllows(source, { page, target }))) return undefined;
  const kept = sources.filter((source) => isKept(source.toLowerCase(), name));
  return [found === 'script-src-elem' ? found : name, ...kept, target.origin].join(' ');
}

/**
 * Returns whether the new directive repeats a source. Nonces, hashes and words such as 'unsafe-inline' mean
 * nothing for frames and requests. They come from default-src, and a page should not copy them.
 */
function isKept(source: string, name: FetchDirective): boolean {
  if (!source.startsWith("'") || source === "'self'") return true;
  return name === 'script-src' && source !== "'none'";
}

/** Returns whether a source expression matches the target's origin (CSP 3, section 6.7.2). */
function sourceAllows(source: string, { page, target }: { page: URL; target: URL }): boolean {
  const text = source.toLowerCase();
  if (text === '*') return ['http:', 'https:'].includes(target.protocol);
  if (text === "'self'") return sameOrigin(page, target);
  if (/^[a-z][a-z\d+.-]*:$/.test(text)) return fitsScheme(text, target);
  const host =
    /^(?:([a-z][a-z\d+.-]*):\/\/)?(\*|\*?[^:/*']+|\[[^\]]+\])(?::(\d+|\*))?(\/.*)?$/i.exec(source);
  if (!host) return false;
  const [, scheme, hostname = '', port, path] = host;
  // Only the path is case-sensitive.
  const name = hostname.toLowerCase();
  if (!fitsPath(path, target)) return false;
  if (!fitsScheme(`${scheme?.toLowerCase() ?? page.protocol.slice(0, -1)}:`, target)) return false;
  const isHost = name.startsWith('*.')
    ? target.hostname.endsWith(name.slice(1))
    : name === '*' || name === target.hostname;
  return isHost && (port === '*' || fitsPort(port, target));
}

function fitsScheme(scheme: string, { protocol }: URL): boolean {
  return scheme === protocol || (scheme === 'http:' && protocol === 'https:');
}

/** Returns whether a source's path allows the target: with a slash at its end everything below it, else only itself. */
function fitsPath(path: string | undefined, { pathname }: URL): boolean {
  if (path === undefined || path === '/') return true;
  return path.endsWith('/') ? pathname.startsWith(path) : pathname === path;
}

function fitsPort(port: string | undefined, { port: given, protocol }: URL): boolean {
  const standard = protocol === 'https:' ? '443' : '80';
  const actual = given || standard;
  return (port ?? standard) === actual || (port === '80' && actual === '443');
}

function sameOrigin(page: URL, target: URL): boolean {
  const isUpgrade = page.protocol === 'http:' && target.protocol === 'https:';
  return page.origin === target.origin || (isUpgrade && page.hostname === target.hostname);
}
