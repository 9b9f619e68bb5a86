import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { minifyCss } from './minify-css.ts';

test.for([
  ['a > b,\n/* both */ c + d { margin: 0.5em 0; }', 'a>b,c+d{margin:.5em 0}'],
  ['p { width: calc(2 * 1px + 3px); color: #ffffff }', 'p{width:calc(2*1px + 3px);color:#fff}'],
  ['p { width: 10.5px; color: #aabbccdd }', 'p{width:10.5px;color:#aabbccdd}'],
  ['i { color: #101828 !important; font: 1px / 2 x; }', 'i{color:#101828!important;font:1px/2 x}'],
  ['@media (width <= 9px) { [a="b"] c { d: e; } }', '@media (width<=9px){[a=b] c{d:e}}'],
])('%s becomes %s', ([css, small]) => {
  expect(minifyCss(css)).toBe(small);
});

test('what the widget looks like is written so that nothing else is to be kept', () => {
  const style = readFileSync(new URL('../src/widget/style.css', import.meta.url), 'utf8');
  // A space before a colon would be a descendant's; quotes and URLs would be text.
  expect(style).not.toMatch(/ :\w|url\(|\scontent:|\d\.0/);
});
