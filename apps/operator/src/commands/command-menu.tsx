import { Menu, MenuItem } from '@svc/ui/console/parts/menu.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { commandsQuery } from '../api/commands.ts';
import { isDangerous, titleOf } from './command-words.ts';
import { type AskedCommand, openCommand } from './open-command.ts';

/** A menu of the commands that the role allows, below the given other items. Renders nothing when it has no item. */
export function CommandMenu(props: {
  face?: string;
  /** The accessible name, for a page on which several menus look the same. */
  label?: string;
  commands: readonly (AskedCommand & { readonly label?: string })[];
  children?: ReactNode;
}) {
  const { face = 'Actions', label, commands, children = null } = props;
  const allowed = useQuery(commandsQuery).data ?? [];
  const offered = commands.filter(({ name }) => allowed.some((it) => it.name === name));
  if (offered.length === 0 && children === null) return null;
  return (
    <Menu
      className="svc-button svc-button--secondary svc-button--small"
      name={face}
      {...(label !== undefined && { label })}
      face={face}
      align="end"
    >
      {children}
      {offered.map(({ label: words, ...command }) => (
        <MenuItem
          key={words ?? command.name}
          danger={isDangerous(command)}
          onChoose={() => openCommand(command)}
        >
          <span className="menu__words">{words ?? titleOf(command)}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}
