import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
// The compiler of this repository has no API; 6.0 is the last that has one.
import ts from '../../versions/typescript-6.0/node_modules/typescript/lib/typescript.js';
import { DeclarationWriter } from './declaration-writer.ts';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

export const published = ['core', 'react', 'node'] as const;
export type Published = (typeof published)[number];

/** The modules that a package exports: the paths of their types below `dist/types`. */
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
 * All that a package's entries export, and what that names, without imports of workspaces that are
 * not published. Types that come of a schema are written out.
 * @param writer of all entries, to write nothing twice; each stands alone without it
 */
export function rollUpTypes(
  name: Published,
  program: ts.Program,
  writer?: DeclarationWriter,
): string[] {
  return filesOf(name).map((file) => {
    const source = program.getSourceFile(file);
    if (!source) throw new Error(`${file} is not there: npm run build writes it`);
    return (writer ?? writerOf(name, program)).write(source);
  });
}

function writerOf(name: Published, program: ts.Program): DeclarationWriter {
  // React's adapter has the contract's types from the core.
  const folders = name === 'react' ? [name] : [name, 'contract'];
  const own = folders.map((folder) => join(packages, folder, 'dist/'));
  return new DeclarationWriter(program.getTypeChecker(), own);
}

/** What `api.d.ts` of the package has to say: its whole API, to see in a diff what changes. */
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
    // Not by its package.json: what that names is written here.
    paths: { '@svc/core': [join(packages, 'core/dist/index.d.ts')] },
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  });
}

/**
 * `roll-up-types.ts` in a package's folder, before it is packed, writes the types that its tarball
 * takes; `roll-up-types.ts --report` writes the `api.d.ts` of all packages.
 */
if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--report')) {
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
