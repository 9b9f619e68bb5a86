import { useState } from 'react';
import { ChipCross } from '../messages/facet-menu.tsx';
import { closeFloating, Floating } from '../parts/floating.tsx';
import { say } from '../parts/toast.tsx';
import { useSession } from '../session/session-gate.tsx';
import { visibleText } from '../text/visible-text.ts';
import { type Preset, readPresets, removePreset, savePreset } from './presets.ts';

/** Saved bodies as chips: a click fills the form, the cross removes; and a way to save this one. */
export function PresetBar(props: {
  present: { event_type: string; text: string } | null;
  onChoose: (preset: Preset) => void;
}) {
  const { pms, environment } = useSession();
  const owner = `${pms}:${environment}`;
  const [presets, setPresets] = useState(() => readPresets(owner));
  const { present } = props;
  const save = (name: string) => {
    if (present === null) return;
    const kept = savePreset(owner, { name, ...present });
    setPresets(readPresets(owner));
    say(kept ? `Saved in this browser as ${name}.` : 'This browser keeps nothing for this page.');
  };
  const remove = (name: string) => {
    removePreset(owner, name);
    setPresets(readPresets(owner));
  };
  return (
    <div className="presets">
      {presets.map((preset) => (
        <span className="chip" data-set="true" key={preset.name}>
          <button
            type="button"
            className="chip__words"
            title={preset.event_type}
            onClick={() => props.onChoose(preset)}
          >
            {visibleText(preset.name)}
          </button>
          <ChipCross
            label={visibleText(preset.name)}
            what="Remove preset"
            shown
            onRemove={() => remove(preset.name)}
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
            panelClassName="time-facet"
            onOpen={(panel) => panel.querySelector('input')?.focus()}
          >
            {() => <NameForm onName={save} />}
          </Floating>
        </span>
      )}
    </div>
  );
}

/** Not a form: it floats inside of one. */
function NameForm({ onName }: { onName: (name: string) => void }) {
  const [name, setName] = useState('');
  const save = (from: Element) => {
    if (name.trim() === '') return;
    closeFloating(from);
    onName(name.trim());
  };
  return (
    <div className="presets__form">
      <label>
        Name
        <input
          className="svc-field__input svc-field__input--small"
          maxLength={60}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
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
        disabled={name.trim() === ''}
        onClick={(event) => save(event.currentTarget)}
      >
        Save
      </button>
    </div>
  );
}
