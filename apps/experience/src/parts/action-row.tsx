import { Icon } from './icons.tsx';

interface ActionRowProps {
  title: string;
  note: string;
  icon?: 'next' | 'download';
  onPress: () => void;
}

/** An action as a row of a card. The whole row is the button. */
export function ActionRow({ title, note, icon = 'next', onPress }: ActionRowProps) {
  return (
    <li class="action-row">
      <button type="button" class="action-row__button" onClick={onPress}>
        <span class="action-row__text">
          <span class="action-row__title">{title}</span>{' '}
          <span class="action-row__note">{note}</span>
        </span>
        <Icon name={icon} />
      </button>
    </li>
  );
}
