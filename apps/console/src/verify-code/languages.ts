import { csharp } from './csharp.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import type { Language } from './language.ts';
import { node } from './node.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';

export const languages: readonly Language[] = [node, python, ruby, php, go, java, csharp, rust];
