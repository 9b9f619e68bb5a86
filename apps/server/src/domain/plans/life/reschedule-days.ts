import { terms } from '../../partners/terms.ts';
import { addDays, addMonth, daysBetween } from '../../tenants/calendar.ts';
import { isBankingDay } from '../offer/banking-days.ts';
import { isOpen, type LivePart, type LivePlan } from './live-plan.ts';

/** The days to which an unpaid part may move: banking days, before the next cycle, 2 apart. */
export function rescheduleDays(plan: LivePlan, part: LivePart, today: string): string[] {
  if (!isOpen(part) || (plan.state !== 'active' && plan.state !== 'past_due')) return [];
  const others = plan.parts.filter((it) => it.id !== part.id && it.state !== 'canceled');
  const end = addMonth(plan.rentCycleDate);
  const days: string[] = [];
  for (let day = addDays(today, 1); day < end; day = addDays(day, 1)) {
    const near = others.some((it) => Math.abs(daysBetween(it.dueDate, day)) < terms.daysApart);
    if (day !== part.dueDate && !near && isBankingDay(day)) days.push(day);
  }
  return days;
}
