import { SaxesParser } from 'saxes';
import type { Statement, StatementLine } from '../domain/books/statement.ts';
import { BadFile } from './bad-file.ts';
import { oneLine, readCents, readCurrency, readDay, readDecimal, shown } from './read-values.ts';

// A real message nests about 15 elements.
const deepest = 40;

/**
 * Reads camt.053 (ISO 20022, bank to customer statement), every version from 001.02 on. Reads the XML
 * as a stream with strict checks. A document type, and so every external or own entity, is refused.
 * @throws BadFile
 */
export function parseCamt053(text: string): Statement[] {
  const root = readTree(text);
  const message = root.name === 'Document' ? only(root, 'BkToCstmrStmt') : undefined;
  if (!message)
    throw new BadFile(root.line, 'it is XML, but not a camt.053 (Document/BkToCstmrStmt).');
  const statements = all(message, 'Stmt');
  if (statements.length === 0)
    throw new BadFile(message.line, 'there is no statement (Stmt) in it.');
  return statements.map(readStatement);
}

interface Node {
  readonly name: string;
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
  text: string;
}

function readTree(text: string): Node {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const open: Node[] = [];
  let root: Node | undefined;
  const refuse = (reason: string): never => {
    throw new BadFile(parser.line, reason);
  };
  parser.on('error', (error) =>
    refuse(`it is not well-formed XML. ${error.message.slice(0, 200)}`),
  );
  parser.on('doctype', () => refuse('a document type (DTD) is not allowed.'));
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= deepest) refuse(`more than ${deepest} elements are nested.`);
    const node: Node = {
      // The prefix of a namespace is the bank's choice.
      name: name.slice(name.indexOf(':') + 1),
      line: parser.line,
      attributes,
      children: [],
      text: '',
    };
    open.at(-1)?.children.push(node);
    root ??= node;
    open.push(node);
  });
  parser.on('text', (part) => {
    const node = open.at(-1);
    if (node) node.text += part;
  });
  parser.on('cdata', (part) => {
    const node = open.at(-1);
    if (node) node.text += part;
  });
  parser.on('closetag', () => open.pop());
  parser.write(text).close();
  return root ?? refuse('the file is empty.');
}

function all(node: Node, name: string): Node[] {
  return node.children.filter((it) => it.name === name);
}

/** The one child of that name. Undefined if there is none; several are refused. */
function only(node: Node, name: string): Node | undefined {
  const [found, second] = all(node, name);
  if (second) throw new BadFile(second.line, `${node.name} has ${name} twice.`);
  return found;
}

/** The text at a path of single children; empty if it is missing. */
function textAt(node: Node, ...path: readonly string[]): string {
  let at: Node | undefined = node;
  for (const name of path) at = at && only(at, name);
  return at ? oneLine(at.text) : '';
}

function required(node: Node, name: string): Node {
  const found = only(node, name);
  if (!found) throw new BadFile(node.line, `${node.name} has no ${name}.`);
  return found;
}

function readStatement(node: Node): Statement {
  const account = required(node, 'Acct');
  const number = textAt(account, 'Id', 'IBAN') || textAt(account, 'Id', 'Othr', 'Id');
  const opening = balanceOf(node, ['OPBD', 'PRCD']);
  const closing = balanceOf(node, ['CLBD']);
  const currency = closing.currency;
  const lines = all(node, 'Ntry').map((it) => readEntry(it, currency));
  const stated = textAt(account, 'Ccy');
  if (opening.currency !== currency || (stated !== '' && stated !== currency)) {
    throw new BadFile(node.line, 'the account and its balances are in different currencies.');
  }
  checkSummary(node, lines);
  // Of a previous closing (PRCD) the day is that of the statement before.
  const from = opening.code === 'OPBD' ? opening.day : closing.day;
  return {
    fileLine: node.line,
    account: number,
    currency,
    from,
    to: closing.day,
    openingInCents: opening.cents,
    closingInCents: closing.cents,
    lines,
  };
}

