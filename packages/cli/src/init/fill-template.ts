/// <reference types="vite/client" />
// The build puts these files into the bundle, which stays one file.
const templates = import.meta.glob<string>('../../templates/*.{ts,tsx,mjs,html}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/**
 * Returns the text of the file `path` of a project. Lines between `// #if next` and `// #endif` are for
 * that framework only, and a JavaScript file gets no types. `replacements` maps text of the template
 * to the project's.
 */
export function fillTemplate(
  name: string,
  path: string,
  framework: string,
  replacements: Readonly<Record<string, string>>,
): string {
  const template = templates[`../../templates/${name}`];
  if (template === undefined) throw new Error(`There is no template ${name}.`);
  const parts = template.split(/^\/\/ #(?:if (\w+)|endif)\n/m);
  // Each odd part is the framework of the section that follows, or undefined after an #endif.
  const kept = parts.filter((_, at) => at % 2 === 0 && (parts[at - 1] ?? framework) === framework);
  const typed = kept.join('').replace(/\n{3,}/g, '\n\n');
  const text = /\.m?jsx?$/.test(path) ? removeTypes(typed) : typed;
  return Object.entries(replacements).reduce((it, [from, to]) => it.replaceAll(from, to), text);
}

/** Removes types in the forms that the templates use. The test compares the result with a compiler's. */
function removeTypes(text: string): string {
  return text
    .replace(/^import type .*\n/gm, '')
    .replace(/^(export )?interface .*\n( .*\n)*\}\n\n/gm, '')
    .replace(/, type \w+ \}/g, ' }')
    .replace(/new (\w+)<\w+>/g, 'new $1')
    .replace(
      /([(,] ?\w+)\??: (?:\([^()]{0,100}\) => [\w<>]+|[A-Z][\w.]*|object|string|unknown)/g,
      '$1',
    )
    .replace(/\): [\w<>| ]+ \{$/gm, ') {');
}
