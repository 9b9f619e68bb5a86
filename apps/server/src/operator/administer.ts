import type { Log, Service } from '../context.ts';
import {
  createKey,
  createPartner,
  listDisputes,
  listLosses,
  Refusal,
  reopenSettlement,
  revokeKey,
  verifyLedger,
} from '../domain/index.ts';
import { type Commands, inTransaction } from '../http/command.ts';
import { newId } from '../ids.ts';

/** What the command line can ask for. */
export type Administration =
  | { readonly command: 'partner create'; readonly pms: string }
  | { readonly command: 'key create'; readonly pms: string }
  | { readonly command: 'key revoke'; readonly key_id: string }
  | { readonly command: 'settlement reopen'; readonly settlement_id: string }
  | { readonly command: 'dispute list' }
  | { readonly command: 'loss list' }
  | { readonly command: 'ledger verify' };

export type Answer =
  | { readonly ok: true; readonly result: object }
  | { readonly ok: false; readonly message: string };

export interface Administered {
  readonly commands: Commands;
  readonly service: Service;
  readonly log: Log;
  /** Resolves when no process knows the revoked key any more. */
  readonly revoked: () => void | Promise<void>;
}

/** Runs one command of the operator, in its own transaction. A refusal is an answer. */
export async function administer(parts: Administered, request: Administration): Promise<Answer> {
  try {
    const result = await run(parts, request);
    if (request.command === 'key revoke') await parts.revoked();
    return { ok: true, result };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, message: error.message };
  }
}

// Of a large ledger every line is read.
const longestVerifyMs = 3_600_000;

function run({ commands, service, log }: Administered, request: Administration): Promise<object> {
  const now = commands.clock.now();
  if (request.command === 'ledger verify') {
    return inTransaction(commands, verifyLedger, { timeoutMs: longestVerifyMs });
  }
  return inTransaction(commands, async (tx): Promise<object> => {
    const requestId = newId('req', now);
    const ctx = { tx, now, actor: { kind: 'system' as const }, requestId, log, service };
    switch (request.command) {
      case 'partner create':
        return createPartner(ctx, { pms: request.pms });
      case 'key create':
        return createKey(ctx, { pms: request.pms });
      case 'key revoke':
        return revokeKey(ctx, { key_id: request.key_id });
      case 'settlement reopen':
        return reopenSettlement(ctx, { id: request.settlement_id });
      case 'dispute list':
        return listDisputes(ctx);
      case 'loss list':
        return listLosses(ctx);
    }
  });
}
