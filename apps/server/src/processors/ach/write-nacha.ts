import {
  addEntry,
  addTotals,
  blockLines,
  type Field,
  fillLine,
  type NachaBatch,
  type NachaEntry,
  type NachaFile,
  noTotals,
  recordLayouts,
  type Totals,
} from './nacha.ts';

/**
 * Writes a file, with the controls that its entries add up to. The same file gives the same text.
 * @throws Error for a value that does not fit into its field, which is a bug of the caller
 */
export function writeNacha(file: NachaFile): string {
  const { destination, createdOn, batches, ...names } = file;
  const lines = [
    record(recordLayouts.fileHeader, {
      ...names,
      recordType: 1,
      priority: 1,
      destination: destination.padStart(10),
      origin: names.origin.padStart(10),
      createdOn: shortDay(createdOn),
      recordSize: 94,
      blockingFactor: blockLines,
      format: 1,
    }),
  ];
  const total = noTotals();
  batches.forEach((batch, index) => {
    const sums = noTotals();
    for (const entry of batch.entries) addEntry(sums, entry);
    addTotals(total, sums);
    lines.push(...batchLines(batch, index + 1, sums));
  });
  const blocks = Math.ceil((lines.length + 1) / blockLines);
  lines.push(
    record(recordLayouts.fileControl, {
      recordType: 9,
      batches: batches.length,
      blocks,
      ...statedTotals(total),
    }),
  );
  while (lines.length % blockLines !== 0) lines.push(fillLine);
  return `${lines.join('\n')}\n`;
}

function batchLines(batch: NachaBatch, batchNumber: number, sums: Totals): string[] {
  const { entries, effectiveOn, ...header } = batch;
  const { serviceClass, companyId, originatingBank } = header;
  return [
    record(recordLayouts.batchHeader, {
      ...header,
      recordType: 5,
      effectiveOn: shortDay(effectiveOn),
      originatorStatus: '1',
      batchNumber,
    }),
    ...entries.flatMap(entryLines),
    record(recordLayouts.batchControl, {
      recordType: 8,
      serviceClass,
      companyId,
      originatingBank,
      batchNumber,
      ...statedTotals(sums),
    }),
  ];
}

function entryLines({ addenda, amountInCents, ...entry }: NachaEntry): string[] {
  const { trace } = entry;
  const detail = record(recordLayouts.entry, {
    ...entry,
    recordType: 6,
    amount: amountInCents,
    hasAddenda: addenda === null ? 0 : 1,
  });
  if (addenda === null) return [detail];
  const { kind, ...values } = addenda;
  const [layout, addendaType] =
    kind === 'return' ? [recordLayouts.returnAddenda, 99] : [recordLayouts.changeAddenda, 98];
  return [detail, record(layout, { ...values, recordType: 7, addendaType, trace })];
}

function statedTotals({ records, hash, debitInCents, creditInCents }: Totals) {
  return { records, hash, debit: debitInCents, credit: creditInCents };
}

type Values = Readonly<Record<string, string | number | undefined>>;

function record(fields: readonly Field[], values: Values): string {
  return fields.map((field) => format(field, values[field.name] ?? '')).join('');
}

function format({ name, width, type }: Field, value: string | number): string {
  const text = String(value);
  const isWritable = type === 'n' ? /^\d+$/.test(text) : /^[\x20-\x7e]*$/.test(text);
  if (!isWritable || text.length > width) {
    // The message leaves out the value, which may be an account number.
    throw new Error(`the field ${name} of a Nacha file does not fit into ${width} characters`);
  }
  return type === 'n' ? text.padStart(width, '0') : text.padEnd(width);
}

/** `2026-03-02` is `260302`. */
function shortDay(day: string): string {
  return day.slice(2).replaceAll('-', '');
}
