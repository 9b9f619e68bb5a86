import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { removeView, saveView, viewsQuery } from '../api/views.ts';
import { TextDialog } from '../parts/text-dialog.tsx';

/** Saves the list that is shown, with its filters, in the person's navigation, or removes it from there. */
export function ViewButton() {
  const client = useQueryClient();
  const address = useRouterState({
    select: ({ location }) => `${location.pathname}${location.searchStr}`,
  });
  const [naming, setNaming] = useState(false);
  const views = useQuery(viewsQuery).data;
  const saved = views?.find((view) => view.address === address);
  const done = (words: string) => {
    showToast(words);
    setNaming(false);
    void client.invalidateQueries(viewsQuery);
  };
  const saving = useMutation({
    mutationFn: (name: string) => saveView(name, address),
    onSuccess: ({ name }) => done(`${name} is in the navigation.`),
  });
  const removing = useMutation({
    mutationFn: removeView,
    onSuccess: () => done('The view is removed.'),
    onError: (error) => showToast(error.message),
  });
  return (
    <>
      <button
        type="button"
        className="svc-button svc-button--quiet svc-button--small"
        disabled={views === undefined}
        aria-busy={removing.isPending}
        onClick={() => (saved ? removing.isPending || removing.mutate(saved.id) : setNaming(true))}
      >
        {saved ? 'Remove view' : 'Save view'}
      </button>
      {naming ? (
        <TextDialog
          title="Save this view"
          act="Save"
          about="The list with its filters appears in your navigation, on each of your machines."
          label="Name"
          hint="Only you see it. Name the work, not a tenant."
          param="name"
          least={1}
          most={60}
          acting={saving}
          onClose={() => setNaming(false)}
        />
      ) : null}
    </>
  );
}
