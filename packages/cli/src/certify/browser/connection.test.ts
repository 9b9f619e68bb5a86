import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { BrowserGoneError, connectPipe, ProtocolError } from './connection.ts';

function open() {
  const sent = new PassThrough();
  const received = new PassThrough();
  const connection = connectPipe(sent, received);
  return { sent, received, connection };
}

test('an answer may come in parts, with others in one part', async () => {
  const { sent, received, connection } = open();
  const events: string[] = [];
  connection.listen(({ method }) => events.push(method));
  const one = connection.send('Page.enable', {}, 's-1');
  const two = connection.send('Runtime.enable');
  expect(String(sent.read())).toBe(
    '{"id":1,"method":"Page.enable","params":{},"sessionId":"s-1"}\0' +
      '{"id":2,"method":"Runtime.enable","params":{}}\0',
  );
  const word = Buffer.from(
    '{"id":1,"result":{"word":"größe"}}\0{"method":"Page.loaded"}\0{"id":2,"er',
  );
  // The parts split a character in the middle.
  received.write(word.subarray(0, 27));
  received.write(word.subarray(27));
  received.write('ror":{"message":"No."}}\0');
  expect(await one).toEqual({ word: 'größe' });
  await expect(two).rejects.toThrow(new ProtocolError('Runtime.enable: No.'));
  expect(events).toEqual(['Page.loaded']);
});

test('a browser that ends refuses what waits, and what comes', async () => {
  const { received, connection } = open();
  const waiting = connection.send('Page.enable');
  received.destroy();
  await expect(waiting).rejects.toThrow(BrowserGoneError);
  await expect(connection.send('Page.enable')).rejects.toThrow('The browser has ended.');
});
