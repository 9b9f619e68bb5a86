import { parseAst } from 'vite';

/** A variable, function or parameter: where its name stands, and where it is not free. */
export interface Binding {
  /** The name in the sources, behind that of its function: `hostOf.root`. Two may have the same. */
  key: string;
  /** `spelled` is how another name stands there: as `*`, or `name:*` in `{ name }`. */
  uses: { start: number; end: number; spelled: string }[];
  /** From where it is made down to each use: nothing else there may have its name. */
  scopes: Set<Scope>;
}

interface Scope {
  parent?: Scope;
  /** Named as the function is that it belongs to. */
  owner: string;
  made: Map<string, Binding>;
}

/** A node of the parsed code, as far as it is read here. */
interface Node {
  type: string;
  start: number;
  end: number;
  name: string;
  id?: Node;
  init?: Node;
  key: Node;
  value: Node;
  left: Node;
  argument: Node;
  body?: Node | Node[];
  params: Node[];
  param?: Node;
  properties: Node[];
  elements: Node[];
  declarations: Node[];
  declaration?: Node;
  computed: boolean;
  shorthand: boolean;
  exported: Node;
}

/** All bindings of a module, and the names that it takes from outside. */
export function bindingsOf(code: string): { bindings: Binding[]; globals: Set<string> } {
  const uses: { node: Node; scope: Scope; spelled: string }[] = [];
  const shorthands = new Set<number>();
  const file: unknown = parseAst(code);
  walk(file, { owner: '', made: new Map() });
  const bindings = new Set<Binding>();
  const globals = new Set<string>();
  for (const { node, scope, spelled } of uses) {
    const home = homeOf(node.name, scope);
    const binding = home?.made.get(node.name);
    if (!home || !binding) {
      globals.add(node.name);
      continue;
    }
    bindings.add(binding);
    binding.uses.push({ start: node.start, end: node.start + node.name.length, spelled });
    for (let at: Scope | undefined = scope; at !== home.parent; at = at?.parent) {
      if (at) binding.scopes.add(at);
    }
  }
  return { bindings: [...bindings], globals };

  function walk(value: unknown, scope: Scope, parent?: Node): void {
    if (Array.isArray(value)) for (const item of value) walk(item, scope, parent);
    if (!isNode(value)) return;
    if (value.type === 'Identifier') {
      const property = shorthands.has(value.start) && `${value.name}:*`;
      uses.push({ node: value, scope, spelled: property || exportIn(parent) || '*' });
      return;
    }
    if (value.shorthand) shorthands.add(value.key.start);
    const inside = scopeOf(value, scope, parent);
    for (const [field, child] of Object.entries(value)) {
      // What follows a dot or stands before a colon is no variable.
      if (/^(property|key|exported)$/.test(field) && !value.computed) continue;
      walk(child, field === 'id' ? scope : inside, value);
    }
  }
}

/** What a node opens, with all that is made there. */
function scopeOf(node: Node, scope: Scope, parent: Node | undefined): Scope {
  // What its body makes stands beside its parameters.
  const isBody = node.type === 'BlockStatement' && hasBody.test(parent?.type ?? '');
  if (isBody || !/Function|^(Block|Catch|For|Program)/.test(node.type)) return scope;
  const owner = (/Function/.test(node.type) && (node.id?.name ?? nameOf(parent))) || scope.owner;
  const opened: Scope = { parent: scope, owner, made: new Map() };
  const patterns = [...(node.params ?? []), node.param, ...madeIn(node)];
  if (hasBody.test(node.type)) patterns.push(...madeIn(node.body as Node));
  for (const { name } of patterns.flatMap((pattern) => identifiersOf(pattern))) {
    opened.made.set(name, { key: `${owner}.${name}`, uses: [], scopes: new Set() });
  }
  return opened;
}

const hasBody = /Function|^Catch/;

/** By the statements in it. A script's own names are everybody's: they stay. */
function madeIn({ type, body, init, left } = {} as Node): (Node | undefined)[] {
  const statements = Array.isArray(body) ? body : [init, left];
  if (type === 'Program' && !statements.some((one) => one?.type.startsWith('Export'))) return [];
  return statements.flatMap((statement) => {
    const { type, id, declarations } = statement?.declaration ?? statement ?? ({} as Node);
    if (type === 'VariableDeclaration') return declarations.map((one) => one.id);
    return /^(Function|Class)Declaration/.test(type) ? [id] : [];
  });
}

function identifiersOf(pattern: Node | undefined | null): Node[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern];
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) => identifiersOf(one.value ?? one.argument));
    case 'ArrayPattern':
      return pattern.elements.flatMap((one) => identifiersOf(one));
    case 'AssignmentPattern':
      return identifiersOf(pattern.left);
    case 'RestElement':
      return identifiersOf(pattern.argument);
    default:
      return [];
  }
}

/** The name that a function gets by where it stands. */
function nameOf({ type, id, key, left } = {} as Node): string | undefined {
  if (type === 'VariableDeclarator') return id?.name;
  if (type === 'AssignmentExpression') return left.name;
  return type === 'Property' ? key.name : undefined;
}

function exportIn({ type, start, end, exported } = {} as Node): string | undefined {
  const isShort = type === 'ExportSpecifier' && exported.end === end && exported.start === start;
  return isShort ? `* as ${exported.name}` : undefined;
}

function homeOf(name: string, scope: Scope | undefined): Scope | undefined {
  return !scope || scope.made.has(name) ? scope : homeOf(name, scope.parent);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
