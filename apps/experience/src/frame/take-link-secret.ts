/** Kept in `history.state`, which survives a reload, is sent to no server, and needs no storage. */
interface Kept {
  /** The secret of a hosted link that was not used yet. */
  readonly svcLink?: string;
  /** True if the code for that link was sent. */
  readonly svcCodeSent?: boolean;
  /** The session that the link opened. */
  readonly svcSession?: string;
  /** True if that link came in an email about a plan. */
  readonly svcFromMail?: boolean;
}

/**
 * Returns the secret of an email link or a hosted link, from the fragment `#link=…`. Removes it from the address
 * at once, so that it is in no bookmark or copied link. Fragments are never sent to a server. A hosted
 * link stays with the history entry: a phone may reload the page while the tenant reads the code.
 */
export function takeLinkSecret({ location, history }: Window): string | null {
  const link = new URLSearchParams(location.hash.slice(1)).get('link');
  if (link === null) return keptState(history).svcLink ?? keptState(history).svcSession ?? null;
  history.replaceState(/^svc_h[lm]_/.test(link) ? { svcLink: link } : null, '', location.pathname);
  return link;
}

export function wasCodeSent(history: History): boolean {
  return keptState(history).svcCodeSent ?? false;
}

export function keepCodeSent(history: History): void {
  history.replaceState({ ...keptState(history), svcCodeSent: true }, '');
}

/**
 * Keeps the session of a link through reloads and visits to the bank. Adds a history entry before the page, so
 * that the phone's back button steps back on the page.
 */
export function keepSession(history: History, svcSession: string, isHosted: boolean): void {
  if (keptState(history).svcSession === svcSession) return;
  const state: Kept = isHosted ? { svcSession } : { svcSession, svcFromMail: true };
  history.replaceState(state, '');
  history.pushState(state, '');
}

/** Returns whether the stored session began with a hosted link, and not with one in an email about a plan. */
export function isHostedSession(history: History): boolean {
  return !keptState(history).svcFromMail;
}

function keptState(history: History): Kept {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null ? state : {};
}
