import { z } from 'zod';
import { permission } from './roles.ts';

/** A value as it is typed on a command line. `true` is for an option without a value. */
const value = z.union([z.string().min(1).max(200), z.number(), z.literal(true)]);

/** The content of a file, where the command line names the file. */
export const commandFile = z.string().min(1).max(200_000);

/** Runs a command, with the input that the command declares. */
export const commandInput = z.strictObject({
  input: z.record(z.string(), z.union([value, commandFile])),
  reason: z.string().max(200).optional().describe('Why, for the audit log.'),
  dry_run: z
    .boolean()
    .optional()
    .describe('Say what the command would do, and change nothing. For commands that move money.'),
  idempotency_key: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, { error: 'must be 1 to 255 visible ASCII characters' })
    .optional()
    .describe('Do it once, however often it is repeated with this key.'),
});

export const commandOutput = z.object({
  result: z.looseObject({}).nullable().describe('Null if a second person must approve it first.'),
  approval_id: z
    .string()
    .nullable()
    .describe('The request that waits for a second person. Nothing was done.'),
  text: z.string().describe('The result in words, as the command line prints it.'),
  done_at: z.iso
    .datetime()
    .nullable()
    .describe('When an earlier call with this idempotency key did it. Nothing was done now.'),
  needs_approval: z
    .boolean()
    .describe(
      'Whether a second person must approve it. A dry run says so before anything is done.',
    ),
});
export type CommandInput = z.input<typeof commandInput>;
export type CommandOutput = z.infer<typeof commandOutput>;

/** A command that the caller's role allows, with what a form for it needs. */
export const commandInfo = z.object({
  name: z.string().describe('As in `POST /operator/v1/commands/{name}`.'),
  summary: z.string().describe('What it does, as the end of a sentence.'),
  needs: permission,
  effect: z.enum(['report', 'change', 'control']),
  money: z
    .boolean()
    .describe('It moves money, or says that it has moved: preview it with `dry_run`.'),
  needs_reason: z.boolean(),
  writes_file: z.boolean().describe('Its result is to be saved rather than read.'),
  fields: z.array(
    z.object({
      name: z.string().describe('The key in `input`.'),
      syntax: z.string().describe('As on the command line, such as `--amount <cents>`.'),
      summary: z.string().describe('What it is for, as the end of a sentence. May be empty.'),
      is_required: z.boolean(),
      is_file: z.boolean().describe('It takes the content of a file.'),
      choices: z
        .array(z.object({ value: z.string(), label: z.string() }))
        .nullable()
        .describe('What it takes, if that is one of a few words.'),
      takes_several: z.boolean().describe('It takes several of the choices, with commas.'),
    }),
  ),
});
export type CommandInfo = z.infer<typeof commandInfo>;

export const commandsOutput = z.object({ items: z.array(commandInfo) });
