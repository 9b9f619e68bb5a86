import { expect, test } from 'vitest';
import { writeCurl } from './write-curl.ts';

test('a call becomes a command that a shell reads unchanged', () => {
  const request_body = { charges: [{ id: "it's" }], first_name: '[redacted]' };
  const path = '/v1/tenant/portal_info/t-1';
  const post = { method: 'POST', path, query: { dry_run: 'true' }, request_body };
  expect(writeCurl(post, 'http://localhost:4000')).toBe(
    [
      `curl -X POST 'http://localhost:4000/v1/tenant/portal_info/t-1?dry_run=true' \\`,
      `  -H "Authorization: Bearer $SVC_API_KEY" \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '{"charges":[{"id":"it'\\''s"}],"first_name":"[redacted]"}'`,
    ].join('\n'),
  );
  const get = { method: 'GET', path: '/v1/settlements', query: {}, request_body: null };
  expect(writeCurl(get, 'https://svc.example')).toBe(
    `curl 'https://svc.example/v1/settlements' \\\n  -H "Authorization: Bearer $SVC_API_KEY"`,
  );
});
