import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memberText } from './member-text.ts';

test.each([
  ['{"data":{"n":12345678901234567890}}', '{"n":12345678901234567890}'],
  ['{"data":{"n":1.0,"m":1e2,"z":-0}}', '{"n":1.0,"m":1e2,"z":-0}'],
  ['{"data":{"b":1,"10":2,"a":3}}', '{"b":1,"10":2,"a":3}'],
  ['{"data":{"a":1,"a":2}}', '{"a":1,"a":2}'],
  ['{"data":{ "a" :\n\t[ 1 ,2 ] }\r\n}', '{ "a" :\n\t[ 1 ,2 ] }'],
  [String.raw`{"data":{"a":"\u00e9\/\"}"}}`, String.raw`{"a":"\u00e9\/\"}"}`],
  ['{"x":"\\"data\\":1","data":{"data":2}}', '{"data":2}'],
  ['{"x":["data",{"data":1}],"data":{}}', '{}'],
  ['{"data":{"first":1},"data":{"last":2}}', '{"last":2}'],
  [String.raw`{"d\u0061ta":{"escaped":true}}`, '{"escaped":true}'],
  [' { "a" : null , "data" : 7 } ', '7'],
  ['{"data":"\\\\"}', '"\\\\"'],
  ['{}', undefined],
  ['{"other":{"data":1}}', undefined],
])('of %s the text of data is %s', (json, text) => {
  expect(memberText(json, 'data')).toBe(text);
});

test('a value of 100,000 levels does not overflow the stack', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  expect(memberText(`{"data":${deep}}`, 'data')).toBe(deep);
});

const space = fc.constantFrom('', ' ', '\n', '\t\r\n ', '  ');
const name = fc.oneof(fc.constantFrom('data', 'd', '', '__proto__', 'data"', '\\'), fc.string());
/** A name and its JSON, some of its letters escaped although they need not be. */
const nameText = fc.tuple(name, fc.boolean()).map(([key, escaped]) => {
  const escaping = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const text = escaped ? `"${key.split('').map(escaping).join('')}"` : JSON.stringify(key);
  return { key, text };
});
const number = fc.constantFrom('0', '-0', '1.0', '1e400', '12345678901234567890', '0.10E-2');
const valueText = fc.oneof(
  fc.json(),
  number,
  fc.json().map((text) => JSON.stringify(JSON.parse(text), null, 2)),
  fc.array(number).map((items) => `[ ${items.join(' ,')}]`),
);
const member = fc.tuple(nameText, valueText, fc.tuple(space, space, space, space));
const members = fc.array(member, { maxLength: 6 });

// The names come from the generator, not from JSON.parse. Once Node 24.21 has parsed an object with the
// name "\\", its JSON.parse takes "\u0064" in another object for the same name.
test('the text of a member is the source of the last value with its name', () => {
  fc.assert(
    fc.property(members, space, (list, outer) => {
      const parts = list.map(
        ([{ text }, value, [a, b, c, d]]) => `${a}${text}${b}:${c}${value}${d}`,
      );
      const json = `${outer}{${parts.join(',')}${list.length === 0 ? outer : ''}}${outer}`;
      for (const [{ key }] of list) {
        const last = list.findLast(([other]) => other.key === key);
        expect(memberText(json, key)).toBe(last?.[1].trim());
      }
      expect(memberText(json, 'not among them, whatever they are')).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
});
