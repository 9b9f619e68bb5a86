import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CommandInfo, commandsQuery } from '../api/commands.ts';
import { subjectOf, titleOf } from './command-words.ts';
import { openCommand } from './open-command.ts';
import './actions.css';

/** Every command that the person's role allows, by what it is about. */
export function ActionsPage() {
  const commands = useQuery(commandsQuery);
  const [typed, setTyped] = useState('');
  const words = typed.trim().toLowerCase();
  const shown = (commands.data ?? []).filter((command) =>
    `${titleOf(command)} ${command.name} ${command.summary}`.toLowerCase().includes(words),
  );
  const subjects = [...new Set(shown.map(subjectOf))];
  return (
    <div className="page">
      <PageHeader title="Actions and reports">
        <p className="page-header__lead">
          Everything that your role may do. The same verbs work on the command line as svc-admin.
        </p>
      </PageHeader>
      <div className="filters">
        <div className="search">
          <Icon name="search" />
          <input
            className="svc-field__input svc-field__input--small"
            type="search"
            data-search
            aria-label="Filter actions and reports"
            placeholder="Filter"
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          <kbd className="key">/</kbd>
        </div>
      </div>
      <LoadState
        query={commands}
        loading="Loading the actions"
        rows={8}
        failed="The actions could not be loaded"
      />
      {commands.data && shown.length === 0 ? (
        <Empty icon="search" title="No action has these words">
          <p>Try the thing that it is about, such as payout, mail or books.</p>
        </Empty>
      ) : null}
      {subjects.map((subject) => (
        <section key={subject} className="actions" aria-labelledby={`actions-${subject}`}>
          <h2 id={`actions-${subject}`} className="section-title">
            {subject}
          </h2>
          <ul className="rows">
            {shown
              .filter((command) => subjectOf(command) === subject)
              .map((command) => (
                <li key={command.name}>
                  <ActionRow command={command} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function ActionRow({ command }: { command: CommandInfo }) {
  return (
    <button
      type="button"
      className="row action-row"
      data-row
      onClick={() => openCommand({ name: command.name, input: {} })}
    >
      <span className="action-row__title">{titleOf(command)}</span>
      <span className="action-row__about">{command.summary.replaceAll('--', '')}</span>
      <span className="action-row__kind">{kindWords(command)}</span>
    </button>
  );
}

function kindWords({ effect, money }: CommandInfo): string {
  if (effect === 'report') return 'Report';
  return money ? 'Moves money' : 'Changes something';
}
