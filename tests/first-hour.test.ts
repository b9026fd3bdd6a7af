// The first hour of a team: every step that the documents describe, one after the other, in a copy of the project. After
// each stage the project's own checks, builds and tests are green.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { copyProject } from './support/first-hour/project-copy.ts';
import { blockFor, blockUnder } from './support/first-hour/documented.ts';
import type { MessagesFile } from '../src/popup/i18n/messages-file.ts';

/** The tutorial, and the page that goes on from there. */
const tutorial = 'docs/feature.md';
const guide = 'docs/feature-how-to.md';
const places = 'docs/feature-pages.md';

const project = await copyProject();
afterAll(() => project.remove());

const { write, change } = project;
const ofGuide = (file: string, index?: number) => blockFor(guide, file, index);
/** Adds code after a part that has to be there. */
const addAfter = (file: string, part: string, code: string) =>
  change(file, (text) => text.replace(part, () => part + code));
/** Sets members of a JSON file that a document shows without the braces around them. */
const setMembers = (file: string, members: string) =>
  project.changeJson(file, (json) => ({ ...json, ...parseMembers(members) }));
const parseMembers = (members: string) => JSON.parse(`{${members}}`) as object;
/** The first import of each of the guide's own files. */
const importLine = "from './feature-props.ts';\n";
const localesOf = () => readdirSync(join(project.root, 'src/public/_locales'));

/** Uses an npm package and the browser's API, with names and expressions that the project refuses in its own code. */
const countCode = `import { newNote } from '../new-note.ts';

const setting = /(\\w+)\\s*=\\s*(\\w+)/;

export async function count(accessToken: string): Promise<void> {
  const { id } = newNote(setting.exec(accessToken)?.[1] ?? '');
  await chrome.action.setBadgeText({ text: id.slice(0, 2) });
}
`;

