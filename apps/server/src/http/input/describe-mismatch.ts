import {
  chargebackCodes,
  closestNames,
  confirmationCodes,
  type EventType,
  either,
  eventCatalog,
  failureCodes,
} from '@svc/contract';
import { describeUnknown, fieldErrors, nameOf } from './field-errors.ts';
import { ignoredFields, knownFields } from './known-fields.ts';

/** A difference between a partner's `data` and the schema of its event type. The event is sent anyway. */
export interface Mismatch {
  readonly code: 'schema_mismatch';
  readonly param: string;
  readonly message: string;
}

/** Data may be large, and the first differences show the mistake. */
const mostMismatches = 20;

const knownCodes = Object.keys({ ...failureCodes, ...chargebackCodes, ...confirmationCodes });

/** Describes how a partner's `data` differs from the schema of its event type, in words. */
export function describeMismatches(type: EventType, data: Record<string, unknown>): Mismatch[] {
  const schema = eventCatalog[type].data;
  const parsed = schema.safeParse(data, { reportInput: true });
  const wrong = parsed.success ? [] : fieldErrors(parsed.error.issues, schema);
  const ignored = ignoredFields(schema, data)
    .slice(0, mostMismatches)
    .map((path) => ({
      param: nameOf(path),
      message: describeUnknown(String(path.at(-1)), knownFields(schema, path.slice(0, -1)), type),
    }));
  return [...ignored, ...wrong, ...unknownCode(data)].slice(0, mostMismatches).map((it) => {
    const message = `Sent as given, but data.${it.param} ${it.message}`;
    return {
      code: 'schema_mismatch',
      param: `data.${it.param}`,
      message: message.endsWith('?') ? message : `${message}.`,
    };
  });
}

/** Describes an unknown code. The schema accepts it, because a bank may send one that we do not know yet. */
function unknownCode({ return_code: code }: Record<string, unknown>) {
  if (typeof code !== 'string' || knownCodes.includes(code)) return [];
  const closest = closestNames(code, knownCodes);
  const suggestion = closest.length > 0 ? `. Did you mean ${either(closest)}?` : '';
  return [{ param: 'return_code', message: `is not a known return or decline code${suggestion}` }];
}
