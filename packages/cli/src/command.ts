import type { Command } from 'commander';
import {
  type Connection,
  connect,
  type PartnerIdentity,
  profileName,
  readIdentity,
  serviceOf,
  targetOf,
} from './connection.ts';
import type { Environment } from './environment.ts';
import { openStore, type Store } from './store.ts';
import { createTerminal, type Terminal } from './terminal.ts';

interface GlobalOptions {
  json?: boolean;
  color: boolean;
  profile?: string;
  url?: string;
}

/** The context of a command's action. */
export interface Context {
  readonly environment: Environment;
  readonly terminal: Terminal;
  readonly store: Store;
  readonly global: GlobalOptions;
  readonly profile: string;
  /** The service that the options, the environment or the profile name. */
  connect(): Connection;
  /** The address of that service, for calls without a key. */
  service(): { readonly origin: string; readonly fetch: typeof fetch };
  identity(connection: Connection): Promise<PartnerIdentity>;
}

/** Returns the exit code. */
export type Action<O> = (context: Context, options: O, ...args: string[]) => Promise<number>;

export interface CommandParts {
  readonly environment: Environment;
  /** Where actions leave the exit code. */
  readonly result: { exitCode: number };
}

/** Adds a subcommand; `action` gets a context made of the global options. */
export function addCommand<O extends object>(
  parent: Command,
  parts: CommandParts,
  spec: {
    name: string;
    summary: string;
    /** `[arguments, what happens]`, shown below the options. */
    examples: readonly (readonly [string, string])[];
    define: (command: Command) => Command;
    action: Action<O>;
  },
): Command {
  const command = spec.define(
    parent.command(spec.name).summary(spec.summary).description(sentence(spec.summary)),
  );
  const width = Math.max(...spec.examples.map(([line]) => line.length));
  const examples = spec.examples.map(([line, does]) =>
    `  $ ${line.padEnd(width)}   ${does}`.trimEnd(),
  );
  command.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
  command.action(async (...given: unknown[]) => {
    const args = given.slice(0, command.registeredArguments.length) as string[];
    const context = createContext(parts.environment, command.optsWithGlobals<GlobalOptions>());
    parts.result.exitCode = await spec.action(context, command.opts<O>(), ...args);
  });
  return command;
}

/** Adds a command that only has subcommands. */
export function addGroup(program: Command, name: string, summary: string): Command {
  return program.command(name).summary(summary).description(sentence(summary)).helpCommand(false);
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

export function createContext(environment: Environment, global: GlobalOptions): Context {
  const store = openStore(environment);
  const terminal = createTerminal(environment, { json: global.json ?? false, color: global.color });
  return {
    environment,
    terminal,
    store,
    global,
    get profile() {
      return profileName(environment, store, global.profile);
    },
    connect: () =>
      connect(targetOf(environment, store, { url: global.url, profile: global.profile })),
    service: () => serviceOf(environment, store, { url: global.url, profile: global.profile }),
    identity: readIdentity,
  };
}
