import { JsonEditor } from './json-editor.tsx';
import type { useExample } from './use-example.ts';

/** The editable example, the button that sends it, and the way back to the example. */
export function DataEditor(props: {
  example: ReturnType<typeof useExample>;
  submit: string;
  pending: boolean;
}) {
  const { example, submit, pending } = props;
  return (
    <>
      <JsonEditor
        label="data"
        value={example.text}
        onChange={example.setText}
        check={example.check}
      />
      <div className="testing__actions">
        <button
          type="submit"
          className="svc-button"
          aria-busy={pending}
          disabled={example.check.parsed === null}
        >
          {submit}
        </button>
        {example.changed ? (
          <button type="button" className="svc-button svc-button--quiet" onClick={example.reset}>
            Back to the example
          </button>
        ) : null}
      </div>
    </>
  );
}
