#!/usr/bin/env node
// The command `latchkey` of the package latchkey-tools: `latchkey dev` does in an extension what `npm run dev` does here.

import { resolve } from 'node:path';
import { ending } from './build/read-text.ts';

const commands = {
  start: () => import('./start.ts'),
  dev: () => import('./dev.ts'),
  build: () => import('./build.ts'),
  doctor: () => import('./doctor.ts'),
  package: () => import('./package.ts'),
  'add-provider': () => import('./add-provider.ts'),
  files: () => import('./files.ts'),
};

const isCommand = (name: string): name is keyof typeof commands => Object.hasOwn(commands, name);

const [node = '', , name = '', ...args] = process.argv;
if (isCommand(name)) {
  // Each command is a file that Node can also start by itself.
  process.argv = [node, resolve(import.meta.dirname, `${name}${ending}`), ...args];
  await commands[name]();
} else {
  const isHelp = ['--help', '-h'].includes(name);
  const print = isHelp ? console.log : console.error;
  print(`latchkey <command> --help describes one of ${Object.keys(commands).join(', ')}.`);
  process.exitCode = isHelp ? 0 : 2;
}
