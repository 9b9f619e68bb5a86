import { Icon } from './icons.tsx';

interface ActionRowProps {
  title: string;
  note: string;
  onPress: () => void;
}

/** An action as a row of a card. The whole row is the button. */
export function ActionRow({ title, note, onPress }: ActionRowProps) {
  return (
    <li class="row">
      <button type="button" class="row__button" onClick={onPress}>
        <span class="row__text">
          <span class="row__title">{title}</span> <span class="row__note">{note}</span>
        </span>
        <Icon name="next" />
      </button>
    </li>
  );
}
