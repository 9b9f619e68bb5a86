import { useHasClicked } from '../../settings.ts';
import { useWords } from '../../words/use-words.ts';

/** The demo's only mark on the portal: it points at the widget until the visitor has clicked it once. */
export function FirstHint() {
  const { translate } = useWords();
  const [hasClicked] = useHasClicked();
  if (hasClicked === 'yes') return null;
  return (
    <p className="hint">
      <strong>{translate('Start here.')}</strong>{' '}
      {translate('Press the button as the resident would. No real money moves.')}
    </p>
  );
}
