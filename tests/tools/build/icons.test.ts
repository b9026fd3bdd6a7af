import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatPath } from '../../../src/config/config-error.ts';
import { readConfig } from '../../../src/config/config.ts';
import { applyProfiles } from '../../../src/config/profiles.ts';
import { findIconMistakes, toIconsModule } from '../../../tools/build/icons.ts';
import { parseConfig } from '../../../tools/build/parse-config.ts';
import { toConfigModule } from '../../../tools/build/plugins.ts';
import { profiles } from '../../../tools/build/profiles.ts';
import { makeFolder } from '../../support/folder.ts';
import { acme } from '../../support/samples.ts';

const root = makeFolder();

const start = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">';
const svg = `${start}<defs><path id="a" d="M1 1h9v9z"/></defs><use href="#a" fill="url(#b)"/><use xlink:href = " #a" fill="url( #b )"/></svg>`;
const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');

/** The mistakes in a configuration whose provider has a file with this content as its icon. */
function findMistakes(content: string | Uint8Array, icon = 'acme.svg'): readonly string[] {
  writeFileSync(join(root, icon), content);
  return find(icon);
}

function find(icon: unknown): readonly string[] {
  return findIconMistakes({ providers: [{ ...acme, icon }] }, root).map(
    ({ path, text }) => `${formatPath(path)}: ${text}`,
  );
}

const place = 'providers[0].icon: "acme.svg": ';

describe('an icon', () => {
  test('is an SVG with references within itself, or a PNG', () => {
    expect(findMistakes(svg)).toEqual([]);
    expect(findMistakes(`<?xml version="1.0"?>\n<!-- A mark -->\n${svg}`)).toEqual([]);
    expect(findMistakes(png, 'acme.png')).toEqual([]);
  });

  test.each([
    ['a script', '<script>1</script>', 'found a script in it; remove the "script" element'],
    ['a script with a prefix', '<s:script>1</s:script>', 'found a script in it; remove the "script" element'],
    [
      'an event handler',
      '<g\nonload = "1"/>',
      'found an event handler in it; remove the attributes that begin with "on"',
    ],
    ['HTML', '<foreignObject/>', 'found HTML in it; remove the "foreignObject" element'],
    ...[
      '<use href="https://acme.example/a.svg#a"/>',
      "<use xlink:href='other.svg'/>",
      '<image href="data:image/png;base64,AA"/>',
      '<g fill="url(https://acme.example/a)"/>',
      '<g fill="url( \'//acme.example/a\')"/>',
      '<use href="&#104;ttps://acme.example/"/>',
      '<use href = " https://acme.example/"/>',
      '<style>@import "a.css";</style>',
    ].map((part) => [
      `the reference in ${part}`,
      part,
      'found a reference to something else in it; expected references that begin with "#" alone',
    ]),
  ])('is refused with %s', (_name, part, problem) => {
    expect(findMistakes(`${start}${part}</svg>`)).toEqual([place + problem]);
  });

  test('is refused with a document type, which can define other words for all of these', () => {
    expect(findMistakes(`<!DOCTYPE svg [<!ENTITY a "b">]>${svg}`)).toEqual([
      `${place}found a document type in it; remove "<!DOCTYPE …>"`,
    ]);
  });

  test('has one line for each mistake', () => {
    expect(findMistakes(`${start}<script/><g onclick="1"/></svg>`)).toHaveLength(2);
  });

  test('is refused if it is another kind of file, or too large', () => {
    const noImage = `${place}expected an SVG image, with xmlns="http://www.w3.org/2000/svg"`;
    expect(findMistakes('<svg viewBox="0 0 20 20"/>')).toEqual([noImage]);
    expect(findMistakes(png)).toEqual([noImage]);
    expect(findMistakes(svg, 'acme.png')).toEqual(['providers[0].icon: "acme.png": expected a PNG image']);
    expect(findMistakes(svg.padEnd(4096))).toEqual([]);
    expect(findMistakes(svg.padEnd(4097))).toEqual([`${place}found 4097 bytes; expected at most 4096`]);
  });

  test('is refused if there is no such file', () => {
    mkdirSync(join(root, 'folder.svg'));
    for (const icon of ['none.svg', 'folder.svg', 'acme.svg/none.svg'])
      expect(find(icon)).toEqual([`providers[0].icon: "${icon}": there is no such file in the project`]);
  });

  test.each(['/etc/acme.svg', '../acme.svg', 'src/../acme.svg', './acme.svg', 'acme.gif', 'a b.svg', ''])(
    'is a path in the project, and not %j',
    (icon) => {
      expect(find(icon)).toEqual([
        `providers[0].icon: found ${JSON.stringify(icon)}; expected the path of an SVG or PNG file in the project, such as "src/icons/acme.svg"`,
      ]);
    },
  );

  test('has its mistakes reported with their place in the file, and once', () => {
    const config = (icon: unknown) => JSON.stringify({ providers: [{ ...acme, icon }] }, null, 2);
    expect(() => parseConfig(config('none.svg'), 'config.json', root)).toThrow(
      /^config\.json:\d+:\d+: providers\[0\]\.icon: "none\.svg": there is no such file in the project$/,
    );
    expect(() => parseConfig(config(7), 'config.json', root)).toThrow(/^[^\n]*expected the path of[^\n]*$/);
  });
});

test('a reader without the files of the project refuses icons', () => {
  expect(() => readConfig({ providers: [{ ...acme, icon: 'acme.svg' }] })).toThrow(
    'providers[0].icon: refused: only the build can set it',
  );
});

test('the popup has the icons as data: URLs by the id of the provider, and the worker has none', () => {
  writeFileSync(join(root, 'acme.svg'), svg);
  writeFileSync(join(root, 'acme.png'), png);
  const { providers, ...others } = readConfig(
    {
      providers: [
        { ...acme, icon: 'acme.svg' },
        { ...acme, id: 'constructor' },
        { ...acme, id: 'beta', icon: 'acme.png' },
      ],
    },
    (json) => applyProfiles(json, profiles),
  );
  const watched: string[] = [];
  const code = toIconsModule(providers, (file) => void watched.push(file), root);
  expect(code).toBe(
    `export default new Map(${JSON.stringify([
      ['acme', `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`],
      ['beta', `data:image/png;base64,${png.toString('base64')}`],
    ])});`,
  );
  expect(watched).toEqual([join(root, 'acme.svg'), join(root, 'acme.png')]);
  expect(toConfigModule({ providers, ...others })).not.toContain('icon');
});
