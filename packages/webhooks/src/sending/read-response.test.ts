import { describe, expect, test } from 'vitest';
import {
  HeadParser,
  InvalidResponse,
  type ResponseHandler,
  ResponseReader,
} from './read-response.ts';

const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

describe('a response', () => {
  test.each([
    ['without a body', 'HTTP/1.1 204 No Content\r\n\r\n', 204, '', true],
    ['without a reason', 'HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n', 200, '', true],
    ['of known length', 'HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\nhalf', 500, 'half', true],
    [
      'after informational ones',
      `HTTP/1.1 103 Hints\r\nlink: </a>\r\n\r\n${chunked}0\r\n\r\n`,
      200,
      '',
      true,
    ],
    [
      'in chunks',
      `${chunked}4\r\nwiki\r\n6;a=b\r\npedia \r\n0\r\nx: y\r\n\r\n`,
      200,
      'wikipedia ',
      true,
    ],
    [
      'that ends the connection',
      'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok',
      200,
      'ok',
      false,
    ],
    ['of the old protocol', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok', 200, 'ok', false],
    [
      'of the old protocol that stays',
      'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok',
      200,
      'ok',
      true,
    ],
    [
      'framed twice',
      'HTTP/1.1 200 OK\r\ncontent-length: 9\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
      200,
      'ok',
      false,
    ],
    [
      'with more behind it',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200',
      200,
      'ok',
      false,
    ],
  ])('%s is read however its bytes are cut', (_, text, status, body, reusable) => {
    for (let size = 1; size <= text.length; size += 1) {
      const { heard, reader } = read(text, size);
      expect(heard).toMatchObject({ status, body });
      expect(reader.ended).toBe(true);
    }
    expect(read(text, text.length).reader.reusable).toBe(reusable);
  });

  test('may end with the connection, unless it declares its length', () => {
    const open = read('HTTP/1.1 200 OK\r\n\r\nall of it', 5);
    expect(open.reader.ended).toBe(false);
    expect(open.reader.close()).toBe(true);
    expect(open.heard.body).toBe('all of it');
    for (const text of [
      'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf',
      `${chunked}9\r\nhalf`,
    ]) {
      expect(read(text, 7).reader.close()).toBe(false);
    }
  });

  test('has lower-case header names, and repeated headers are joined', () => {
    const { heard } = read('HTTP/1.1 204 \r\nX-A:  one \r\nx-b: \xe9\r\nX-a:two\r\n\r\n', 11);
    expect(heard.headers).toEqual({ 'x-a': 'one, two', 'x-b': '\xe9' });
  });

  test.each([
    'content-length: 2\r\nContent-Length: 2',
    'content-length: 2, 2',
    'content-length: 2 ,2,2',
  ])('may repeat its length: %j', (lines) => {
    const { heard, reader } = read(`HTTP/1.1 200 OK\r\n${lines}\r\n\r\nok`, 5);
    expect(heard).toMatchObject({ status: 200, body: 'ok' });
    expect([reader.ended, reader.reusable]).toEqual([true, true]);
  });

  test.each([1, 7, 70_000])('may have 60 kB of headers, in pieces of %i bytes', (size) => {
    const cookies = `set-cookie: ${'c'.repeat(600)}\r\n`.repeat(98);
    const { heard, reader } = read(
      `HTTP/1.1 200 OK\r\n${cookies}content-length: 2\r\n\r\nok`,
      size,
    );
    expect(heard).toMatchObject({ status: 200, body: 'ok' });
    expect(reader.ended).toBe(true);
  });

  test('may have a header named __proto__', () => {
    const { heard } = read('HTTP/1.1 204 \r\n__proto__: a\r\nconstructor: b\r\n\r\n', 9);
    expect(Object.entries(heard.headers)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9\r\n'],
    ['another version', 'HTTP/2 200\r\n\r\n'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['bare line feeds', 'HTTP/1.1 200 OK\n\n\r\n\r\n'],
    ['a folded header', 'HTTP/1.1 200 OK\r\na: b\r\n c\r\n\r\n'],
    ['a control character', 'HTTP/1.1 200 OK\r\na: \0\r\n\r\n'],
    ['a space in a name', 'HTTP/1.1 200 OK\r\na : b\r\n\r\n'],
    ['a switch of protocols', 'HTTP/1.1 101 Switching\r\nupgrade: h2c\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx'],
    ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'],
    ['large headers', `HTTP/1.1 200 OK\r\na: ${'b'.repeat(65_536)}\r\n\r\n`],
    ['two lengths in one line', 'HTTP/1.1 200 OK\r\ncontent-length: 1, 2\r\n\r\nx'],
    ['a length that ends with a comma', 'HTTP/1.1 200 OK\r\ncontent-length: 1,\r\n\r\nx'],
    ['a chunk without size', `${chunked}x\r\n`],
    ['a chunk longer than it says', `${chunked}2\r\nlong\r\n`],
    ['a chunk with bare line feeds', `${chunked}2\nok\n`],
  ])('with %s is refused', (_, text) => {
    expect(() => read(text, text.length)).toThrow(InvalidResponse);
    expect(() => read(text, 3)).toThrow(InvalidResponse);
  });
});

function read(text: string, size: number) {
  const heard = { status: 0, headers: {}, body: '' };
  const handler: ResponseHandler = {
    onHead: (status, headers) => Object.assign(heard, { status, headers }),
    onData(bytes) {
      heard.body += bytes.toString('latin1');
    },
  };
  const reader = new ResponseReader(handler, new HeadParser());
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length && !reader.ended; at += size) {
    reader.push(bytes.subarray(at, at + size));
  }
  return { heard, reader };
}
