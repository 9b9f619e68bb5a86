import type { Statement, StatementLine } from '../domain/books/statement.ts';
import { csvColumns } from './parse-csv.ts';
import type { StatementFile, StatementFormat } from './parse-statements.ts';

const writers: Readonly<Record<StatementFormat, (statements: readonly Statement[]) => string>> = {
  csv: writeCsv,
  bai2: writeBai2,
  camt053: writeCamt053,
};

/** Writes statements as a bank does: for the sandbox, whose bank is the simulator, and for tests. */
export function writeStatements({ format, statements }: StatementFile): string {
  return writers[format](statements);
}

function writeCsv(statements: readonly Statement[]): string {
  const rows = statements.flatMap(({ account, currency, ...it }) => [
    [account, currency, it.from, 'opening', formatDecimal(it.openingInCents), '', ''],
    ...it.lines.map((line) => [
      account,
      currency,
      line.bookedOn,
      line.kind,
      formatDecimal(line.amountInCents),
      line.reference,
      line.description,
    ]),
    [account, currency, it.to, 'closing', formatDecimal(it.closingInCents), '', ''],
  ]);
  return [csvColumns, ...rows].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

// Not `csvLine`, which protects spreadsheets: an apostrophe before a sign would change an amount.
function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function formatDecimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

// BAI2 files are cut at 80 characters.
const textWidth = 60;

/** One group for each statement, which must be of one day. */
function writeBai2(statements: readonly Statement[]): string {
  const records: string[] = [];
  const day = shortDay(statements[0]?.to ?? '');
  records.push(`01,BANK,OPERATOR,${day},0600,1,80,,2/`);
  let total = 0;
  for (const it of statements) {
    if (it.from !== it.to) throw new Error('A BAI2 group is the statement of one day.');
    const groupFrom = records.length;
    records.push(`02,OPERATOR,BANK,1,${shortDay(it.to)},,${it.currency},2/`);
    const accountFrom = records.length;
    records.push(
      `03,${it.account},${it.currency},010,${it.openingInCents},,/`,
      `88,015,${it.closingInCents},,/`,
    );
    let cents = it.openingInCents + it.closingInCents;
    for (const line of it.lines) {
      records.push(...transactionRecords(line));
      cents += Math.abs(line.amountInCents);
    }
    records.push(`49,${cents},${records.length - accountFrom + 1}/`);
    records.push(`98,${cents},1,${records.length - groupFrom + 1}/`);
    total += cents;
  }
  records.push(`99,${total},${statements.length},${records.length + 1}/`);
  return records.map((it) => `${it}\r\n`).join('');
}

function transactionRecords({ amountInCents, reference, description }: StatementLine): string[] {
  const code = amountInCents > 0 ? '165' : '455';
  const head = `16,${code},${Math.abs(amountInCents)},Z,,${reference},`;
  if (description === '') return [`${head}/`];
  const parts = wrapLine(description);
  return [`${head}${parts[0]}`, ...parts.slice(1).map((it) => `88,${it}`)];
}

function wrapLine(text: string): string[] {
  const parts: string[] = [];
  for (const word of text.split(' ')) {
    const last = parts.at(-1);
    // A part that ends with a slash would end the record's fields.
    if (last !== undefined && (last.length + word.length < textWidth || last.endsWith('/'))) {
      parts[parts.length - 1] = `${last} ${word}`;
    } else parts.push(word);
  }
  return parts;
}

function shortDay(day: string): string {
  return day.slice(2).replaceAll('-', '');
}

function writeCamt053(statements: readonly Statement[]): string {
  const bodies = statements.map(statementXml).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">
<BkToCstmrStmt>
<GrpHdr><MsgId>${statements[0]?.to ?? ''}</MsgId></GrpHdr>
${bodies}</BkToCstmrStmt>
</Document>
`;
}

function statementXml(it: Statement): string {
  const { account, currency, from, to, lines } = it;
  const sum = lines.reduce((all, line) => all + Math.abs(line.amountInCents), 0);
  return `<Stmt>
<Id>${to}</Id>
<Acct><Id><Othr><Id>${escaped(account)}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>
${balanceXml('OPBD', it.openingInCents, currency, from)}${balanceXml('CLBD', it.closingInCents, currency, to)}<TxsSummry><TtlNtries><NbOfNtries>${lines.length}</NbOfNtries><Sum>${formatDecimal(sum)}</Sum></TtlNtries></TxsSummry>
${lines.map((line) => entryXml(line, currency)).join('')}</Stmt>
`;
}

function balanceXml(code: string, cents: number, currency: string, day: string): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amountXml(cents, currency)}<Dt><Dt>${day}</Dt></Dt></Bal>\n`;
}

function amountXml(cents: number, currency: string): string {
  return `<Amt Ccy="${currency}">${formatDecimal(Math.abs(cents))}</Amt><CdtDbtInd>${cents < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
}

function entryXml(
  { bookedOn, amountInCents, reference, description }: StatementLine,
  currency: string,
): string {
  return `<Ntry>${amountXml(amountInCents, currency)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${bookedOn}</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>${escaped(reference || 'NOTPROVIDED')}</EndToEndId></Refs></TxDtls></NtryDtls><AddtlNtryInf>${escaped(description)}</AddtlNtryInf></Ntry>\n`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
