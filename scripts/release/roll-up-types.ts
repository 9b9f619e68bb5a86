import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
// TypeScript 7, the compiler of this repository, has no API; 6.0 is the last version with one.
import ts from '@svc/with-typescript-6.0';
import { DeclarationWriter } from './declaration-writer.ts';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

export const published = ['core', 'react', 'node'] as const;
export type Published = (typeof published)[number];

/** Returns the modules that a package exports, as the paths of their types below `dist/types`. */
function entriesOf(name: Published): string[] {
  const file = join(packages, name, 'package.json');
  const { exports } = JSON.parse(readFileSync(file, 'utf8')) as {
    exports: Record<string, { types: string }>;
  };
  return Object.values(exports).map(({ types }) =>
    types.replace(/^\.\/dist\/types\//, '').replace(/\.d\.ts$/, ''),
  );
}

/**
 * Returns the declarations of each entry of a package, without imports of unpublished workspaces.
 * @param writer shared by all entries, so that no declaration is repeated; without it, each entry is complete
 */
function rollUpTypes(name: Published, program: ts.Program, writer?: DeclarationWriter): string[] {
  return filesOf(name).map((file) => {
    const source = program.getSourceFile(file);
    if (!source) throw new Error(`${file} does not exist. Run "npm run build".`);
    return (writer ?? writerOf(name, program)).write(source);
  });
}

function writerOf(name: Published, program: ts.Program): DeclarationWriter {
  // The React package imports the contract's types from the core.
  const folders = name === 'react' ? [name] : [name, 'contract'];
  const own = folders.map((folder) => join(packages, folder, 'dist/'));
  return new DeclarationWriter(program.getTypeChecker(), own);
}

/** Returns the content of the package's `api.d.ts`: its whole API, so that a diff shows changes. */
export function reportOf(name: Published, program: ts.Program): string {
  const parts = rollUpTypes(name, program, writerOf(name, program)).map(
    (text, index) => `// ${entriesOf(name)[index]}\n${text}`,
  );
  const input = parts.join('\n').replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '');
  const biome = join(packages, '../node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'format', '--stdin-file-path=report.ts'];
  return execFileSync(process.execPath, args, { input, encoding: 'utf8' });
}

function filesOf(name: Published): string[] {
  return entriesOf(name).map((entry) => join(packages, name, 'dist', `${entry}.d.ts`));
}

export function programOf(names: readonly Published[]): ts.Program {
  return ts.createProgram(names.flatMap(filesOf), {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    stableTypeOrdering: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    types: [],
    // Not through its package.json, which points to the files that this script writes.
    paths: { '@svc/core': [join(packages, 'core/dist/index.d.ts')] },
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  });
}

/**
 * In a package's folder, before it is packed, `roll-up-types.ts` writes the types for its tarball.
 * `roll-up-types.ts --report` writes the `api.d.ts` of all packages.
 */
if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { report: { type: 'boolean' } } });
  if (values.report) {
    const program = programOf(published);
    for (const name of published) {
      writeFileSync(join(packages, name, 'api.d.ts'), reportOf(name, program));
    }
  } else {
    const name = basename(process.cwd()) as Published;
    rmSync('dist/types', { recursive: true, force: true });
    for (const [index, text] of rollUpTypes(name, programOf([name])).entries()) {
      const file = join('dist/types', `${entriesOf(name)[index]}.d.ts`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}
