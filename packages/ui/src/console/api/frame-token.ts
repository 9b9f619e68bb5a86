/**
 * A frame's token. It is kept in memory only, and the page around the frame supplies each new one. Calls wait
 * for a token, and are repeated once with the next token if theirs has ended.
 */
export class FrameToken {
  #token: string | null = null;
  #waiting: ((token: string) => void)[] = [];
  readonly #askForAnother: () => void;

  /** @param askForAnother may be called again before the next token comes */
  constructor(askForAnother: () => void) {
    this.#askForAnother = askForAnother;
  }

  set(token: string): void {
    this.#token = token;
    for (const resolve of this.#waiting.splice(0)) resolve(token);
  }

  current(): Promise<string> {
    if (this.#token !== null) return Promise.resolve(this.#token);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Waits for the token that replaces one the service has refused. */
  after(refused: string): Promise<string> {
    if (this.#token === refused) {
      this.#token = null;
      this.#askForAnother();
    }
    return this.current();
  }
}

let frameToken: FrameToken | null = null;

/** Makes every call from now on send the token and no cookie. Call it once, before the first request. */
export function sendFrameToken(token: FrameToken): void {
  frameToken = token;
}

/**
 * Makes a call with the frame's token, or with the console's cookie if there is no frame.
 * @param attempt may be called twice, the second time after a 401
 */
export async function withCredentials<Answer extends { readonly response: Response }>(
  attempt: (credentials: { headers: HeadersInit; mode: RequestCredentials }) => Promise<Answer>,
): Promise<Answer> {
  if (frameToken === null) return attempt({ headers: {}, mode: 'same-origin' });
  const token = await frameToken.current();
  const answer = await attempt(bearing(token));
  if (answer.response.status !== 401) return answer;
  return attempt(bearing(await frameToken.after(token)));
}

/** Sends no cookies, even if the browser would: a page on the same site is not the console. */
function bearing(token: string): { headers: HeadersInit; mode: RequestCredentials } {
  return { headers: { authorization: `Bearer ${token}` }, mode: 'omit' };
}
