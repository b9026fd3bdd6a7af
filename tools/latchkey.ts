#!/usr/bin/env node
// The command `latchkey` of the package latchkey-tools: `latchkey dev` does in an extension what `npm run dev` does here.

import { relative, resolve } from 'node:path';
import { ending, root } from './build/read-text.ts';

const commands = {
  start: () => import('./start.ts'),
  dev: () => import('./dev.ts'),
  build: () => import('./build.ts'),
  doctor: () => import('./doctor.ts'),
  package: () => import('./package.ts'),
  'add-provider': () => import('./add-provider.ts'),
  files: () => import('./files.ts'),
};

// The commands name documents of a checkout, which this package has too.
const documents = relative(root, resolve(import.meta.dirname, '../docs')).replaceAll('\\', '/');
for (const level of ['log', 'error'] as const) {
  const print = console[level];
  console[level] = (...texts: readonly unknown[]) =>
    print(...texts.map((text) => String(text).replaceAll(/(?<![\w/])docs(?=\/[\w/-]+\.md)/g, documents)));
}

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
