import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Mail } from '../domain/mail/compose.ts';
import { createSmtpMailer } from './mailer.ts';

let server: Server;
let commands: string[];
let refused: boolean;
beforeEach(async () => {
  commands = [];
  refused = false;
  server = createServer((socket) => {
    let inBody = false;
    socket.on('error', () => {});
    socket.write('220 test\r\n');
    socket.on('data', (bytes) => {
      for (const line of bytes.toString('utf8').split('\r\n')) {
        if (line === '') continue;
        commands.push(line);
        if (inBody) {
          if (line !== '.') continue;
          inBody = false;
          socket.write('250 ok\r\n');
        } else if (line === 'DATA') {
          inBody = true;
          socket.write('354 go on\r\n');
        } else if (line === 'QUIT') socket.end('221 bye\r\n');
        else socket.write(refused && line.startsWith('RCPT') ? '451 later\r\n' : '250 ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const mail: Mail = {
  id: 'mal_1',
  from: 'Maple Bank for Elm Court',
  to: 'ada@example.com',
  subject: 'Receipt',
  text: 'Paid',
  html: '<p>Paid</p>',
  date: new Date('2026-02-06T15:00:00Z'),
};

async function send(change: Partial<Mail> = {}) {
  const { port } = server.address() as AddressInfo;
  const mailer = createSmtpMailer(`smtp://127.0.0.1:${port}`, 'Svc <no-reply@svc.example>');
  try {
    await mailer.send({ ...mail, ...change });
  } finally {
    mailer.close();
  }
}

test('a mail is sent to one address, with the same Message-ID in every attempt', async () => {
  await send();
  await send();
  expect(commands.filter((it) => it.startsWith('RCPT'))).toEqual([
    'RCPT TO:<ada@example.com>',
    'RCPT TO:<ada@example.com>',
  ]);
  const ids = commands.filter((it) => it.startsWith('Message-ID'));
  expect(ids).toEqual(['Message-ID: <mal_1@svc.example>', 'Message-ID: <mal_1@svc.example>']);
});

test.each([
  ['tom&jane@example.com', 'tom&jane@example.com'],
  ['a/b=c@example.com', 'a/b=c@example.com'],
  // A domain has an ASCII form; a local part has none, and needs a server that takes UTF-8.
  ['ada@b\u00fccher.example', 'ada@xn--bcher-kva.example'],
  ['j\u00fcrgen@b\u00fccher.example', 'j\u00fcrgen@b\u00fccher.example'],
])('a mail to %s is sent to %s', async (to, recipient) => {
  await send({ to });
  expect(commands.filter((it) => it.startsWith('RCPT'))).toEqual([`RCPT TO:<${recipient}>`]);
});

test('a temporary refusal of the server rejects', async () => {
  refused = true;
  await expect(send()).rejects.toThrow('451');
});

test('line breaks in an address or subject add neither a header nor a recipient', async () => {
  await send({
    to: 'ada@example.com\r\nBcc: all@example.com',
    subject: 'Receipt\r\nBcc: all@example.com',
  }).catch(() => undefined);
  expect(commands.filter((it) => /^bcc/i.test(it))).toEqual([]);
  expect(commands.filter((it) => it.includes('RCPT TO:<all@'))).toEqual([]);
});
