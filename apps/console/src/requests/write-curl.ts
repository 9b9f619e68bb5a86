import type { RequestDetail } from '../api/requests.ts';

type Shown = Pick<RequestDetail, 'method' | 'path' | 'query' | 'request_body'>;

/** Writes a logged call as a curl command for a POSIX shell. Redacted values have to be filled in. */
export function writeCurl(request: Shown, origin: string): string {
  const { method, path, query, request_body: body } = request;
  const search = new URLSearchParams(query).toString();
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellQuote(`${origin}${path}${search && `?${search}`}`)}`,
    '-H "Authorization: Bearer $SVC_API_KEY"',
  ];
  if (body !== null && body !== undefined) {
    lines.push(`-H ${shellQuote('Content-Type: application/json')}`);
    lines.push(`-d ${shellQuote(JSON.stringify(body))}`);
  }
  return lines.join(' \\\n  ');
}

/** Quotes text as one word for a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
