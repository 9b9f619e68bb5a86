import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { openApiDocument } from '../../apps/server/src/http/docs/openapi.ts';
import { routes } from '../../apps/server/src/http/routes.ts';
import { ROOT, runCommand } from '../steps/run-command.mjs';
import { prepareDocument } from './prepare-document.ts';

export const clientLanguages = ['python', 'ruby', 'php', 'java', 'go', 'csharp'] as const;
export type ClientLanguage = (typeof clientLanguages)[number];

const generatorVersion = '7.17.0';
const artifact = 'openapi-generator-cli';

/** Generated files that would only be useful if each client had a separate repository. */
const unwanted =
  /^(\.openapi-generator.*|\.travis\.yml|\.gitignore|README\.md|git_push\.sh|openapi\.yaml)$/;

/** The generator's settings for one language, in `clients/<language>/generator.json`. */
interface Settings {
  readonly generator: string;
  readonly properties: Record<string, string | boolean>;
  /** The property to generate for each field whose name the language uses for something else. */
  readonly names?: Record<string, string>;
  /** The generated files to keep: each path in the generator's output, and its path in the client. */
  readonly take: Record<string, string>;
}

/**
 * Writes the clients of these languages to `dist/clients/<language>`: the generated calls and models,
 * with the files of `clients/<language>` that are written by hand.
 */
export async function generateClients(languages: readonly ClientLanguage[]): Promise<void> {
  const jar = await findGenerator();
  const scratch = join(ROOT, '.cache/clients');
  mkdirSync(scratch, { recursive: true });
  const document = join(scratch, 'openapi.json');
  // The sandbox's document has the simulation too. A client gets its service's address from its user.
  const service = { environment: 'sandbox', publicOrigin: 'http://localhost:4000' } as const;
  const described = openApiDocument(routes, service as Parameters<typeof openApiDocument>[1]);
  writeFileSync(document, JSON.stringify(prepareDocument(described)));
  for (const language of languages) await generate(language, jar, document, scratch);
}

/** Returns the path of the generator's jar: SVC_OPENAPI_GENERATOR, or the pinned version, which Maven downloads. */
async function findGenerator(): Promise<string> {
  const { SVC_OPENAPI_GENERATOR: given } = process.env;
  if (given) {
    if (existsSync(given)) return given;
    throw new Error(`SVC_OPENAPI_GENERATOR names ${given}, which does not exist.`);
  }
  const folder = join(ROOT, '.cache/openapi-generator');
  const jar = join(folder, `${artifact}-${generatorVersion}.jar`);
  if (existsSync(jar)) return jar;
  const coordinates = `org.openapitools:${artifact}:${generatorVersion}`;
  const flags = ['-q', '-B', 'dependency:copy', `-Dartifact=${coordinates}`];
  await run('mvn', [...flags, `-DoutputDirectory=${folder}`]);
  return jar;
}

async function generate(language: ClientLanguage, jar: string, document: string, scratch: string) {
  const source = join(ROOT, 'clients', language);
  const settings = JSON.parse(readFileSync(join(source, 'generator.json'), 'utf8')) as Settings;
  const output = join(scratch, language);
  rmSync(output, { recursive: true, force: true });
  const shared = {
    hideGenerationTimestamp: true,
    // Objects in responses are open, so a field of a later release is not an error.
    disallowAdditionalPropertiesIfNotPresent: false,
  };
  const properties = Object.entries({ ...shared, ...settings.properties });
  const names = Object.entries(settings.names ?? {}).map((it) => it.join('='));
  await run('java', [
    '-jar',
    jar,
    'generate',
    '-i',
    document,
    '-g',
    settings.generator,
    '-o',
    output,
    ...(names.length === 0 ? [] : [`--name-mappings=${names.join(',')}`]),
    '--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false',
    `--additional-properties=${properties.map(([name, value]) => `${name}=${value}`).join(',')}`,
  ]);
  const client = join(ROOT, 'dist/clients', language);
  rmSync(client, { recursive: true, force: true });
  for (const [from, to] of Object.entries(settings.take)) {
    const filter = (path: string) => !unwanted.test(basename(path));
    cpSync(join(output, from), join(client, to), { recursive: true, filter });
  }
  for (const name of readdirSync(source).filter((it) => it !== 'generator.json')) {
    cpSync(join(source, name), join(client, name), { recursive: true });
  }
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runCommand(program, [...args], { quiet: true });
  if (code === 0) return;
  throw new Error(`${program} failed with ${code}:\n${output.slice(-2000)}`);
}
