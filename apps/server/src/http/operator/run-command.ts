import type { commandOutput } from '@svc/contract/operator';
import type { z } from 'zod';
import type { OperatorActor } from '../../domain/access/actor.ts';
import { describeResult } from '../../operator/administer.ts';
import type { OperatorRequest } from '../../operator/commands/index.ts';
import type { Manner } from '../../operator/run-once.ts';
import type { RouteCtx } from '../route.ts';

/** Runs a command in the name of the person, and says in words what it did. @throws Refusal */
export async function runCommand(
  { actor, runOperatorCommand }: RouteCtx<OperatorActor>,
  request: OperatorRequest,
  { reason, ...manner }: Manner & { readonly reason?: string | undefined },
): Promise<z.input<typeof commandOutput>> {
  const by = {
    user: actor.name,
    operatorId: actor.operatorId,
    role: actor.role,
    ...(reason !== undefined && { reason }),
  };
  const done = await runOperatorCommand(request, by, manner);
  if ('approvalId' in done) {
    return {
      result: null,
      text: done.message,
      done_at: null,
      approval_id: done.approvalId,
      needs_approval: true,
    };
  }
  const { result, doneAt, needsApproval = false } = done;
  return {
    approval_id: null,
    result: result as Record<string, unknown>,
    text: describeResult(request, result),
    done_at: doneAt ?? null,
    needs_approval: needsApproval,
  };
}
