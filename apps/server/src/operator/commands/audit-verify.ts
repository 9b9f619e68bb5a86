import { verifyAudit } from '../../domain/audit/verify.ts';
import { runUnitOfWork } from '../../unit-of-work.ts';
import { defineCommand, longestReadMs } from '../command.ts';
import { recordCheck } from '../record-check.ts';
import { table } from '../table.ts';

export const auditVerify = defineCommand({
  name: 'audit verify',
  summary: 'check every entry of the audit log against its sealed chain',
  effect: 'report',
  scope: 'steps',
  async run(ctx) {
    const { commands, now } = ctx;
    const { vault } = commands;
    const report = await runUnitOfWork(commands, now, ({ tx }) => verifyAudit(tx, { vault, now }), {
      onlyReads: true,
      timeoutMs: longestReadMs,
    });
    await recordCheck(ctx, 'audit', { now, faults: report.faults.length });
    return report;
  },
  hasFailed: ({ faults }) => faults.length > 0,
  describe({ chains, faults, role, role_may_change }) {
    const body = table(
      'chains of the audit log',
      ['chain', 'entries', 'seals', 'not sealed yet', 'faults', 'last seal'],
      chains.map((it) => [
        it.chain,
        ...[it.entries, it.seals, it.unsealed, it.faults.length].map(String),
        it.last_seal ?? '',
      ]),
    );
    const verdict =
      faults.length === 0
        ? 'Every sealed entry is as it was written.\n'
        : faults.map((fault) => `FAULT: ${fault}\n`).join('');
    const note = role_may_change
      ? `The database role ${role} of this command may change the audit log. If the service runs with it, see docs/operate/audit-log.md.\n`
      : `The database role ${role} of this command cannot change the audit log.\n`;
    return `${body}\n${note}${verdict}`;
  },
});
