/**
 * The token of a frame, which lives in the memory of its page. The page around the frame hands in each one.
 * Calls wait for it, and repeat once with the next one if it has ended in the middle of the page.
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

  /** The token after one that the service has refused. */
  after(refused: string): Promise<string> {
    if (this.#token === refused) {
      this.#token = null;
      this.#askForAnother();
    }
    return this.current();
  }
}

let frameToken: FrameToken | null = null;

/** From now on each call carries the token, and no cookie. Call it once, before the first request. */
export function sendFrameToken(token: FrameToken): void {
  frameToken = token;
}

/**
 * Makes a call with the token of the frame, or else with the cookie of the console.
 * @param attempt may be called twice
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

/** Without cookies, also where the browser would send some: a page of the same site is not the console. */
function bearing(token: string): { headers: HeadersInit; mode: RequestCredentials } {
  return { headers: { authorization: `Bearer ${token}` }, mode: 'omit' };
}
