import { describe, expect, test } from 'vitest';
import { checkUrl } from './address-guard.ts';

const strict = { allowPrivate: false, allowHttp: false };
const http = { allowPrivate: false, allowHttp: true };
const local = { allowPrivate: true, allowHttp: true };
const nowhere = async () => [];

describe('checkUrl', () => {
  test.each([
    'https://example.com/hook',
    'https://example.com:8443/hook?a=b',
    'https://sub.example.co.uk',
    'https://EXAMPLE.com/',
    'https://münchen.example/hook',
    'https://8.8.8.8/hook',
    'https://[2606:4700::1111]/hook',
  ])('accepts %s', async (url) => {
    await expect(checkUrl(url, strict, nowhere)).resolves.toBeUndefined();
  });

  test.each([
    ['ftp://example.com/', 'invalid_url'],
    ['javascript:alert(1)', 'invalid_url'],
    ['example.com/hook', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https://exa mple.com/', 'invalid_url'],
    ['https://example.com/\n', 'invalid_url'],
    ['https:\\\\example.com', 'invalid_url'],
    ['https://example.com\\@127.0.0.1/', 'invalid_url'],
    [`https://example.com/${'a'.repeat(2048)}`, 'invalid_url'],
    ['http://example.com/', 'insecure_url'],
    ['https://user:pass@example.com/', 'url_userinfo'],
    ['https://user@example.com/', 'url_userinfo'],
    ['https://example.com:22/', 'blocked_port'],
    ['https://example.com:25/', 'blocked_port'],
    ['https://example.com:5432/', 'blocked_port'],
    ['https://example.com:6379/', 'blocked_port'],
    ['https://localhost/', 'blocked_address'],
    ['https://localhost./', 'blocked_address'],
    ['https://foo.localhost/', 'blocked_address'],
    ['https://intranet/', 'blocked_address'],
    ['https://printer.local/', 'blocked_address'],
    ['https://metadata.google.internal/', 'blocked_address'],
    ['https://127.0.0.1/', 'blocked_address'],
    ['https://127.0.0.1./', 'blocked_address'],
    ['https://127.1/', 'blocked_address'],
    ['https://0/', 'blocked_address'],
    ['https://2130706433/', 'blocked_address'],
    ['https://0x7f.1/', 'blocked_address'],
    ['https://0x7f000001/', 'blocked_address'],
    ['https://017700000001/', 'blocked_address'],
    ['https://0177.0.0.1/', 'blocked_address'],
    ['https://127。0。0。1/', 'blocked_address'],
    ['https://①②⑦.0.0.1/', 'blocked_address'],
    ['https://１２７.０.０.１/', 'blocked_address'],
    ['https://12\u00ad7.0.0.1/', 'blocked_address'],
    ['https://%31%32%37.0.0.1/', 'blocked_address'],
    ['https://169.254.169.254/latest/meta-data/', 'blocked_address'],
    ['https://[::1]/', 'blocked_address'],
    ['https://[::]/', 'blocked_address'],
    ['https://[::ffff:127.0.0.1]/', 'blocked_address'],
    ['https://[::ffff:7f00:1]/', 'blocked_address'],
    ['https://[::7f00:1]/', 'blocked_address'],
    ['https://[64:ff9b::7f00:1]/', 'blocked_address'],
    ['https://[2002:7f00:1::]/', 'blocked_address'],
    ['https://[fd00:ec2::254]/', 'blocked_address'],
    ['https://[fe80::1]/', 'blocked_address'],
  ])('refuses %s as %s', async (url, code) => {
    await expect(checkUrl(url, strict, nowhere)).rejects.toMatchObject({ code, param: 'url' });
  });

  test('finds the real host behind an @ that is not userinfo', async () => {
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return ['8.8.8.8'];
    };
    await checkUrl('https://example.com/#@127.0.0.1', strict, resolve);
    await checkUrl('https://example.com/?x=@127.0.0.1', strict, resolve);
    expect(asked).toEqual(['example.com', 'example.com']);
  });

  test('a name with one private address among public ones is refused', async () => {
    const mixed = async () => ['8.8.8.8', '10.0.0.1'];
    await expect(checkUrl('https://example.com/', strict, mixed)).rejects.toMatchObject({
      code: 'blocked_address',
      message: expect.stringContaining('10.0.0.1'),
    });
  });

  test('a name that does not resolve yet is accepted: attempts check again', async () => {
    const failing = () => Promise.reject(new Error('ENOTFOUND'));
    await expect(checkUrl('https://later.example/', strict, failing)).resolves.toBeUndefined();
  });

  test('http is refused unless the policy allows it', async () => {
    await expect(checkUrl('http://example.com/', http, nowhere)).resolves.toBeUndefined();
    await expect(checkUrl('http://127.0.0.1/', http, nowhere)).rejects.toMatchObject({
      code: 'blocked_address',
    });
  });

  test('a local policy allows any host and port, but no credentials in the URL', async () => {
    await expect(checkUrl('http://localhost:4100/hook', local)).resolves.toBeUndefined();
    await expect(checkUrl('http://127.0.0.1:99/', local)).resolves.toBeUndefined();
    await expect(checkUrl('http://u:p@localhost/', local)).rejects.toMatchObject({
      code: 'url_userinfo',
    });
  });
});
