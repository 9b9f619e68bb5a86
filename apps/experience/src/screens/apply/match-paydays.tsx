import type { ExperienceState } from '@svc/contract';
import { type Flow, useFlow } from '../../flow/flow.ts';
import { choosePaydays, chosenQuote, dropPaydays } from '../../flow/submit.ts';
import { listOfDays, longDate } from '../../format/dates.ts';
import {
  answersOf,
  dayValues,
  type Frequency,
  frequencies,
  type PaydayAnswers,
  paydaysOf,
  weekdayName,
} from '../../format/paydays.ts';
import { Disclosure } from '../../parts/disclosure.tsx';
import { Select } from '../../parts/select.tsx';
import { capital } from '../../words/capital.ts';
import type { Words } from '../../words/en.ts';
import { productOf } from '../../words/names.ts';
import { type Language, useWords } from '../../words/use-words.ts';

/** Puts the payments on the days on which the tenant gets paid. A complete answer applies at once. */
export function MatchPaydays({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { quotes, drafts } = flow.store;
  const language = useWords();
  const copy = language.words.paydays;
  const stored = quotes.value.kind === 'ready' ? quotes.value.paydays : null;
  const answers = drafts.value.paydays ?? answersOf(stored, state.today);
  const isMatched = paydaysOf(answers) !== null;
  // The footer's button returns to the standard dates.
  const isTooLate = quotes.value.kind === 'ready' && quotes.value.items.length === 0;

  function change(next: PaydayAnswers): void {
    drafts.value = { ...drafts.value, paydays: next };
    const paydays = paydaysOf(next);
    // An incomplete answer after a complete one ends the earlier choice.
    if (paydays !== null || isMatched) void choosePaydays(flow, paydays);
  }

  return (
    <Disclosure title={isMatched ? copy.matched : copy.title}>
      <Select
        name="frequency"
        label={copy.often}
        value={answers.frequency}
        placeholder={copy.choose}
        options={frequencies.map((it) => ({ value: it, text: copy.frequencies[it] }))}
        onValue={(value) => change({ frequency: value as Frequency | '', days: [] })}
      />
      {answers.frequency !== '' && (
        <Days
          frequency={answers.frequency}
          days={answers.days}
          today={state.today}
          onDays={(days) => change({ ...answers, days })}
        />
      )}
      {/* Announced when it changes. Its lines are reserved, so that nothing shifts when the quotes load. */}
      <p class={`paydays${isMatched && !isTooLate ? ' paydays--matched' : ''}`} role="status">
        {isMatched ? outcomeOf(flow, state, language) : copy.businessDays}
      </p>
      {isMatched && !isTooLate && (
        <button
          type="button"
          class="svc-button svc-button--secondary"
          onClick={() => dropPaydays(flow)}
        >
          {copy.standard}
        </button>
      )}
    </Disclosure>
  );
}

interface DaysProps {
  frequency: Frequency;
  days: readonly string[];
  today: string;
  onDays: (days: string[]) => void;
}

function Days({ frequency, days, today, onDays }: DaysProps) {
  const language = useWords();
  const copy = language.words.paydays;
  const labels = copy.dayLabels[frequency];
  return (
    <>
      {labels.map((label, index) => (
        <Select
          key={label}
          name={`payday_${index + 1}`}
          label={label}
          value={days[index] ?? ''}
          placeholder={copy.choose}
          // The two days of a month differ.
          options={dayValues(frequency, today)
            .filter((value) => value === days[index] || !days.includes(value))
            .map((value) => ({ value, text: dayInWords(value, { frequency, today, language }) }))}
          onValue={(value) =>
            onDays(labels.map((_, at) => (at === index ? value : (days[at] ?? ''))))
          }
        />
      ))}
    </>
  );
}

function dayInWords(
  value: string,
  { frequency, today, language }: { frequency: Frequency; today: string; language: Language },
): string {
  const { words, locale } = language;
  switch (frequency) {
    case 'weekly':
      return capital(weekdayName(Number(value), locale));
    case 'biweekly':
      return capital(longDate(value, locale, today));
    case 'semimonthly':
    case 'monthly':
      return value === '31' ? words.paydays.lastDay : words.paydays.dayOfMonth(Number(value));
  }
}

/** Returns the dates after today, and why some numbers of payments are not offered or how a payday moves. */
function outcomeOf(flow: Flow, state: ExperienceState, { words, locale }: Language): string {
  const { businessDays, dates } = words.paydays;
  const quote = chosenQuote(flow);
  const why = whyNotOffered(flow, state, words) || businessDays;
  if (quote === null) return why;
  const days = quote.installments.slice(1).map((it) => it.due_date);
  return `${dates(listOfDays(days, locale))} ${why}`;
}

/** Returns why some numbers of payments are not offered. Empty if all are. */
function whyNotOffered({ store }: Flow, state: ExperienceState, words: Words): string {
  const quotes = store.quotes.value;
  if (quotes.kind !== 'ready' || quotes.not_offered.length === 0) return '';
  const { none, upTo, limits, aboveLimit } = words.paydays;
  if (quotes.not_offered.some((it) => it.code === 'cost_above_limit')) return aboveLimit;
  const most = quotes.items.at(-1)?.installment_count;
  const { next } = productOf(state, words);
  return `${most === undefined ? none : upTo(most)} ${limits(state.terms.span_days, next)}`;
}
