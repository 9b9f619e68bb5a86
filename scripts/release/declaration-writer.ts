import ts from '@svc/with-typescript-6.0';

const flags =
  ts.NodeBuilderFlags.NoTruncation |
  ts.NodeBuilderFlags.InTypeAlias |
  ts.NodeBuilderFlags.UseSingleQuotesForStringLiteralType;

/**
 * Writes the exports of a module, and every declaration that they refer to, into one text. Types that
 * are computed from a Zod schema are written out, so that the published types need neither Zod nor our
 * schemas. Bundlers of declarations keep `z.infer<typeof schema>` as it is: decision 010.
 */
export class DeclarationWriter {
  readonly #checker: ts.TypeChecker;
  readonly #own: readonly string[];
  readonly #written = new Map<ts.Symbol, string>();
  readonly #imports = new Map<string, Set<string>>();

  /** @param own folders whose declarations are copied; all others are imported */
  constructor(checker: ts.TypeChecker, own: readonly string[]) {
    this.#checker = checker;
    this.#own = own;
  }

  /** Returns a module's declarations as text. Those that were written for an earlier module are not repeated. */
  write(entry: ts.SourceFile): string {
    const module = this.#checker.getSymbolAtLocation(entry);
    if (!module) throw new Error(`${entry.fileName} exports nothing`);
    const before = new Set(this.#written.keys());
    this.#imports.clear();
    const names = this.#checker.getExportsOfModule(module).map((it) => this.#exportOf(it));
    for (const statement of entry.statements) {
      if (isDeclareGlobal(statement)) this.#refer(statement.name as ts.Identifier);
    }
    const declarations = [...this.#written]
      .filter(([symbol]) => !before.has(symbol))
      .sort(([one], [other]) => (one.name < other.name ? -1 : 1))
      .map(([, text]) => text);
    const head = [...this.#imports]
      .map(([from, taken]) => `import { ${[...taken].sort().join(', ')} } from '${from}';`)
      .sort();
    return [...head, ...declarations, `export { ${names.sort().join(', ')} };\n`].join('\n\n');
  }

  #exportOf(exported: ts.Symbol): string {
    const symbol = this.#resolved(exported);
    if (!this.#isOwn(symbol)) {
      this.#addImport(specifierOf(exported), exported.name);
      return exported.name;
    }
    this.#take(symbol);
    return symbol.name === exported.name ? exported.name : `${symbol.name} as ${exported.name}`;
  }

  #take(symbol: ts.Symbol): void {
    if (this.#written.has(symbol)) return;
    this.#written.set(symbol, '');
    const texts = (symbol.declarations ?? []).map((it) => this.#declare(it));
    this.#written.set(symbol, texts.join('\n'));
  }

  #declare(declaration: ts.Declaration): string {
    const statement = statementOf(declaration);
    const source = statement.getSourceFile();
    const start = statement.getStart(source);
    let text = source.text.slice(start, statement.end);
    // From the last to the first, so that the positions of earlier edits stay valid.
    for (const edit of this.#editsOf(statement).reverse()) {
      text = text.slice(0, edit.from - start) + edit.text + text.slice(edit.to - start);
    }
    const bare = text.replace(/^(export )?(declare )?/, '');
    const jsdoc = source.text.slice(statement.getStart(source, true), start);
    return `${jsdoc}${/^(interface|type) /.test(bare) ? '' : 'declare '}${bare}`;
  }

  #editsOf(statement: ts.Node): { from: number; to: number; text: string }[] {
    const edits: { from: number; to: number; text: string }[] = [];
    const visit = (node: ts.Node): void => {
      const from = node.getStart();
      if (ts.isTypeNode(node) && this.#dependsOnSchema(node)) {
        edits.push({ from, to: node.end, text: this.#expand(node) });
      } else if (ts.isImportTypeNode(node) && node.qualifier) {
        this.#referToImport(node, node.qualifier);
        edits.push({ from, to: node.qualifier.getStart(), text: node.isTypeOf ? 'typeof ' : '' });
        for (const argument of node.typeArguments ?? []) visit(argument);
      } else {
        if (ts.isIdentifier(node)) this.#refer(node);
        ts.forEachChild(node, visit);
      }
    };
    visit(statement);
    return edits;
  }

  /** Returns whether the type is computed from a schema or from a whole module. */
  #dependsOnSchema(node: ts.Node): boolean {
    if (ts.isTypeQueryNode(node) && this.#isSchema(node.exprName)) return true;
    if (ts.isTypeReferenceNode(node)) {
      if (node.typeName.getText().startsWith('z.')) return true;
      const [alias] = this.#declarationsOf(node.typeName);
      const generic = alias && ts.isTypeAliasDeclaration(alias) && alias.typeParameters;
      if (generic && this.#dependsOnSchema(alias.type)) return true;
    }
    return ts.forEachChild(node, (child) => this.#dependsOnSchema(child) || undefined) ?? false;
  }

  #isSchema(name: ts.Node): boolean {
    const [found] = this.#declarationsOf(name);
    if (!found) return false;
    return ts.isSourceFile(found) || found.getSourceFile().fileName.includes('/contract/dist/');
  }

  #expand(node: ts.TypeNode): string {
    const type = this.#checker.getTypeFromTypeNode(node);
    const expanded = this.#checker.typeToTypeNode(type, undefined, flags);
    if (!expanded) throw new Error(`TypeScript has no type for ${node.getText()}.`);
    const visit = (it: ts.Node): void => {
      const { symbol } = it as ts.Node & { symbol?: ts.Symbol };
      if (ts.isIdentifier(it) && symbol && this.#isOwn(symbol)) this.#take(symbol);
      ts.forEachChild(it, visit);
    };
    visit(expanded);
    const printer = ts.createPrinter({ removeComments: true });
    return printer.printNode(ts.EmitHint.Unspecified, expanded, node.getSourceFile());
  }

  #refer(name: ts.Identifier): void {
    const symbol = this.#checker.getSymbolAtLocation(name);
    if (!symbol) return;
    const target = this.#resolved(symbol);
    const [declaration] = target.declarations ?? [];
    if (this.#isOwn(target)) {
      if (declaration && ts.isSourceFile(statementOf(declaration).parent)) this.#take(target);
    } else if (symbol.flags & ts.SymbolFlags.Alias) {
      this.#addImport(specifierOf(symbol), name.text);
    }
  }

  /** Turns `import('react').CSSProperties` into an import declaration. */
  #referToImport({ argument }: ts.ImportTypeNode, qualifier: ts.EntityName): void {
    const symbol = this.#checker.getSymbolAtLocation(qualifier);
    if (symbol && this.#isOwn(this.#resolved(symbol))) this.#take(this.#resolved(symbol));
    else this.#addImport(argument.getText().slice(1, -1), qualifier.getText());
  }

  #declarationsOf(name: ts.Node): readonly ts.Declaration[] {
    const symbol = this.#checker.getSymbolAtLocation(name);
    return (symbol && this.#resolved(symbol).declarations) ?? [];
  }

  #resolved(symbol: ts.Symbol): ts.Symbol {
    const alias = symbol.flags & ts.SymbolFlags.Alias;
    return alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #isOwn(symbol: ts.Symbol): boolean {
    const file = symbol.declarations?.[0]?.getSourceFile().fileName ?? '';
    return this.#own.some((folder) => file.startsWith(folder));
  }

  #addImport(from: string, name: string): void {
    this.#imports.set(from, (this.#imports.get(from) ?? new Set()).add(name));
  }
}

function isDeclareGlobal(statement: ts.Statement): statement is ts.ModuleDeclaration {
  return ts.isModuleDeclaration(statement) && statement.name.text === 'global';
}

function statementOf(declaration: ts.Declaration): ts.Node {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
}

/** Returns the module specifier of an import or a re-export. */
function specifierOf(symbol: ts.Symbol): string {
  const statement = ts.findAncestor(
    symbol.declarations?.[0],
    (node) => ts.isImportDeclaration(node) || ts.isExportDeclaration(node),
  );
  const from = statement?.moduleSpecifier;
  if (from && ts.isStringLiteral(from)) return from.text;
  throw new Error(`${symbol.name} is not imported from a module.`);
}
