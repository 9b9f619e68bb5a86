import { visibleText } from '../components/visible-text.ts';

export function HeaderList({ title, headers }: { title: string; headers: Record<string, string> }) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <details className="headers">
      <summary>
        {title} <span className="headers__count">{entries.length}</span>
      </summary>
      <dl>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{visibleText(name)}</dt>
            <dd>{visibleText(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
