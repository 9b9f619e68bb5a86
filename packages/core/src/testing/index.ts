// Not by ../index.ts: a test that puts this in its place would get this again.
export { Environment } from '../environment.ts';
export { SvcError } from '../svc-error.ts';
export { type Contrast, contrastOf } from './contrast-of.ts';
export { type ExperiencePageOptions, experiencePage } from './experience-page.ts';
export { type FakeExperience, fakeExperiences, forgetFakes, Svc } from './fake-svc.ts';
