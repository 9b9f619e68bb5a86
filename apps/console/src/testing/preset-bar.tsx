import { RemoveChipButton } from '@svc/ui/console/filters/menu-filter.tsx';
import { ConfirmDialog } from '@svc/ui/console/parts/dialog.tsx';
import { closeFloating, Floating } from '@svc/ui/console/parts/floating.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  removeTestPreset,
  saveTestPreset,
  type TestPreset,
  testPresetsQuery,
} from '../api/test-presets.ts';

/** Saved test bodies as chips that fill the form, and a chip that saves the current body. */
export function PresetBar(props: {
  present: { event_type: string; text: string } | null;
  onChoose: (preset: TestPreset) => void;
}) {
  const { data: presets = [] } = useQuery(testPresetsQuery);
  const [asked, setAsked] = useState<{ preset: TestPreset; open: boolean } | null>(null);
  const saving = useSaving();
  const { present } = props;
  return (
    <div className="presets">
      {presets.map((preset) => (
        <span className="chip" data-set="true" key={preset.id}>
          <button
            type="button"
            className="chip__words"
            title={preset.event_type}
            onClick={() => props.onChoose(preset)}
          >
            {visibleText(preset.name)}
          </button>
          <RemoveChipButton
            label={visibleText(preset.name)}
            what="Remove preset"
            shown
            onRemove={() => setAsked({ preset, open: true })}
          />
        </span>
      ))}
      {present === null ? null : (
        <span className="chip">
          <Floating
            className="chip__words"
            face="Save as preset"
            name="Save as preset"
            popup="dialog"
            align="start"
            panelClassName="filter-panel"
            onOpen={(panel) => panel.querySelector('input')?.focus()}
          >
            {() => (
              <NameForm
                taken={presets.map(({ name }) => name)}
                onName={(name) =>
                  saving.mutate({ name, event_type: present.event_type, body: present.text })
                }
              />
            )}
          </Floating>
        </span>
      )}
      {asked ? (
        <RemoveDialog {...asked} onClose={() => setAsked({ ...asked, open: false })} />
      ) : null}
    </div>
  );
}

function useSaving() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: saveTestPreset,
    onSuccess: (saved) => {
      queryClient.setQueryData(testPresetsQuery.queryKey, (before = []) => [
        saved,
        ...before.filter(({ id }) => id !== saved.id),
      ]);
      showToast(`Saved ${visibleText(saved.name)} for everyone in this console.`);
    },
    onError: (error) => showToast(`The preset was not saved. ${error.message}`),
  });
}

function RemoveDialog(props: { preset: TestPreset; open: boolean; onClose: () => void }) {
  const { preset, open, onClose } = props;
  const queryClient = useQueryClient();
  const removing = useMutation({
    mutationFn: removeTestPreset,
    onSuccess: (_, gone) => {
      queryClient.setQueryData(testPresetsQuery.queryKey, (before = []) =>
        before.filter(({ id }) => id !== gone),
      );
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open={open}
      onClose={() => {
        removing.reset();
        onClose();
      }}
      title={`Remove the preset ${visibleText(preset.name)}?`}
      error={removing.error}
      act="Remove the preset"
      danger
      pending={removing.isPending}
      onAct={() => removing.mutate(preset.id)}
    >
      <p>Everyone who uses this console shares its presets. This removes it for all of them.</p>
    </ConfirmDialog>
  );
}

/** A div rather than a form, because it is nested inside the testing form. */
function NameForm(props: { taken: readonly string[]; onName: (name: string) => void }) {
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const save = (from: Element) => {
    if (name === '') return;
    closeFloating(from);
    props.onName(name);
  };
  return (
    <div className="presets__form">
      <label>
        Name
        <input
          className="svc-field__input svc-field__input--small"
          maxLength={60}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            save(event.currentTarget);
          }}
        />
      </label>
      <button
        type="button"
        className="svc-button svc-button--small"
        disabled={name === ''}
        onClick={(event) => save(event.currentTarget)}
      >
        {props.taken.includes(name) ? 'Replace' : 'Save'}
      </button>
    </div>
  );
}
