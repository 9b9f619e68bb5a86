import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { type Action, addCommand, addGroup, type CommandParts, type Context } from '../command.ts';
import { checkedKey, connect, defaultUrl, originOf } from '../connection.ts';
import { createFetch } from '../create-fetch.ts';
import { exitCodes, Failure } from '../failure.ts';
import { table } from '../terminal.ts';

export function addLogin(program: Command, parts: CommandParts): void {
  addCommand(program, parts, {
    name: 'login',
    summary: 'check an API key and keep it for later commands',
    examples: [
      ['svc login', 'ask for address and key'],
      ['svc login --url https://svc.example --profile live', 'keep it as the profile "live"'],
      ['echo "$KEY" | svc login --url localhost:4000', 'read the key from standard input'],
    ],
    define: (command) => command,
    action: login,
  });
  addCommand(program, parts, {
    name: 'logout',
    summary: 'forget the API key of a profile',
    examples: [['svc logout --profile live', 'the key stays valid: revoke it in the portal']],
    define: (command) => command,
    action: logout,
  });
  const profile = addGroup(program, 'profile', 'list profiles, or choose one');
  addCommand(profile, parts, {
    name: 'list',
    summary: 'list the profiles that "svc login" has stored',
    examples: [['svc profile list', 'the current one has a star']],
    define: (command) => command,
    action: listProfiles,
  });
  addCommand(profile, parts, {
    name: 'use',
    summary: 'use a profile from now on',
    examples: [['svc profile use live', '--profile and SVC_PROFILE still win']],
    define: (command) => command.argument('<name>'),
    action: useProfile,
  });
}

const login: Action<object> = async (context) => {
  const { environment, global, store, terminal } = context;
  const name = namedProfile(context);
  const url = global.url ?? environment.variables.SVC_URL;
  const origin = originOf(url || (await askForUrl(context)));
  const apiKey = checkedKey(await readKey(context));
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) {
    terminal.note(`Warning: ${origin} is not encrypted. Others on the way can read the key.`);
  }
  const connection = connect({
    origin,
    apiKey,
    keySource: 'standard input',
    profile: name,
    fetch: createFetch(environment.variables),
  });
  const identity = await terminal.busy(`Checking the key`, context.identity(connection));
  const config = store.readConfig();
  const isFirst = Object.keys(config.profiles).length === 0;
  config.profiles[name] = { url: origin, api_key: apiKey, ...identity };
  if (isFirst || global.profile === undefined) config.current = name;
  store.writeConfig(config);
  const who = identity.pms ?? 'a partner';
  terminal.print(`Logged in at ${origin} as ${who} (${identity.environment}).`);
  terminal.print(`Profile "${name}" is in ${store.folder}/config.json, readable by you only.`);
  terminal.printJson({ profile: name, url: origin, ...identity });
  return exitCodes.ok;
};

/** Returns the name of the profile to log in as, which need not exist yet. */
function namedProfile({ environment, global, store }: Context): string {
  const name = global.profile ?? (environment.variables.SVC_PROFILE || store.readConfig().current);
  if (/^[\w.-]{1,50}$/.test(name)) return name;
  throw new Failure(`"${name}" cannot be the name of a profile.`, {
    next: 'Use letters, digits, ".", "_" and "-".',
    exitCode: exitCodes.usage,
    code: 'usage',
  });
}

async function askForUrl({ environment, terminal }: Context): Promise<string> {
  if (!environment.input.isTTY) return defaultUrl;
  return (await terminal.ask(`Address of the service [${defaultUrl}]:`)) || defaultUrl;
}

/** Asks on a terminal, else reads standard input. The key is never an option, because other users can see those. */
async function readKey({ environment, terminal }: Context): Promise<string> {
  const { SVC_API_KEY } = environment.variables;
  if (SVC_API_KEY) return SVC_API_KEY;
  if (environment.input.isTTY) return terminal.ask('API key:', { hidden: true });
  const piped = (await text(environment.input)).trim();
  if (piped !== '') return piped;
  throw new Failure('There is no API key on standard input.', {
    next: 'Run "svc login" in a terminal, or pipe the key: echo "$KEY" | svc login',
    exitCode: exitCodes.credentials,
    code: 'missing_credentials',
  });
}

const logout: Action<object> = async (context) => {
  const { store, terminal } = context;
  const name = context.profile;
  const config = store.readConfig();
  const { [name]: removed, ...others } = config.profiles;
  if (!removed) throw unknownProfile(name, Object.keys(config.profiles));
  store.writeConfig({
    current: config.current === name ? (Object.keys(others)[0] ?? 'default') : config.current,
    profiles: others,
  });
  terminal.print(`Profile "${name}" is gone. Its API key stays valid until you revoke it.`);
  terminal.printJson({ profile: name, removed: true });
  return exitCodes.ok;
};

const listProfiles: Action<object> = async ({ store, terminal }) => {
  const { current, profiles } = store.readConfig();
  const rows = Object.entries(profiles).map(([name, { url, pms, environment }]) => [
    name === current ? '*' : ' ',
    name,
    url,
    pms ?? '',
    environment,
  ]);
  if (rows.length === 0) terminal.print('There is no profile yet. Run "svc login".');
  for (const line of table(rows)) terminal.print(line);
  terminal.printJson(
    Object.entries(profiles).map(([name, { url, pms, environment }]) => ({
      profile: name,
      current: name === current,
      url,
      pms,
      environment,
    })),
  );
  return exitCodes.ok;
};

const useProfile: Action<object> = async ({ store, terminal }, _, name = '') => {
  const config = store.readConfig();
  if (!config.profiles[name]) throw unknownProfile(name, Object.keys(config.profiles));
  store.writeConfig({ ...config, current: name });
  terminal.print(`Commands use the profile "${name}" from now on.`);
  terminal.printJson({ profile: name, current: true });
  return exitCodes.ok;
};

function unknownProfile(name: string, known: string[]): Failure {
  return new Failure(`There is no profile "${name}".`, {
    next: known.length ? `Known: ${known.join(', ')}.` : 'Run "svc login".',
    exitCode: exitCodes.usage,
    code: 'usage',
  });
}
