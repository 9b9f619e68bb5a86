import { expect, test } from 'vitest';
import { parseBlocks } from './blocks.ts';
import { blockedByPolicy, brokenLinks } from './check-links.ts';
import { parseFence, regionOf, uncheckedBecause } from './fence.ts';
import { parsePage } from './pages.ts';
import { renderPage } from './render-page.ts';

const root = new URL('../../../../', import.meta.url).pathname;
const head = '---\ntitle: A page\ndescription: About it\nsection: Backend\norder: 1\n---\n';
const render = (source: string) =>
  renderPage(parsePage('docs/page.md', head + source), {
    root,
    pathsByFile: new Map([['docs/webhooks.md', '/docs/webhooks']]),
  });

test('front matter with a missing, an unknown or a wrong field is refused by name', () => {
  expect(() => parsePage('docs/a.md', '# A page\n')).toThrow('docs/a.md has no front matter');
  expect(() => parsePage('docs/a.md', head.replace('order: 1\n', ''))).toThrow('order');
  expect(() => parsePage('docs/a.md', head.replace('Backend', 'Nowhere'))).toThrow('section');
  expect(() => parsePage('docs/a.md', head.replace('order', 'rank: 1\norder'))).toThrow('rank');
});

test.each([
  ['sh', 'no test checks this sh block'],
  ['py title="app.py"', 'no test checks this py block'],
  ['sh skip=""', 'skip needs a reason'],
  ['cobol skip="old"', 'the language "cobol" is unknown'],
  ['ts watch', '"watch" is not an attribute'],
  ['go file=docs/nothing.go', 'no such file'],
])('a code block that opens with "%s" fails the build', (info, message) => {
  expect(() => render(`\`\`\`${info}\nx\n\`\`\``)).toThrow(message);
});

test.each(['ts', 'json', 'sh run', 'sh skip="needs root"', 'py file=a.py#b', 'text'])(
  'a code block that opens with "%s" is checked elsewhere, or says why not',
  (info) => {
    expect(uncheckedBecause(parseFence(info), new Set(['ts', 'json', 'sh', 'py']))).toBeNull();
  },
);

test('a region loses its indentation and the marks of other regions', () => {
  const text = 'a\n  # #region one\n  b\n    c\n  # #region two\n  d\n  # #endregion\ne';
  expect(regionOf(text, 'one')).toBe('b\n  c\nd');
  expect(() => regionOf(text, 'three')).toThrow('There is no "#region three"');
  const php = '<?php // #region one\necho 1;\n// #endregion\n';
  expect(regionOf(php, 'one')).toBe('<?php\necho 1;');
});

test('containers nest, and one that is not closed is named', () => {
  const blocks = parseBlocks(
    ':::beside\ntext\n:::tabs\n=== One\n```ts\n:::\n```\n=== Two\nb\n:::\n:::',
  );
  expect(blocks).toMatchObject([
    {
      name: 'beside',
      children: [
        { kind: 'markdown' },
        {
          name: 'tabs',
          children: [
            { title: 'One', children: [{ kind: 'fence', code: ':::' }] },
            { title: 'Two', children: [{ kind: 'markdown', text: 'b' }] },
          ],
        },
      ],
    },
  ]);
  expect(() => parseBlocks(':::note\ntext')).toThrow(':::note is not closed');
  expect(() => parseBlocks('text\n:::')).toThrow('closes nothing');
});

test('HTML in a page is shown as text, and links between files become links between pages', () => {
  const { html } = render('<script>x</script> [Webhooks](webhooks.md#a), [file](../LICENSE)');
  expect(html).toContain('&lt;script&gt;');
  expect(html).toContain('<a href="/docs/webhooks#a">Webhooks</a>');
  expect(html).toContain('<span class="file">file</span>');
  expect(() => render('[x](nothing.md)')).toThrow(
    'docs/page.md: The link to nothing.md leads to no file',
  );
});

test('code has classes and no inline style, and marks the reader’s key and portal', () => {
  const { html, markdown } = render('```ts\nconst key = "svc_sandbox_…"; // my-portal\n```');
  expect(html).not.toMatch(/style=/);
  expect(html).toContain('<span class="t-keyword">const</span>');
  expect(html).toContain('<span data-fill="key">svc_sandbox_…</span>');
  expect(html).toContain('<span data-fill="pms">my-portal</span>');
  expect(markdown).toContain('```ts\nconst key');
});

test('headings have the ids that GitHub gives them, or their own', () => {
  const page = '## What is signed?\n## What is signed?\n## `invalid_json` {#code}';
  const { headings, markdown } = render(page);
  expect(markdown).toContain('## `invalid_json` <a id="code"></a>');
  expect(headings.map(({ id, text }) => [id, text])).toEqual([
    ['what-is-signed', 'What is signed?'],
    ['what-is-signed-2', 'What is signed?'],
    ['code', 'invalid_json'],
  ]);
});

test('a link, an anchor, a picture and a repeated id that are wrong are found', () => {
  const html = new Map([
    [
      '/docs',
      '<h2 id="a"></h2><a href="/docs/b#x">b</a><a href="/docs/b#y">b</a><a href="#a">a</a>',
    ],
    [
      '/docs/b',
      '<i id="x"></i><i id="x"></i><img src="/docs/c.png"><a href="/v1/openapi.json">o</a>',
    ],
  ]);
  const site = { html, files: new Set<string>(), elsewhere: /^\/v1\// };
  expect(brokenLinks(site)).toEqual([
    '/docs: /docs/b has no #y',
    '/docs/b: the id "x" is used twice',
    '/docs/b: there is nothing at /docs/c.png',
  ]);
});

test('alignment is a class, and anything inline that the policy blocks is found', () => {
  const { html } = render('| a | b |\n|---|---:|\n| 1 | 2 |');
  expect(html).toContain('<td class="right">2</td>');
  expect(blockedByPolicy(new Map([['/docs/page', html]]))).toEqual([]);
  for (const wrong of [
    '<td style="a">',
    '<script>1</script>',
    '<style>a</style>',
    '<p onclick="x">',
  ]) {
    expect(blockedByPolicy(new Map([['/docs', wrong]]))).toHaveLength(1);
  }
  expect(blockedByPolicy(new Map([['/docs', '<pre><code> style="x"</code></pre>']]))).toEqual([]);
});
