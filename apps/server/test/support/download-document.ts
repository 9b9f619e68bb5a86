interface Download {
  /** The service's URL. */
  readonly url: string;
  readonly session: string;
  /** The document's path, such as `receipt/pay_1` or `payoff/pln_1?locale=es`. */
  readonly document: string;
}

export interface Downloaded {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Asks for the address of a document, as the experience does. */
export async function addressOf({ url, session, document }: Download): Promise<Downloaded> {
  const [path, query] = document.split('?');
  const locale = new URLSearchParams(query).get('locale') ?? 'en';
  return load(`${url}/v1/experience/document/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
    body: JSON.stringify({ locale, file_name: 'my-file' }),
  });
}

/** Downloads a document without the session, as a browser does. If it gets no address, returns that refusal. */
export async function downloadDocument(download: Download): Promise<Downloaded> {
  const address = await addressOf(download);
  if (address.status !== 200) return address;
  return load(download.url + pathIn(address));
}

export function pathIn({ bytes }: Downloaded): string {
  return JSON.parse(bytes.toString()).data.path;
}

export async function load(url: string, init: RequestInit = {}): Promise<Downloaded> {
  const response = await fetch(url, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}
