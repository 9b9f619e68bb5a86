import { CodeField } from '@svc/ui/console/parts/field.tsx';
import { checkChannels } from './read-channels.ts';

/** A field for a comma-separated list of channels, validated while the user types. */
export function ChannelsField(props: {
  value: string;
  hint: string;
  error: string | null;
  onChange: (value: string) => void;
}) {
  return (
    <CodeField
      {...props}
      label="Channels"
      optional
      placeholder="building-7, accounting"
      error={checkChannels(props.value) ?? props.error}
    />
  );
}
