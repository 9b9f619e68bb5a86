import { oneOf } from '@svc/db';

/** The classes of HTTP statuses; `none` without a response. The index is the first digit. */
export const statusClasses = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

export type StatusClass = (typeof statusClasses)[number];

export const statusClass = oneOf(...statusClasses);
