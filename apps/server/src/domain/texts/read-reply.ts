export type ReplyMeaning = 'stop' | 'start' | 'help';

// A text has at most 1,600 characters, so nothing is read after them.
const mostCharacters = 1_600;

/**
 * Reads the intent of a reply in English or Spanish. Null if we don't recognize one.
 *
 * A person may stop texts by any reasonable means (47 CFR 64.1200(a)(10)), so a reply that could mean it
 * does: "cancel my appointment" stops texts, too, and the tenant can turn them on again. Only a reply that
 * consists of nothing but a start word starts them.
 *
 * Reads the words once, so that its time is linear in the length of the reply.
 */
export function readReply(text: string): ReplyMeaning | null {
  const words = wordsOf(text);
  const all = words.join(' ');
  if (startReplies.has(all)) return 'start';
  if (stopSigns.some((sign) => text.slice(0, mostCharacters).includes(sign))) return 'stop';
  if (words.length <= 3 && words.some((word) => shortStops.has(word))) return 'stop';
  if (words.some((word) => stopBeginnings.some((beginning) => word.startsWith(beginning)))) {
    return 'stop';
  }
  const padded = ` ${all} `;
  if (stopPhrases.some((phrase) => padded.includes(` ${phrase} `))) return 'stop';
  return words.some((word) => helpWords.has(word)) ||
    helpPhrases.some((phrase) => padded.includes(` ${phrase} `))
    ? 'help'
    : null;
}

/** The words in lower case without accents. `S T O P` and `S.T.O.P.` are one word. */
function wordsOf(text: string): string[] {
  const plain = text
    .slice(0, mostCharacters)
    .normalize('NFKD')
    // Marks of accents, and invisible characters, which would cut a word in two.
    .replaceAll(/[\p{Mn}\p{Cf}'’]/gu, '')
    .toLowerCase();
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words.length > 1 && words.every((word) => word.length === 1) ? [words.join('')] : words;
}

const startReplies = new Set([
  'start',
  'unstop',
  'start texts',
  'iniciar',
  'comenzar',
  'empezar',
  'reanudar',
]);

const stopSigns = ['🛑', '🚫'];

/** They count at the beginning of any word: `stopped`, `cancelar`, `unsubscribe`. */
const stopBeginnings = [
  'stop',
  'cancel',
  'unsub',
  'optout',
  'revoke',
  'revoca',
  'deten',
  'parar',
  'paren',
  'basta',
  'desuscri',
  'desinscri',
];

/** Words that also have other meanings. They count only in a reply of up to three words. */
const shortStops = new Set([
  'end',
  'quit',
  'remove',
  'alto',
  'para',
  'pare',
  'salir',
  'fin',
  'baja',
  'termina',
  'terminar',
  'quitar',
  'borrar',
  'eliminar',
]);

const stopPhrases = [
  'un subscribe',
  'no thanks',
  'no thank you',
  'no gracias',
  'opt out',
  'opt me out',
  'opting out',
  'no more',
  'no longer',
  'quit texting',
  'quit sending',
  'quit messaging',
  'end texts',
  'end messages',
  'end these',
  'remove me',
  'remove my',
  'take me off',
  'delete me',
  'delete my number',
  'leave me alone',
  'lose my number',
  'wrong number',
  'wrong person',
  'do not text',
  'do not send',
  'do not message',
  'do not contact',
  'do not want',
  'dont text',
  'dont send',
  'dont message',
  'dont contact',
  'dont want',
  'no texts',
  'no text',
  'no messages',
  'no mas',
  'ya no',
  'no me escriba',
  'no me escriban',
  'no me escribas',
  'no me mande',
  'no me manden',
  'no me mandes',
  'no me envie',
  'no me envien',
  'no me envies',
  'no me contacten',
  'no me molesten',
  'no quiero',
  'no escriban',
  'no manden',
  'no envien',
  'no mensajes',
  'sin mensajes',
  'deja de',
  'deje de',
  'dejen de',
  'dejar de',
  'darme de baja',
  'dame de baja',
  'denme de baja',
  'quitenme',
  'quitame',
  'quiteme',
  'borren mi numero',
  'borra mi numero',
  'eliminen mi numero',
  'elimina mi numero',
  'numero equivocado',
  'persona equivocada',
  'dejenme en paz',
  'dejame en paz',
];

const helpWords = new Set(['help', 'info', 'ayuda', 'informacion', 'ayudame', 'ayudenme']);

const helpPhrases = ['who is this', 'whos this', 'who are you', 'quien es', 'quienes son'];