function balanceOf(statement: Node, codes: readonly string[]) {
  for (const code of codes) {
    const [node, second] = all(statement, 'Bal').filter(
      (it) => textAt(it, 'Tp', 'CdOrPrtry', 'Cd') === code,
    );
    if (second) throw new BadFile(second.line, `the balance ${code} is there twice.`);
    if (!node) continue;
    const { cents, currency } = readAmount(node);
    return { code, cents, currency, day: dayOf(required(node, 'Dt')) };
  }
  throw new BadFile(statement.line, `the statement has no balance ${codes.join(' or ')}.`);
}

/** The amount of a balance or entry, negative for a debit. */
function readAmount(node: Node): { cents: number; currency: string } {
  const amount = required(node, 'Amt');
  const cents = readDecimal(oneLine(amount.text), amount.line, 'the amount');
  if (cents < 0)
    throw new BadFile(amount.line, 'the amount has a sign; CdtDbtInd says the direction.');
  return {
    cents: signOf(node) * cents,
    currency: readCurrency(amount.attributes.Ccy ?? '', amount.line),
  };
}

function signOf(node: Node): 1 | -1 {
  const direction = textAt(node, 'CdtDbtInd');
  if (direction === 'CRDT') return 1;
  if (direction === 'DBIT') return -1;
  throw new BadFile(node.line, `CdtDbtInd "${shown(direction)}" is neither CRDT nor DBIT.`);
}

function dayOf(node: Node): string {
  return readDay(textAt(node, 'Dt') || textAt(node, 'DtTm').slice(0, 10), node.line, 'the day');
}

function readEntry(node: Node, currency: string): StatementLine {
  const status = textAt(node, 'Sts', 'Cd') || textAt(node, 'Sts');
  if (status !== 'BOOK') {
    throw new BadFile(
      node.line,
      `the entry is "${shown(status)}", and a statement lists booked ones.`,
    );
  }
  const amount = readAmount(node);
  if (amount.currency !== currency) {
    throw new BadFile(
      node.line,
      `the entry is in ${amount.currency}, in a statement in ${currency}.`,
    );
  }
  const details = all(node, 'NtryDtls').flatMap((it) => all(it, 'TxDtls'));
  const [detail] = details.length === 1 ? details : [];
  const endToEnd = detail ? textAt(detail, 'Refs', 'EndToEndId') : '';
  const remittance = detail
    ? all(detail, 'RmtInf').flatMap((it) => all(it, 'Ustrd').map((one) => oneLine(one.text)))
    : [];
  return {
    fileLine: node.line,
    kind: 'entry',
    bookedOn: dayOf(required(node, 'BookgDt')),
    amountInCents: amount.cents === 0 ? 0 : amount.cents,
    // Banks write NOTPROVIDED where the payer gave none.
    reference:
      (endToEnd === 'NOTPROVIDED' ? '' : endToEnd) ||
      textAt(node, 'NtryRef') ||
      textAt(node, 'AcctSvcrRef'),
    description: oneLine([...remittance, textAt(node, 'AddtlNtryInf')].join(' ')),
  };
}

/** The bank's own totals, where it sends them. */
function checkSummary(node: Node, lines: readonly StatementLine[]): void {
  const summary = only(node, 'TxsSummry');
  if (!summary) return;
  const credits = lines.filter((it) => it.amountInCents > 0);
  const debits = lines.filter((it) => it.amountInCents < 0);
  const totals: readonly [string, readonly StatementLine[]][] = [
    ['TtlNtries', lines],
    ['TtlCdtNtries', credits],
    ['TtlDbtNtries', debits],
  ];
  for (const [name, counted] of totals) {
    const total = only(summary, name);
    if (!total) continue;
    const count = textAt(total, 'NbOfNtries');
    if (count !== '' && readCents(count, total.line, 'NbOfNtries') !== counted.length) {
      throw new BadFile(
        total.line,
        `${name} counts ${shown(count)} entries, but there are ${counted.length}.`,
      );
    }
    const sum = textAt(total, 'Sum');
    const found = counted.reduce((total, it) => total + Math.abs(it.amountInCents), 0);
    if (sum !== '' && readDecimal(sum, total.line, 'Sum') !== found) {
      throw new BadFile(
        total.line,
        `the entries of ${name} sum to ${found} cents, but it says ${shown(sum)}.`,
      );
    }
  }
}
