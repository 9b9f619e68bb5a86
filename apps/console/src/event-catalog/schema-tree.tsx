import { describeType, type Schema } from './check-schema.ts';
import './schema-tree.css';

/** A JSON Schema as a readable list of fields: name, type, required or optional, and allowed values. */
export function SchemaTree({ schema, label }: { schema: Schema; label: string }) {
  return (
    <section className="schema" aria-label={label}>
      <Fields schema={schema} />
    </section>
  );
}

function Fields({ schema }: { schema: Schema }) {
  const required = new Set(schema.required);
  return (
    <ul className="schema__fields">
      {Object.entries(schema.properties ?? {}).map(([name, field]) => (
        <li key={name} className="schema__field">
          <div className="schema__line">
            <code className="schema__name">{name}</code>
            <span className="schema__type">{describeType(field)}</span>
            <span className="schema__need">{required.has(name) ? 'required' : 'optional'}</span>
          </div>
          {field.description ? <p className="schema__words">{field.description}</p> : null}
          <Values of={field} />
          <Nested field={field} />
        </li>
      ))}
    </ul>
  );
}

function Values({ of }: { of: Schema }) {
  const values = of.enum ?? of.anyOf?.flatMap((choice) => choice.enum ?? []) ?? [];
  if (values.length === 0) return null;
  return (
    <p className="schema__values">
      {values.map((value) => (
        <code key={String(value)}>{String(value)}</code>
      ))}
    </p>
  );
}

function Nested({ field }: { field: Schema }) {
  const candidates = [field, field.items, ...(field.anyOf ?? [])];
  const inner = candidates.find((candidate) => candidate?.properties);
  return inner ? <Fields schema={inner} /> : null;
}
