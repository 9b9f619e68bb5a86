// index
import {
  Appearance,
  AppearanceVariable,
  CloseReason,
  Environment,
  ErrorEventCode,
  ExperienceResult,
  ProductVariant,
  SettingIssue,
  Step,
  SvcDiagnosis,
  SvcError,
  SvcEvent,
  SvcEventArguments,
  SvcEventHandler,
  SvcEventMap,
  SvcEventType,
  SvcProblem,
  SvcSettings,
  Theme,
  WidgetLayout,
} from '@svc/core';

import { CSSProperties, ForwardRefExoticComponent, RefAttributes } from 'react';

declare const SvcWidget: ForwardRefExoticComponent<SvcWidgetProps & RefAttributes<SvcWidgetHandle>>;

interface SvcWidgetHandle {
  openExperienceAndSetToken(options: { token: string }): Promise<ExperienceResult>;
  diagnose(): SvcDiagnosis | undefined;
}

interface SvcWidgetProps extends Omit<SvcSettings, 'productVariant'> {
  product_variant?: SvcSettings['productVariant'];
  className?: string | undefined;
  style?: CSSProperties | undefined;
}

interface UseSvc {
  ref: {
    current: SvcWidgetHandle | null;
  };
  openExperienceAndSetToken(options: { token: string }): Promise<ExperienceResult>;
}

declare function openExperienceAndSetToken(options: { token: string }): Promise<ExperienceResult>;

declare function useSvc(): UseSvc;

export {
  Appearance,
  AppearanceVariable,
  CloseReason,
  Environment,
  ErrorEventCode,
  ExperienceResult,
  ProductVariant,
  SettingIssue,
  Step,
  SvcDiagnosis,
  SvcError,
  SvcEvent,
  SvcEventArguments,
  SvcEventHandler,
  SvcEventMap,
  SvcEventType,
  SvcProblem,
  SvcWidget,
  SvcWidgetHandle,
  SvcWidgetProps,
  Theme,
  UseSvc,
  WidgetLayout,
  openExperienceAndSetToken,
  useSvc,
};

// staff
import {
  Appearance,
  AppearanceVariable,
  Environment,
  PortalView,
  SettingIssue,
  StaffProblem,
  StaffViewSettings,
  SvcError,
} from '@svc/core/staff';

import { CSSProperties, ReactElement } from 'react';

declare function SvcSettlements(props: SvcStaffProps): ReactElement;

interface SvcStaffProps extends Omit<StaffViewSettings, 'view' | 'externalId'> {
  className?: string | undefined;
  style?: CSSProperties | undefined;
}

declare function SvcTenantPlan(props: SvcTenantPlanProps): ReactElement;

interface SvcTenantPlanProps extends SvcStaffProps {
  externalId: string;
}

declare function SvcWebhookPortal(props: SvcStaffProps): ReactElement;

export {
  Appearance,
  AppearanceVariable,
  Environment,
  PortalView,
  SettingIssue,
  StaffProblem,
  SvcError,
  SvcSettlements,
  SvcStaffProps,
  SvcTenantPlan,
  SvcTenantPlanProps,
  SvcWebhookPortal,
};