/** The steps of a team in stages, in the order of the documents, and the project's quick tests that are nearest to each stage. */
const stages: readonly (readonly [
  stage: string,
  steps: readonly (() => Promise<unknown>)[],
  tests: string,
])[] = [
  [
    'a name, an icon, identities, a colour, a provider, a scope and an API of its own',
    [
      async () => {
        await write(
          'acme.svg',
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><circle r="24"/></svg>\n',
        );
        await project.run(blockUnder(guide, 'Make it yours', 'sh'));
      },
      () =>
        change('src/popup/popup.css', (css) =>
          css.replace(/--brand: .*;/, blockUnder(guide, 'Make it yours', 'css').trim()),
        ),
      () => write('src/config.json', blockUnder('docs/configuration.md', 'Name your provider', 'json')),
      () =>
        project.changeJson('src/config.json', ({ providers, ...rest }) => {
          const own = [0, 1].map((index) =>
            parseMembers(blockUnder(tutorial, '3. Use your own API', 'json', index)),
          );
          const changed = (providers as object[]).map(
            (provider) => Object.assign({ ...provider }, ...own) as object,
          );
          return { ...rest, providers: changed };
        }),
    ],
    'tests/background/toolbar tests/config tests/popup tests/tools/redirect-uris.test.ts',
  ],
  [
    'the guide’s feature, which then asks for a scope and has a test of its own',
    [
      () => write('src/feature/api.ts', blockFor(tutorial, 'src/feature/api.ts')),
      () => write('src/feature/Feature.tsx', ofGuide('src/feature/Feature.tsx')),
      () => write('tests/feature/api.test.ts', ofGuide('tests/feature/api.test.ts')),
      () => write('tests/browser/own-feature.test.ts', ofGuide('tests/browser/own-feature.test.ts')),
    ],
    'tests/architecture.test.ts tests/feature',
  ],
  [
    'a half in the worker that uses the browser’s API and prints, a permission, an npm package, a folder, and code as a team writes it',
    [
      () => write('src/feature/worker.ts', ofGuide('src/feature/worker.ts')),
      () => setMembers('manifest.json', blockUnder(guide, 'Run code in the background', 'json')),
      () => write('src/feature/Feature.tsx', ofGuide('src/feature/Feature.tsx', 2)),
      () => project.addPackage('nanoid'),
      () =>
        write('src/feature/new-note.ts', blockFor('docs/feature-reference.md', 'src/feature/new-note.ts')),
      () => write('src/feature/worker/count.ts', countCode),
      () => addAfter('src/feature/worker.ts', importLine, "import { count } from './worker/count.ts';\n"),
      () => addAfter('src/feature/worker.ts', 'refresh().catch(console.error);', "\n    void count('a=b');"),
    ],
    'tests/architecture.test.ts tests/background/feature tests/config',
  ],
  [
    'the popup’s page in a tab and in a side panel, an options page, a text in every language, and a ninth language',
    [
      async () => {
        const under = "The popup's page in other places";
        for (const index of [0, 1])
          await setMembers('manifest.json', blockUnder(places, under, 'json', index));
        await write('src/feature/OpenPanel.tsx', blockFor(places, 'src/feature/OpenPanel.tsx'));
        await write('src/feature/feature.css', blockUnder(places, under, 'css'));
        const panel = "import './feature.css';\nimport { OpenPanel } from './OpenPanel.tsx';\n";
        await addAfter('src/feature/Feature.tsx', importLine, panel);
        await addAfter('src/feature/Feature.tsx', '<div>\n', '      <OpenPanel />\n');
      },
      async () => {
        await write('src/feature/options.html', blockUnder(places, 'A page of your own', 'html'));
        await write('src/feature/options.ts', blockFor(places, 'src/feature/options.ts'));
        await setMembers('manifest.json', blockUnder(places, 'A page of your own', 'json'));
      },
      async () => {
        const members = blockUnder(guide, 'Texts in every language', 'json');
        for (const locale of localesOf()) {
          const own =
            locale === 'en'
              ? members
              : members.replace(/"message": "([^"]*)"/, `"message": "$1 (${locale})"`);
          await setMembers(`src/public/_locales/${locale}/messages.json`, own);
        }
      },
      async () => {
        const english = JSON.parse(project.read('src/public/_locales/en/messages.json')) as MessagesFile;
        await write('src/public/_locales/it/messages.json', JSON.stringify(translate(english)));
        const line = blockUnder('docs/translating.md', 'Add a language', 'ts');
        await change('tests/public/locales.test.ts', (code) =>
          code.replace(/^const languages[^{]*\{\n/m, (start) => `${start}  ${line}`),
        );
      },
    ],
    'tests/architecture.test.ts tests/config tests/tools/gallery',
  ],
  [
    'the complete sample in place of the feature',
    project
      .list('docs/sample/feature')
      .map((file) => () => write(join('src/feature', basename(file)), project.read(file))),
    'tests/architecture.test.ts tests/background/feature tests/popup',
  ],
];

/** Runs a command in the project, which must succeed. */
async function expectGreen(commandLine: string): Promise<void> {
  await expect(project.run(commandLine)).resolves.toBeUndefined();
}

describe('after each stage of the documents the checks, the builds and the nearest tests are green:', () => {
  test.each(stages)('%s', async (_stage, steps, tests) => {
    for (const take of steps) await take();
    await expectGreen('npm run fix');
    await expectGreen('npm run check');
    await expectGreen('npm run build');
    await expectGreen(`npm run test:unit ${tests}`);
  });
});

test('after all of them the unit tests are green, and those of the languages', async () => {
  await expectGreen('npm run test:unit');
  await expectGreen('npx vitest run --project unit tests/public');
});

test('after all of them the linter of addons.mozilla.org finds nothing new', async () => {
  await expectGreen('npm run test:long -- --project unit tests/build.test.ts');
});

test('nothing that ships still bears the old name', () => {
  const files = project.list('dist').filter((file) => /\.(?:html|json|js|css)$/.test(file));
  expect(files.length).toBeGreaterThan(20);
  const texts = files.map((file) => readFileSync(join(project.root, file), 'utf8'));
  expect(files.filter((_, index) => texts[index]?.includes('Latchkey'))).toEqual([]);
});

/** A translation into a language that no one speaks: English with accents, of the same length. */
function translate(english: MessagesFile): MessagesFile {
  const toAccented = (message: string) =>
    message.replaceAll(/(?<!\$\w*)[aeiou](?!\w*\$)/gu, (letter) => `${letter}\u0300`.normalize('NFC'));
  // Without the descriptions and examples, which are in the English file alone.
  const messages = Object.entries(english).map(([key, { message, placeholders = {} }]) => {
    const contents = Object.entries(placeholders).map(([name, { content }]) => [name, { content }]);
    const own = contents.length > 0 && { placeholders: Object.fromEntries(contents) as typeof placeholders };
    return [key, { message: toAccented(message), ...own }] as const;
  });
  return {
    ...Object.fromEntries(messages),
    language: { message: 'it' },
    direction: { message: 'ltr' },
    extensionName: { message: english['extensionName']?.message ?? '' },
  };
}
