export type {
  CloseReason,
  ErrorEventCode,
  ProductVariant,
  Step,
  SvcEvent,
  SvcEventMap,
  SvcEventType,
  Theme,
  WidgetLayout,
} from '@svc/contract/frame';
export { Environment } from './environment.ts';
export type { ExperienceResult } from './instance.ts';
export type { SvcLocale } from './locales/locale.ts';
export type {
  Appearance,
  AppearanceVariable,
  SvcEventArguments,
  SvcEventHandler,
  SvcSettings,
} from './settings.ts';
export { Svc, type SvcInstance } from './svc.ts';
export { type SettingIssue, SvcError } from './svc-error.ts';
