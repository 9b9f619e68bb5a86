import type { Schema } from './check-schema.ts';

/** Generates a TypeScript interface from an event type's schema: "plan.created" becomes PlanCreatedData. */
export function writeTypeScript(eventType: string, description: string, schema: Schema): string {
  const name = eventType
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  const words = description.replaceAll('`', '').replaceAll('*/', '* /');
  return `/** ${words} */\nexport interface ${name}Data ${writeObject(schema, '')}\n`;
}

function writeObject(schema: Schema, indent: string): string {
  const required = new Set(schema.required);
  const inner = `${indent}  `;
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const note = noteOn(field);
    const comment = note === null ? '' : `${inner}/** ${note} */\n`;
    return `${comment}${inner}${quoted(name)}${required.has(name) ? '' : '?'}: ${writeValue(field, inner)};\n`;
  });
  return fields.length === 0 ? 'Record<string, unknown>' : `{\n${fields.join('')}${indent}}`;
}

function writeValue(schema: Schema, indent: string): string {
  if (schema.anyOf) return unique(schema.anyOf.map((choice) => writeValue(choice, indent)));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return unique(schema.enum.map((value) => JSON.stringify(value)));
  return unique([schema.type ?? 'unknown'].flat().map((type) => writePlain(type, schema, indent)));
}

function writePlain(type: string, schema: Schema, indent: string): string {
  if (type === 'array') {
    const item = schema.items ? writeValue(schema.items, indent) : 'unknown';
    return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }
  if (type === 'object') return writeObject(schema, indent);
  return type === 'integer' ? 'number' : type;
}

function unique(parts: string[]): string {
  return [...new Set(parts)].join(' | ');
}

function noteOn(schema: Schema): string | null {
  const { format, description } = schema.anyOf?.find((choice) => choice.format) ?? schema;
  if (description ?? schema.description) return description ?? schema.description ?? null;
  if (format === 'date') return 'YYYY-MM-DD';
  return format === 'date-time' ? 'RFC 3339, UTC' : null;
}

function quoted(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
