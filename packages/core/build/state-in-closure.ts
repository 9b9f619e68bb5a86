import { type Plugin, parseAst } from 'vite';
import { order } from './order.ts';

/** A node of the parsed code, as far as it is read here. */
interface Node {
  type: string;
  start: number;
  end: number;
  name: string;
  id: Node;
  init: Node;
  params: Node[];
  body: Node;
  callee: Node;
  arguments: Node[];
  object: Node;
  property: Node;
  properties: Node[];
  key: Node;
  value: Node;
  declarations: Node[];
  async: boolean;
}

type Edit = [start: number, end: number, text: string];

/**
 * The sources hand all that an instance holds from function to function, as a record named `at`.
 * The published file keeps it in a closure, which is smaller: functions of `at` move into the one
 * that makes it, and each field becomes a variable there.
 * @throws Error where `at` is used in any other way
 */
export const stateInClosure: Plugin = {
  name: 'state-in-closure',
  renderChunk: (code) => moveState(code),
};

export function moveState(code: string): string | undefined {
  const nodes = nodesOf(code);
  const made = nodes.find(({ declarations }) => isAt(declarations?.[0]?.id));
  if (!made) return undefined;
  const functions = nodes.filter(({ type }) => type === 'FunctionDeclaration');
  const moved = functions.filter(({ params }) => isAt(params[0]));
  const maker = functions.find(({ body }) => body.start < made.start && made.end < body.end);
  const [state] = made.declarations as [Node];

  const edits = editsOf(nodes, moved);
  const values = state.init.properties.map(
    ({ key, value }) => [key.name, render(code, edits, value)] as const,
  );
  const fields = Object.fromEntries([...fieldsOf(nodes).map((name) => [name, '']), ...values]);
  const variables = Object.entries(fields).map(
    ([name, value]) => `at_${name}${value && ` = ${value}`}`,
  );
  const arrows = inOrder(moved).map((node) => arrowOf(node, (part) => render(code, edits, part)));
  const out = render(code, [
    ...edits,
    [made.start, made.end, `let ${variables.join(', ')};\nlet ${arrows.join(', ')};`],
    ...moved.map((node): Edit => [node.start, node.end, '']),
  ]);
  if (nodesOf(out).some(isAt))
    throw new Error('`at` is used as a whole: name each field, as in at.held');
  return sortBeside(out, maker?.id.name);
}

/** Sorts what stands beside the function: the file itself, or what is around all of a script tag's. */
function sortBeside(code: string, name: string | undefined): string {
  const blocks = nodesOf(code).map(({ body }) => body as unknown);
  const isIt = ({ type, id }: Node) => type === 'FunctionDeclaration' && id.name === name;
  const statements =
    blocks.find((body): body is Node[] => Array.isArray(body) && body.some(isIt)) ?? [];
  const texts = inOrder(statements).map((node) => code.slice(node.start, node.end));
  return (
    code.slice(0, statements[0]?.start) + texts.join('\n') + code.slice(statements.at(-1)?.end)
  );
}

function inOrder(nodes: Node[]): Node[] {
  const placeOf = ({ id, declarations }: Node) =>
    order.indexOf((id ?? declarations?.[0]?.id)?.name) + 1 || order.length + 1;
  return nodes.slice().sort((one, other) => placeOf(one) - placeOf(other));
}

/** `open = async (token) => {…}`: shorter than a declaration. */
function arrowOf(node: Node, render: (part: { start: number; end: number }) => string): string {
  const { id, params, body } = node;
  const given = params.slice(1).map(render).join(', ');
  return `${id.name} = ${node.async ? 'async ' : ''}(${given}) => ${render(body)}`;
}

/** What changes in place: fields, and the first argument of a call or a declaration. */
function editsOf(nodes: Node[], moved: Node[]): Edit[] {
  const given = new Map(moved.map(({ id, params }) => [id.name, params.length]));
  return nodes.flatMap((node): Edit[] => {
    if (node.type === 'MemberExpression' && isAt(node.object)) {
      return [[node.start, node.end, `at_${node.property.name}`]];
    }
    if (node.type === 'CallExpression' && given.has(node.callee.name)) {
      return [withoutFirst(node.arguments)];
    }
    // `(token) => open(at, token)` is `open` by now.
    return isPlainCall(node, given) ? [[node.start, node.end, node.body.callee.name]] : [];
  });
}

/** With as many arguments as the function takes, so that one too many can't become a default's. */
function isPlainCall({ type, params, body }: Node, given: Map<string, number>): boolean {
  if (type !== 'ArrowFunctionExpression' || body.type !== 'CallExpression') return false;
  const passed = body.arguments.slice(1);
  if (given.get(body.callee.name) !== passed.length + 1 || params.length !== passed.length)
    return false;
  return passed.every(({ name }, index) => name && name === params[index]?.name);
}

function fieldsOf(nodes: Node[]): string[] {
  return nodes.filter(({ object }) => isAt(object)).map(({ property }) => property.name);
}

function withoutFirst([first, second]: Node[]): Edit {
  return [first?.start ?? 0, second?.start ?? first?.end ?? 0, ''];
}

function render(
  code: string,
  edits: Edit[],
  { start, end } = { start: 0, end: code.length },
): string {
  let out = '';
  let from = start;
  // Of two edits from one place on, the longer one holds the other.
  for (const [first, last, text] of edits.slice().sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (first < from || last > end) continue;
    out += code.slice(from, first) + text;
    from = last;
  }
  return out + code.slice(from, end);
}

function isAt(node: Node | undefined): boolean {
  return node?.type === 'Identifier' && node.name === 'at';
}

/** All nodes but names that follow a dot or stand before a colon. */
function nodesOf(code: string): Node[] {
  const found: Node[] = [];
  const walk = (value: unknown) => {
    if (Array.isArray(value)) for (const item of value) walk(item);
    if (!isNode(value)) return;
    found.push(value);
    for (const [field, child] of Object.entries(value)) {
      if (!/^(property|key)$/.test(field) || value.computed) walk(child);
    }
  };
  walk(parseAst(code));
  return found;
}

function isNode(value: unknown): value is Node & { computed?: boolean } {
  return typeof value === 'object' && value !== null && 'type' in value;
}
