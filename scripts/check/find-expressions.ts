import { parseSync } from 'rolldown/utils';
import { isTest, type SourceFile } from './source-files.ts';

export interface Expression {
  readonly pattern: string;
  readonly flags: string;
  /** `path:line` of its first use. */
  readonly at: string;
}

/** Replaces a piece of a pattern that is not known from the file. A number is also valid between braces. */
const unknownPiece = '3';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/**
 * Finds each distinct regular expression of the product: literals, and `new RegExp` of texts and constants
 * of its file. The docs are left out, because they read our own pages, at build time.
 */
export function findExpressions(files: readonly SourceFile[]): Expression[] {
  const found = new Map<string, Expression>();
  for (const { path, text } of files) {
    if (!/^(apps|packages)\/.*\.tsx?$/.test(path) || path.startsWith('apps/docs/')) continue;
    if (isTest(path)) continue;
    const { program, errors } = parseSync(path, text);
    if (errors.length > 0) throw new Error(`${path} cannot be parsed.`);
    const constants = new Map<string, Node>();
    const add = (node: Node, pattern: string, flags: string) => {
      const at = `${path}:${text.slice(0, node.start).split('\n').length}`;
      const key = keyOf({ pattern, flags });
      if (!found.has(key)) found.set(key, { pattern, flags, at });
    };
    visit(program, (node) => {
      const { id, init } = node as unknown as { id?: { name?: string }; init?: Node };
      if (node.type === 'VariableDeclarator' && id?.name && init) constants.set(id.name, init);
      const { regex } = node as unknown as { regex?: { pattern: string; flags: string } };
      if (regex) add(node, regex.pattern, regex.flags);
      const { callee, arguments: given } = node as unknown as { callee?: Node; arguments?: Node[] };
      if (node.type !== 'NewExpression' || callee?.name !== 'RegExp') return;
      const [pattern, flags] = given ?? [];
      if (pattern) add(node, textOf(pattern, constants), flags ? textOf(flags, constants) : '');
    });
  }
  return [...found.values()];
}

/** Returns `/pattern/flags`. */
export function keyOf({ pattern, flags }: Pick<Expression, 'pattern' | 'flags'>): string {
  return `/${pattern}/${flags}`;
}

function textOf(node: Node, constants: ReadonlyMap<string, Node>): string {
  const { type, value, name, quasi, quasis, expressions } = node as unknown as {
    type: string;
    value?: unknown;
    name?: string;
    quasi?: Node;
    quasis?: readonly { value: { raw: string; cooked: string } }[];
    expressions?: readonly Node[];
  };
  if (type === 'Literal' && typeof value !== 'object') return String(value);
  // String.raw`…`
  if (type === 'TaggedTemplateExpression' && quasi) return textOf(quasi, constants);
  if (type === 'TemplateLiteral' && quasis && expressions) {
    return quasis
      .map(({ value: { cooked } }, index) => {
        const inner = expressions[index];
        return cooked + (inner ? textOf(inner, constants) : '');
      })
      .join('');
  }
  const constant = type === 'Identifier' && name !== undefined && constants.get(name);
  return constant ? textOf(constant, constants) : unknownPiece;
}

function visit(value: unknown, seen: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) visit(each, seen);
  if (typeof value !== 'object' || value === null || !('type' in value)) return;
  seen(value as Node);
  for (const each of Object.values(value)) visit(each, seen);
}
