import { isBankingDay } from '../tenants/banking-days.ts';
import { addDays, addMonth } from '../tenants/calendar.ts';
import { isInFlight, isOpen, type LivePart, type LivePlan } from './live-plan.ts';

/** Lists the days to which a part may move: banking days before the next cycle, as far apart as the terms ask. */
export function rescheduleDays(plan: LivePlan, part: LivePart, today: string): string[] {
  if (!isOpen(part) || isInFlight(part)) return [];
  if (plan.state !== 'active' && plan.state !== 'past_due') return [];
  const { daysApart } = plan.terms;
  const taken = plan.parts
    .filter((it) => it.id !== part.id && it.state !== 'canceled')
    .flatMap((it) => daysNear(it.dueDate, daysApart));
  const end = addMonth(plan.rentCycleDate);
  const days: string[] = [];
  for (let day = addDays(today, 1); day < end; day = addDays(day, 1)) {
    if (day !== part.dueDate && !taken.includes(day) && isBankingDay(day)) days.push(day);
  }
  return days;
}

function daysNear(date: string, daysApart: number): string[] {
  const width = 2 * daysApart - 1;
  return Array.from({ length: width }, (_, index) => addDays(date, index + 1 - daysApart));
}
