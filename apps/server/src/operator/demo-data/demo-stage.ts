import { row, sql, text } from '@svc/db';
import type { Log } from '@svc/runtime';
import type { Ctx, RequestSteps } from '../../context.ts';
import type { PartnerActor } from '../../domain/access/actor.ts';
import type { Commands } from '../../http/command.ts';
import { newId } from '../../ids.ts';
import { runUnitOfWork } from '../../unit-of-work.ts';
import type { TransactionContext } from '../command.ts';
import type { Operator } from '../record-by-operator.ts';
import { runOnce } from '../run-once.ts';
import { transactionContext } from '../transaction-context.ts';

/** Runs the steps of `demo fill`, and remembers which are done. */
export interface DemoStage {
  readonly commands: Commands;
  /** Returns whether a step was done, by this call or an earlier one. */
  isDone(step: string): boolean;
  /** Runs a step, and records in the same transaction that it is done. Does nothing if it was done before. */
  once(step: string, work: (ctx: TransactionContext) => Promise<unknown>): Promise<void>;
  /** Like `once`, with the partner as the actor. */
  onceAs(
    partner: PartnerActor,
    step: string,
    work: (ctx: Ctx<PartnerActor>) => Promise<unknown>,
  ): Promise<void>;
  /** Returns the steps of a request that the partner makes now. */
  stepsOf(partner: PartnerActor): RequestSteps<PartnerActor>;
}

// The command itself says what it could not do.
const log: Log = { info() {}, warn() {}, error() {} };

const keyRow = row('step of the demo', { key: text });
const prefix = 'demo-fill ';

export async function openDemoStage(commands: Commands, by: Operator): Promise<DemoStage> {
  const { db, clock, service } = commands;
  const known = await db.many(
    keyRow,
    sql`
    /* many rows: all that earlier calls of the command have done */
    select key from operator_request where key like ${`${prefix}%`}`,
  );
  const done = new Set(known.map(({ key }) => key.slice(prefix.length)));

  async function once(
    step: string,
    work: (ctx: TransactionContext) => Promise<unknown>,
  ): Promise<void> {
    if (done.has(step)) return;
    await runUnitOfWork(commands, clock.now(), (uow) =>
      runOnce(uow, { key: prefix + step, request: { step }, user: by.user }, async () => {
        await work(transactionContext(uow, { ...by, reason: 'demo data' }, log));
        return {};
      }),
    );
    done.add(step);
  }

  return {
    commands,
    isDone: (step) => done.has(step),
    once,
    onceAs: (partner, step, work) => once(step, (ctx) => work({ ...ctx, actor: partner })),
    stepsOf(partner) {
      const now = clock.now();
      const request = { actor: partner, requestId: newId('req', now), address: null, log };
      return {
        ...request,
        now,
        service,
        after: (ms, run) => clock.after(ms, run),
        requireCaller() {},
        step: (work) => runUnitOfWork(commands, now, (uow) => work({ ...uow, ...request })),
      };
    },
  };
}
