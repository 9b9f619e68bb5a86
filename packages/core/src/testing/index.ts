export { Environment, SvcError } from '../index.ts';
export { type ExperiencePageOptions, experiencePage } from './experience-page.ts';
export { type FakeExperience, fakeExperiences, forgetFakes, Svc } from './fake-svc.ts';
