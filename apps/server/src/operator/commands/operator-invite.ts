import { operatorRoles } from '@svc/contract/operator';
import { installation } from '../../domain/audit/record.ts';
import { inviteOperator } from '../../domain/operators/invite.ts';
import { argument, defineCommand, option, requiredOption } from '../command.ts';
import { readAddress, readLine, readOneOf } from '../read-values.ts';
import { UsageError } from '../usage-error.ts';

export const operatorInvite = defineCommand({
  name: 'operator invite',
  summary:
    'let a person into the operator’s console: prints a link that works once, for 15 minutes, or the address of the console for somebody who signs in at your provider',
  input: {
    name: argument('<name>', readLine('The name', { least: 1, most: 100 })),
    role: requiredOption(
      '--role <role>',
      operatorRoles.join(', '),
      readOneOf('--role', operatorRoles),
    ),
    email: option('--email <address>', 'of the person’s account at your provider', readAddress),
    partners: option('--partners <pms,…>', 'limit the person to these portals', readPartners),
  },
  effect: 'change',
  console: { needs: 'people' },
  async run(ctx, input) {
    const invited = await inviteOperator(ctx, input);
    await ctx.record(installation, {
      action: 'operator.invited',
      subject_id: invited.operator_id,
      details: { role: input.role, ...(input.partners && { partners: [...input.partners] }) },
    });
    return { ...invited, role: input.role };
  },
  approval: {
    when: 'always',
    // The first person is exempt, because nobody can approve anything in the console yet.
    isExempt: ({ is_first }) => is_first,
    facts: ({ role }) => ({ role }),
  },
  describe: ({ operator_id, role, url, expires_at }, { name, email }) =>
    `${name} is ${operator_id} with the role ${role}. ${
      expires_at === null
        ? `Send this address. It asks to sign in as ${email} at your provider:`
        : 'Send this link over a safe channel. It works once, for 15 minutes:'
    }\n\n${url}\n`,
});

function readPartners(text: string): readonly string[] {
  const partners = text.split(',').map((pms) => pms.trim());
  if (partners.every((pms) => pms !== '')) return partners;
  throw new UsageError('--partners must be portals separated by commas, such as oak,elm.');
}
