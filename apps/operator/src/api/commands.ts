import type { CommandInfo, CommandInput } from '@svc/contract/operator';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export type { CommandInfo, CommandInput };
export type CommandField = CommandInfo['fields'][number];
export type CommandValues = CommandInput['input'];

/** The commands that the person's role allows. */
export const commandsQuery = queryOptions({
  queryKey: ['commands'],
  queryFn: async ({ signal }) => (await call('GET', '/commands', { signal })).items,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Runs a command. The response says in words what was done, or with `dry_run` what would be done. */
export function runCommand(name: string, body: CommandInput) {
  return call('POST', `/commands/${name}`, { body });
}
