export type {
  CloseReason,
  ErrorEventCode,
  ProductVariant,
  Step,
  SvcDiagnosis,
  SvcEvent,
  SvcEventMap,
  SvcEventType,
  SvcProblem,
  Theme,
  WidgetLayout,
} from '@svc/contract/frame';
export { showSettingsProblem } from './diagnostics/show-settings-problem.ts';
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
