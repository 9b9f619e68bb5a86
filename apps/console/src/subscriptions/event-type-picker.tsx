import { Problem } from '@svc/ui/console/parts/page-states.tsx';
import { Described } from '@svc/ui/console/parts/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type CatalogEntry, eventTypesQuery, groupByCategory } from '../api/event-types.ts';
import { isChosen, toggleGroup, toggleType, unknownTypes } from './select-types.ts';
import './event-type-picker.css';

/** Selects all event types or some of them, grouped and searchable. */
export function EventTypePicker(props: {
  chosen: string[] | null;
  onChange: (chosen: string[] | null) => void;
  error: string | null;
  /** The label of the option that selects all types. */
  allWords?: string;
}) {
  const { chosen, onChange, error, allWords = 'All events, including types added later' } = props;
  const id = useId();
  return (
    <fieldset className="svc-field types" aria-describedby={`${id}-error`}>
      <legend className="svc-field__label">Events</legend>
      <div className="choices">
        <label>
          <input
            type="radio"
            name={`${id}-scope`}
            checked={chosen === null}
            onChange={() => onChange(null)}
          />
          {allWords}
        </label>
        <label>
          <input
            type="radio"
            name={`${id}-scope`}
            checked={chosen !== null}
            onChange={() => onChange(chosen ?? [])}
          />
          Selected events
        </label>
      </div>
      {chosen === null ? null : <Choice chosen={chosen} onChange={onChange} />}
      <span className="svc-field__error" id={`${id}-error`}>
        {error}
      </span>
    </fieldset>
  );
}

function Choice({ chosen, onChange }: { chosen: string[]; onChange: (chosen: string[]) => void }) {
  const types = useQuery(eventTypesQuery);
  const [search, setSearch] = useState('');
  if (types.isError) {
    return (
      <Problem
        what="The event types could not be loaded"
        error={types.error}
        retry={() => types.refetch()}
      />
    );
  }
  const all = types.data ?? [];
  const words = search.trim().toLowerCase();
  const found = all.filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(words),
  );
  const count = all.filter(({ name }) => isChosen(name, chosen)).length;
  const unknown = types.data ? unknownTypes(chosen, types.data) : [];
  return (
    <div className="types__box">
      <div className="types__search">
        <input
          className="svc-field__input svc-field__input--small"
          type="search"
          aria-label="Search event types"
          placeholder="Search event types"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <span role="status">
          {count} of {all.length} chosen
        </span>
      </div>
      <div className="types__groups">
        {unknown.map((name) => (
          <label key={name} className="types__type">
            <input
              type="checkbox"
              checked
              onChange={() => onChange(chosen.filter((each) => each !== name))}
            />
            <span>
              <code>{name}</code>{' '}
              <span className="types__words">
                Not an event type, so it never matches. Clear it to save.
              </span>
            </span>
          </label>
        ))}
        {found.length === 0 ? <p className="types__none">No type matches “{search}”.</p> : null}
        {[...groupByCategory(found)].map(([group, members]) => (
          <Group
            key={group}
            group={group}
            members={members}
            whole={all.filter((type) => type.group === group).map(({ name }) => name)}
            chosen={chosen}
            onToggle={(type) =>
              onChange(
                toggleType(
                  type,
                  chosen,
                  all.map(({ name }) => name),
                ),
              )
            }
            onToggleAll={(names) => onChange(toggleGroup(names, chosen))}
          />
        ))}
      </div>
    </div>
  );
}

function Group(props: {
  group: string;
  members: CatalogEntry[];
  whole: string[];
  chosen: string[];
  onToggle: (type: string) => void;
  onToggleAll: (names: string[]) => void;
}) {
  const { group, members, whole, chosen, onToggle, onToggleAll } = props;
  const ticked = whole.filter((name) => isChosen(name, chosen)).length;
  const some = ticked > 0 && ticked < whole.length;
  return (
    <fieldset className="types__group">
      <legend className="svc-visually-hidden">{group}</legend>
      <label className="types__head">
        <input
          type="checkbox"
          checked={ticked === whole.length}
          ref={(box) => {
            if (box) box.indeterminate = some;
          }}
          onChange={() => onToggleAll(whole)}
        />
        {group}
      </label>
      {members.map(({ name, description }) => (
        <label key={name} className="types__type">
          <input type="checkbox" checked={isChosen(name, chosen)} onChange={() => onToggle(name)} />
          <span>
            <code>{name}</code>{' '}
            <span className="types__words">
              <Described text={description} />
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
