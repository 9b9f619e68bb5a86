import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Runs each language's snippets of the docs against the published vectors. A language that is not
// installed is skipped by name.

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const vectors = join(root, 'packages/contract/vectors');
const tables = ['widget-signatures.tsv', 'webhooks.tsv'].map((name) => join(vectors, name));

interface Language {
  readonly name: string;
  readonly folder: string;
  /** Programs that have to be on PATH, each with an argument that prints its version. */
  readonly needs: readonly (readonly [program: string, argument: string])[];
  readonly build?: readonly string[];
  /** The program that prints one line for each row of the tables. */
  readonly check: readonly string[];
}

const languages: readonly Language[] = [
  {
    name: 'Node',
    folder: 'node',
    needs: [],
    check: [process.execPath, 'check.mjs'],
  },
  {
    name: 'Python',
    folder: 'python',
    needs: [['python3', '--version']],
    check: ['python3', 'check.py'],
  },
  { name: 'Ruby', folder: 'ruby', needs: [['ruby', '--version']], check: ['ruby', 'check.rb'] },
  { name: 'PHP', folder: 'php', needs: [['php', '--version']], check: ['php', 'check.php'] },
  {
    name: 'Go',
    folder: 'go',
    needs: [['go', 'version']],
    build: ['go', 'build', '-o', 'check', '.'],
    check: ['./check'],
  },
  {
    name: 'Java',
    folder: 'java',
    needs: [['javac', '-version']],
    build: ['javac', '-d', '.', 'Signatures.java', 'Check.java'],
    check: ['java', '-Dfile.encoding=ISO-8859-1', 'Check'],
  },
  {
    name: 'C#',
    folder: 'csharp',
    needs: [
      ['mcs', '--version'],
      ['mono', '--version'],
    ],
    build: ['mcs', '-out:check.exe', 'Signatures.cs', 'Check.cs'],
    check: ['mono', 'check.exe'],
  },
  {
    name: 'Rust',
    folder: 'rust',
    needs: [['cargo', '--version']],
    build: ['cargo', 'build', '--quiet'],
    check: ['./target/debug/signatures'],
  },
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-signatures-'));
  await cp(join(root, 'examples/signatures'), folder, { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const missing = new Map(
  await Promise.all(languages.map(async (it) => [it.name, await missingOf(it)] as const)),
);

/** The first program that the language needs and that is not installed. */
async function missingOf({ needs }: Language): Promise<string | undefined> {
  for (const [program, argument] of needs) {
    const found = await run(program, [argument]).then(
      () => true,
      () => false,
    );
    if (!found) return program;
  }
  return undefined;
}

/** The expected result of each row of the tables, in order. */
async function expectedLines(): Promise<string[]> {
  const lines = await Promise.all(
    tables.map(async (path, index) => {
      const [header = '', ...rows] = (await readFile(path, 'utf8')).trimEnd().split('\n');
      const column = header.split('\t').indexOf(index === 0 ? 'signature' : 'genuine');
      return rows.map((row) => `${row.split('\t')[0]}: ${row.split('\t')[column]}`);
    }),
  );
  return lines.flat();
}

for (const { name, folder: language, build, check } of languages) {
  test(`${name} signs the widget and verifies webhooks as the vectors say`, async (context) => {
    const absent = missing.get(name);
    if (absent !== undefined) context.skip(`${absent} is not installed`);
    const options = { cwd: join(folder, language), timeout: 110_000 };
    if (build) {
      const [program = '', ...args] = build;
      try {
        await run(program, args, options);
      } catch (error) {
        // Cargo downloads three crates. Anything else is a fault of the snippets.
        const { stderr } = error as { stderr: string };
        const offline = /failed to download|failed to get|Could not resolve|network/i.test(stderr);
        if (name !== 'Rust' || !offline) throw error;
        context.skip('cargo cannot reach its registry');
      }
    }
    const [program = '', ...args] = check;
    const { stdout } = await run(program, [...args, ...tables], options);
    const answers = stdout.trimEnd().split(/\r?\n/);
    const expected = await expectedLines();
    const printed = expected.map((line, index) => line.replace(/: [^:]*$/, `: ${answers[index]}`));
    expect(printed).toEqual(expected);
    expect(answers).toHaveLength(expected.length);
  });
}
