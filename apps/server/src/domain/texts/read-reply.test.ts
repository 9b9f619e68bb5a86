import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readReply } from './read-reply.ts';

describe('a reply that stops texts', () => {
  test.each([
    'STOP',
    'stop.',
    ' Stop ',
    'StOp!!!',
    'STOPALL',
    'S T O P',
    's.t.o.p.',
    'ＳＴＯＰ',
    'st\u200bop',
    'UNSUBSCRIBE',
    'un-subscribe',
    'CANCEL',
    'END',
    'QUIT',
    'REVOKE',
    'OPTOUT',
    'opt-out please',
    'please stop texting me',
    'No more texts',
    'Don’t text me again',
    "dont contact me, I'm not interested",
    'Remove me from this list',
    'leave me alone',
    'Sorry, wrong number',
    'Help me stop this',
    'para',
    'Para ya',
    'ALTO',
    'detener',
    'Deténganse',
    'cancelar',
    'No me escriban más',
    'no me manden mensajes por favor',
    'Ya no quiero recibir esto',
    'quiero darme de baja',
    'número equivocado',
    'dejen de escribir',
    'basta',
    '🛑',
    'ok 🛑🛑 thanks',
  ])('%s', (text) => expect(readReply(text)).toBe('stop'));
});

test.each(['HELP', 'help?', 'INFO', 'ayuda', '¡Ayuda!', 'Who is this?', '¿Quién es?'])(
  'asks for help: %s',
  (text) => expect(readReply(text)).toBe('help'),
);

test.each(['START', 'unstop', ' Start. ', 'iniciar'])('starts texts: %s', (text) =>
  expect(readReply(text)).toBe('start'),
);

test.each([
  '',
  'ok thanks',
  'yes',
  'I will start paying on Monday',
  'gracias por todo, es para mi casa y mi familia',
  'see you at the end of the month then',
  '👍🏽',
  '\u0000\ud800',
])('means nothing that we know: %s', (text) => expect(readReply(text)).toBeNull());

const stops = ['stop', 'unsubscribe', 'cancel', 'opt out', 'cancelar', 'detener', 'no me escriban'];
const fill = fc.array(fc.constantFrom('hola', 'please', 'ok', '🙂', 'my', 'número', '123', '!!'), {
  maxLength: 12,
});
/** Changes that a phone or a person makes to a word. */
const written = (word: string) =>
  fc.constantFrom(
    word,
    word.toUpperCase(),
    `${word}!`,
    `"${word}"`,
    word.replace(/^./, (first) => first.toUpperCase()),
    word.replaceAll('e', 'e\u0301'),
    word.replaceAll(' ', ' \n '),
    `${word.slice(0, 2)}\u200d${word.slice(2)}`,
  );

test('a word that stops does so among any others, however it is written', () => {
  fc.assert(
    fc.property(fill, fc.constantFrom(...stops).chain(written), fill, (before, stop, after) => {
      expect(readReply([...before, stop, ...after].join(' '))).toBe('stop');
    }),
  );
});

test('no text starts texts except one that is nothing but a word for it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(readReply(`${text} start later`)).not.toBe('start');
      expect(['stop', 'start', 'help', null]).toContain(readReply(text));
    }),
  );
});

test.each(['stop '.repeat(400_000), 'a'.repeat(2_000_000), 'x\u0301\u200d'.repeat(500_000)])(
  'a text of millions of characters costs no more than one of 1,600',
  (text) => expect(readReply(text)).toBe(readReply(text.slice(0, 1_600))),
);
