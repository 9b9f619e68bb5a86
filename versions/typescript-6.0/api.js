// The compiler API. TypeScript 7, the compiler of this repository, does not have one.
export { default } from 'typescript';
