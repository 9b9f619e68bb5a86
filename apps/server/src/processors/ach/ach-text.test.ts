import fc from 'fast-check';
import { expect, test } from 'vitest';
import { achText } from './ach-text.ts';

test.each([
  ['Zoë O’Hara', 'ZOE O HARA'],
  ['Øystein Łoś', 'OYSTEIN LOS'],
  ['Đorđe Đặng', 'DORDE DANG'],
  ['Ægir Þórðarson', 'AEGIR THORDARSON'],
  ['Œuvre Straße', 'OEUVRE STRASSE'],
  ['GROẞ', 'GROSS'],
  ['Iğdır Işık', 'IGDIR ISIK'],
  ['Ħal Qormi', 'HAL QORMI'],
  ['Ŋuyen Ŧ', 'NGUYEN T'],
  ['Nguyễn Thị Ơn', 'NGUYEN THI ON'],
  ['José Peña', 'JOSE PENA'],
  ['ﬁona Ⅳ', 'FIONA IV'],
  ['Ａｄａ', 'ADA'],
  ['Jean-Luc, Jr. & Co/2', 'JEAN-LUC, JR. & CO/2'],
  ['\u202eevil', 'EVIL'],
  ['王小明', ''],
])('%s is %s', (name, expected) => {
  expect(achText(name, 22)).toBe(expected);
});

test('any text fits into its field in capitals of ASCII, without blanks at its ends', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (it, width) => {
      const text = achText(it, width);
      expect(text).toMatch(/^[A-Z0-9 .,&/-]*$/);
      expect(text.length).toBeLessThanOrEqual(width);
      expect(text).toBe(text.trim());
    }),
  );
});
