import { fileInput } from '@svc/contract';
import {
  booksDayOutput,
  booksDaysOutput,
  commandOutput,
  csvOutput,
  dayPath,
  exceptionsOutput,
  exceptionsQuery,
  largestStatementFile,
  statementReplaceQuery,
  statementUploadQuery,
} from '@svc/contract/operator';
import type { z } from 'zod';
import type { OperatorActor } from '../../../domain/access/actor.ts';
import {
  readBooksDay,
  readBooksDays,
  readExceptions,
} from '../../../domain/back-office/books-days.ts';
import { asCsv } from '../../../domain/back-office/money-reports.ts';
import { requireAllPartners } from '../../../domain/back-office/visible-partners.ts';
import { refusedFile, statementFile } from '../../../operator/commands/statement-import.ts';
import { parseInThread } from '../../../statements/parse-in-thread.ts';
import { validationFailed } from '../../input/field-errors.ts';
import type { Route, RouteCtx } from '../../route.ts';
import { operatorRoute } from '../operator-route.ts';
import { runCommand } from '../run-command.ts';

const report = { who: 'operator', needs: 'read', kind: 'query' } as const;

/** The body is the file as the bank sent it. */
const upload = {
  who: 'operator',
  needs: 'money',
  freshProof: true,
  kind: 'steps',
  method: 'POST',
  upload: 'application/octet-stream',
  largestUpload: largestStatementFile,
  body: fileInput,
  output: commandOutput,
  audit: 'in_verb',
} as const;

export const booksRoutes: readonly Route[] = [
  operatorRoute({
    ...report,
    method: 'GET',
    path: '/books/days',
    summary: 'List the days of the books, and what keeps one from being closed',
    output: booksDaysOutput,
    verb: (ctx) => readBooksDays(ctx),
  }),
  operatorRoute({
    ...report,
    method: 'GET',
    path: '/books/days/{day}',
    summary: 'Read one day of the books',
    params: dayPath,
    output: booksDayOutput,
    verb: (ctx, { params }) => readBooksDay(ctx, params),
  }),
  operatorRoute({
    ...report,
    method: 'GET',
    path: '/books/exceptions',
    summary: 'List what is not matched, and why',
    query: exceptionsQuery,
    output: exceptionsOutput,
    verb: (ctx, { query }) => readExceptions(ctx, query),
  }),
  operatorRoute({
    ...report,
    method: 'GET',
    path: '/books/exceptions.csv',
    summary: 'List what is not matched, and why, as CSV',
    query: exceptionsQuery,
    output: csvOutput,
    csv: () => 'exceptions.csv',
    verb: async (ctx, { query }) =>
      asCsv((await readExceptions(ctx, query, { inFile: true })).items),
  }),
  operatorRoute({
    ...upload,
    path: '/books/statements',
    summary: 'Import the statements of a file',
    query: statementUploadQuery,
    async verb(ctx, { query, body }) {
      const { bank, statements } = await readUpload(ctx, query, body);
      return runCommand(ctx, { command: 'statement import', bank, statements }, {});
    },
  }),
  operatorRoute({
    ...upload,
    path: '/books/statements/replace',
    summary: 'Replace statements of open days, with the reason in the header Svc-Reason',
    query: statementReplaceQuery,
    async verb(ctx, { query, body }) {
      const { reason } = ctx.http;
      if (reason === undefined || reason.trim() === '' || reason.length > 200) {
        const message = 'must say why in 200 characters, for the audit log';
        throw validationFailed([{ param: 'reason', code: 'invalid_value', message }]);
      }
      const { bank, statements } = await readUpload(ctx, query, body);
      const request = { command: 'statement replace', bank, statements } as const;
      return runCommand(ctx, request, { reason, dryRun: query.dry_run === 'true' });
    },
  }),
];

async function readUpload(
  ctx: RouteCtx<OperatorActor>,
  { bank, file }: z.output<typeof statementUploadQuery>,
  content: Uint8Array,
) {
  requireAllPartners(ctx);
  try {
    return { bank, statements: statementFile(file, await parseInThread(content)) };
  } catch (error) {
    throw refusedFile(file, error);
  }
}
