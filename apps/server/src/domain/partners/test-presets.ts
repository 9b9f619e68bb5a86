import type { TestPresetInput, TestPresetOutput } from '@svc/contract';
import { bigint, instant, type RowOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { PartnerActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';

const mostPresets = 50;

/** Lists the partner's saved test bodies, newest first. */
export async function listTestPresets({ tx, actor }: Ctx<PartnerActor>) {
  const rows = await tx.many(
    presetRow,
    sql`
    select id, name, event_type, body, saved_at from test_preset
    where partner_id = ${actor.partnerId} order by saved_at desc, id desc`,
  );
  return { items: rows.map(describe), next_cursor: null };
}

const countRow = row('other presets', { others: bigint });

/** Saves a preset and replaces one with the same name. @throws Refusal when there are 50 others */
export async function saveTestPreset(
  { tx, now, actor }: Ctx<PartnerActor>,
  { name, event_type, body }: TestPresetInput,
): Promise<TestPresetOutput> {
  // Locks the partner's row. Otherwise two concurrent calls could both count 49 and save.
  await tx.run(sql`select from partner where id = ${actor.partnerId} for no key update`);
  const { others } = await tx.one(
    countRow,
    sql`
    select count(*) as others from test_preset
    where partner_id = ${actor.partnerId} and name <> ${name}`,
  );
  if (others >= mostPresets) {
    throw new Refusal('validation_failed', {
      param: 'name',
      message: `There are ${mostPresets} presets, as many as there can be. Remove one first.`,
    });
  }
  const row = await tx.one(
    presetRow,
    sql`
    insert into test_preset (id, partner_id, name, event_type, body, saved_at)
    values (${newId('tpr', now)}, ${actor.partnerId}, ${name}, ${event_type}, ${body}, ${now})
    on conflict (partner_id, name) do update
      set event_type = excluded.event_type, body = excluded.body, saved_at = excluded.saved_at
    returning id, name, event_type, body, saved_at`,
  );
  return describe(row);
}

/** Removes a preset; does nothing if there is none. */
export async function removeTestPreset(
  { tx, actor }: Ctx<PartnerActor>,
  { id }: { id: string },
): Promise<null> {
  await tx.run(sql`
    delete from test_preset where partner_id = ${actor.partnerId} and id = ${id}`);
  return null;
}

const presetRow = row('test preset', {
  id: text,
  name: text,
  event_type: text,
  body: text,
  saved_at: instant,
});

function describe({ saved_at, ...row }: RowOf<typeof presetRow>): TestPresetOutput {
  return { ...row, saved_at: saved_at.toISOString() };
}
