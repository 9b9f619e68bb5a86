import { ApiError } from '@svc/ui/console/api/client.ts';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { previewTerms, type TermsPage, termsQuery, termsVersionQuery } from '../api/terms.ts';
import { useMayRun } from '../commands/command-button.tsx';
import { centsOf } from '../commands/command-words.ts';
import { ApplyDialog } from './apply-dialog.tsx';
import { Differences } from './differences.tsx';
import { Mistakes } from './mistakes.tsx';
import { OffersPreview } from './offers-preview.tsx';
import { StatesPreview } from './states-preview.tsx';
import { type DraftForm, draftOf, firstDayToCome, TermsForm } from './terms-form.tsx';
import './terms.css';

const route = getRouteApi('/terms/new');

/** Writes a new version of the terms, compares it with what is in force, and applies it. */
export function NewTermsPage() {
  const { from } = route.useSearch();
  const builtIn = useQuery(termsQuery).data?.find((it) => it.effective_from === null)?.version;
  const version = from ?? builtIn;
  const start = useQuery({ ...termsVersionQuery(version ?? ''), enabled: version !== undefined });
  return (
    <div className="page">
      <Link to="/terms" className="page__back svc-link">
        <Icon name="back" /> Terms
      </Link>
      <PageHeader title="New version of the terms">
        <p className="page-header__lead">
          Edit the document, compare it with what is in force, and apply it from a day on.
        </p>
      </PageHeader>
      <LoadState
        query={start}
        loading="Loading the terms to start from"
        rows={6}
        failed="The terms to start from could not be loaded"
      />
      {start.data ? <Draft start={start.data} /> : null}
    </div>
  );
}

function Draft({ start }: { start: TermsPage }) {
  const [form, setForm] = useState<DraftForm>(() => ({
    terms: `${JSON.stringify(start.terms, null, 2)}\n`,
    pms: start.pms ?? '',
    state: start.state ?? '',
    effective: firstDayToCome(Date.now()),
    amount: '1500.00',
  }));
  const [isApplying, setApplying] = useState(false);
  const editor = useRef<HTMLTextAreaElement>(null);
  const mayApply = useMayRun('terms-apply');
  const previewing = useMutation({
    mutationFn: () => previewTerms(draftOf(form), centsOf(form.amount) ?? 0),
  });
  const { data: preview, error } = previewing;
  const change = (part: Partial<DraftForm>) => {
    // The comparison no longer shows what would be applied.
    previewing.reset();
    setForm((before) => ({ ...before, ...part }));
  };
  const isReady = form.terms.trim() !== '' && centsOf(form.amount) !== null;
  return (
    <div className="draft">
      <TermsForm
        form={form}
        editor={editor}
        error={error}
        isReady={isReady}
        isPending={previewing.isPending}
        onChange={change}
        onSubmit={() => previewing.mutate()}
      />
      <div className="draft__result" aria-live="polite">
        {error instanceof ApiError && error.fields.length > 0 ? (
          <Mistakes mistakes={error.fields} json={form.terms} editor={editor} />
        ) : null}
        {preview ? (
          <>
            <section className="terms-part" aria-labelledby="draft-changes">
              <h2 id="draft-changes" className="section-title">
                Compared with what is in force
              </h2>
              <Differences changes={preview.changes} />
            </section>
            <OffersPreview preview={preview} />
            <StatesPreview states={preview.states} />
            {mayApply ? (
              <button
                type="button"
                className="svc-button draft__apply"
                onClick={() => setApplying(true)}
              >
                Apply these terms…
              </button>
            ) : (
              <p className="terms-part__about">
                Your role may compare terms. An admin applies them.
              </p>
            )}
          </>
        ) : null}
        {preview || error ? null : (
          <p className="terms-part__about">
            Compare to see what changes, the offers for one balance now and then, and what each
            state would offer. Nothing is stored by comparing.
          </p>
        )}
      </div>
      <ApplyDialog
        open={isApplying}
        draft={draftOf(form)}
        changes={preview?.changes.length ?? 0}
        onClose={() => setApplying(false)}
      />
    </div>
  );
}
