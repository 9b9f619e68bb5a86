import type { StaffProblem, StaffViewSettings } from './staff-settings.ts';

/** The timeout of the page's `getToken`, in milliseconds. */
const tokenTimeout = 30_000;

/** Gets a token from the page's function. Never rejects: what the page did wrong is a `StaffProblem`. */
export async function fetchToken({
  view,
  externalId,
  getToken,
}: StaffViewSettings): Promise<string | StaffProblem> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<StaffProblem>((resolve) => {
    timer = setTimeout(() => {
      const msg = `getToken has not answered within ${tokenTimeout / 1000} seconds.`;
      resolve({ error_code: 'token_failed', msg });
    }, tokenTimeout);
  });
  try {
    const token = await Promise.race([
      getToken({ view, externalId: externalId ?? null }),
      timedOut,
    ]);
    return isProblem(token) ? token : (tokenProblem(token) ?? token);
  } catch (cause) {
    return { error_code: 'token_failed', msg: `getToken threw: ${String(cause)}`, cause };
  } finally {
    clearTimeout(timer);
  }
}

export function isProblem(token: string | StaffProblem): token is StaffProblem {
  return typeof token === 'object' && token !== null && 'error_code' in token;
}

/** Returns what is wrong with the page's token, without repeating any of it; undefined for a portal token. */
function tokenProblem(token: unknown): StaffProblem | undefined {
  if (typeof token === 'string' && /^svc_pt_\w+$/.test(token)) return undefined;
  const wants = 'Return the `token` that POST /v1/portal_tokens answered.';
  return {
    error_code: 'token_invalid',
    msg: `getToken returned ${describeToken(token)}. ${wants}`,
  };
}

function describeToken(token: unknown): string {
  if (typeof token === 'object' && token !== null) return 'an object instead of a string';
  if (typeof token !== 'string')
    return `${token === null ? 'null' : typeof token} instead of a token`;
  if (/^svc_(sandbox|production)_/.test(token)) {
    return 'an API key, which belongs to your backend only: revoke it, because this page had it';
  }
  if (token.startsWith('svc_tt_')) return 'a tenant token, which is for the widget';
  return token === '' ? 'an empty string' : 'a string that is no portal token';
}
