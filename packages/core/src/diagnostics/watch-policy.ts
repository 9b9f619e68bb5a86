import type { Instance } from '../instance.ts';

/** A widget or a view, whose service a page's policy may block. */
type Watched = Pick<Instance, 'serviceOrigin' | 'blockedBy'>;

/**
 * Listens for what the page's Content-Security-Policy blocks of the service. Blocking is for good: a
 * page's policy cannot be loosened while it is open.
 * @returns a function that stops it
 */
export function watchPolicy(watched: Watched, onFrameBlocked: () => void): () => void {
  const type = 'securitypolicyviolation';
  const listener = (event: SecurityPolicyViolationEvent) => {
    const { blockedURI, disposition, effectiveDirective, originalPolicy } = event;
    const { serviceOrigin, blockedBy } = watched;
    if (disposition === 'report' || !`${blockedURI}/`.startsWith(`${serviceOrigin}/`)) return;
    // Some browsers name the directive that stands in for it, such as default-src.
    const isRequest = /\/v1\//.test(blockedURI);
    const isFrame =
      /^frame|^child/.test(effectiveDirective) || /\/(experience|portal)\//.test(blockedURI);
    const directive = isFrame ? 'frame-src' : isRequest ? 'connect-src' : effectiveDirective;
    blockedBy.set(
      directive,
      `${directive} ${sourcesOf(originalPolicy, directive)}${serviceOrigin}`,
    );
    if (isFrame) onFrameBlocked();
  };
  // There is no such event where there is no page.
  globalThis.addEventListener?.(type, listener);
  return () => globalThis.removeEventListener?.(type, listener);
}

/**
 * The sources that the page's directive has so far, each followed by a space. Words such as
 * 'unsafe-inline' mean nothing for frames and requests, and a page should not copy them.
 */
function sourcesOf(policy: string, directive: string): string {
  for (const name of [directive, directive === 'frame-src' && 'child-src', 'default-src']) {
    const found = new RegExp(`(^|[;,]) *${name} +([^;,]*)`, 'i').exec(policy)?.[2]?.trim();
    if (!found) continue;
    const isKept = /^(frame|connect)/.test(directive) ? /^([^']|'self')/i : /^(?!'none')/i;
    const kept = found.split(/ +/).filter((source) => isKept.test(source));
    return kept.map((source) => `${source} `).join('');
  }
  return '';
}

/** The message for what was blocked, which names the directive to put into the policy. */
export function blockedMessage(
  { serviceOrigin, blockedBy }: Watched,
  what: string,
  directive: string,
): string {
  return `This page's Content-Security-Policy blocks ${what} ${serviceOrigin}. The policy needs "${blockedBy.get(directive)}".`;
}
