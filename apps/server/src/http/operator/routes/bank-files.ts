import { fileInput } from '@svc/contract';
import {
  bankFileParams,
  bankFileQuery,
  largestBankFile,
  takenFileOutput,
} from '@svc/contract/operator';
import { z } from 'zod';
import type { OperatorActor } from '../../../domain/access/actor.ts';
import { requireAllPartners } from '../../../domain/back-office/visible-partners.ts';
import { recordOperatorAction } from '../../../domain/operators/record.ts';
import type { BankFiles } from '../../../domain/payments/bank-files.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { FileBytes, type Route, type RouteCtx } from '../../route.ts';
import { operatorRoute } from '../operator-route.ts';

/** ACH files contain tenants' account numbers, so each download is in the audit log. */
export const bankFileRoutes: readonly Route[] = [
  operatorRoute({
    method: 'GET',
    path: '/bank_files/{id}',
    who: 'operator',
    needs: 'money',
    kind: 'command',
    summary: 'Download a file that was exchanged with the bank',
    params: bankFileParams,
    output: z.unknown(),
    audit: 'in_verb',
    async verb(ctx, { params: { id } }) {
      const { name, content } = await filesOf(ctx).read(ctx.tx, id);
      const entry = { action: 'bank_file.downloaded', subject_id: id, details: { name } } as const;
      await recordOperatorAction(ctx, ctx.actor, entry);
      return new FileBytes({ bytes: content, type: 'application/octet-stream', name });
    },
  }),
  operatorRoute({
    method: 'POST',
    path: '/bank_files',
    who: 'operator',
    needs: 'money',
    freshProof: true,
    kind: 'command',
    summary: 'Hand in a file of the bank, such as returns or an acknowledgement',
    upload: 'application/octet-stream',
    largestUpload: largestBankFile,
    query: bankFileQuery,
    body: fileInput,
    output: takenFileOutput,
    audit: 'in_verb',
    async verb(ctx, { query: { name }, body }) {
      const files = filesOf(ctx);
      const entry = { action: 'bank_file.handed_in', details: { name } } as const;
      await recordOperatorAction(ctx, ctx.actor, entry);
      // Last, because a rollback does not undo it.
      await files.receive({ name, content: Buffer.from(body) });
      return { name };
    },
  }),
];

function filesOf(ctx: RouteCtx<OperatorActor>): BankFiles {
  requireAllPartners(ctx);
  const { bankFiles, processor } = ctx.service;
  if (bankFiles) return bankFiles;
  const message = `There are no files: ${processor ? `the processor is ${processor.name}` : 'there is no processor'}.`;
  throw new Refusal('not_found', { message });
}
