import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatPath } from '../../../src/config/config-error.ts';
import { findIconMistakes, toIconsModule } from '../../../tools/build/icons.ts';
import { parseConfig } from '../../../tools/build/read-config.ts';
import { toConfigModule } from '../../../tools/build/plugins.ts';
import { profiles } from '../../../tools/build/profiles.ts';
import { makeFolder } from '../../support/folder.ts';
import { describeOutcomes } from '../../support/outcomes.ts';
import { acme, readConfig } from '../../support/samples.ts';

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

describe('an icon', () => {
  test('is an SVG with references within itself, or a PNG, in a file of the project, and everything else is refused', async () => {
    mkdirSync(join(root, 'folder.svg'));
    const withPart = (part: string) => () => findMistakes(`${start}${part}</svg>`);
    const references = [
      '<use href="https://acme.example/a.svg#a"/>',
      "<use xlink:href='other.svg'/>",
      '<image href="data:image/png;base64,AA"/>',
      '<g fill="url(https://acme.example/a)"/>',
      '<g fill="url( \'//acme.example/a\')"/>',
      '<use href="&#104;ttps://acme.example/"/>',
      '<use href = " https://acme.example/"/>',
      '<style>@import "a.css";</style>',
    ];
    const others = [
      '<a.b:script>1</a.b:script>',
      '<é:script>1</é:script>',
      '<h:iframe xmlns:h="http://www.w3.org/1999/xhtml" src="https://acme.example"/>',
      '<a><set attributeName="onmouseover" to="alert(1)"/></a>',
      '<a id="a"/><animate href="#a" attributeName="href" values="javascript:alert(1)"/>',
      '<g/onload="1"/>',
      '<g style="background:image-set(\'https://acme.example/a\' 1x)"/>',
      '<g style="fill:u\\72l(https://acme.example)"/>',
      '<style>a{fill:src("https://acme.example")}</style>',
      '<style>a{fill:url(&quot;https://acme.example&quot;)}</style>',
      '<?xml-stylesheet href="a.css"?>',
      '<style><![CDATA[@import "a.css"]]></style>',
      '<g xmlns="http://www.w3.org/1999/xhtml"/>',
      '<g></svg><g>',
      '</svg><svg>',
      'text',
      '<image width="1"/>',
    ];
    const paths = [
      '/etc/acme.svg',
      '../acme.svg',
      'src/../acme.svg',
      './acme.svg',
      'acme.gif',
      'a b.svg',
      '',
    ];
    const outcomes = describeOutcomes({
      'an SVG': () => findMistakes(svg),
      'an SVG with a declaration and a comment': () =>
        findMistakes(`<?xml version="1.0"?>\n<!-- A mark -->\n${svg}`),
      'an SVG with a style, text and a gradient': withPart(
        '<style>.a{fill:url(#b);opacity:.5}</style><linearGradient id="b"><stop offset="0" stop-color="rgb(1, 2, 3)"/></linearGradient><g style="fill:#fff" transform="translate(1 2)" data-name="Layer"><text x="1" id="a@2x" aria-label="A (b)">A &amp; B (c)</text></g>',
      ),
      'a PNG': () => findMistakes(png, 'acme.png'),
      'as large as can be': () => findMistakes(svg.padEnd(4096)),
      'too large': () => findMistakes(svg.padEnd(4097)),
      'a script': withPart('<script>1</script>'),
      'a script with a prefix': withPart('<s:script>1</s:script>'),
      'an event handler': withPart('<g\nonload = "1"/>'),
      HTML: withPart('<foreignObject/>'),
      ...Object.fromEntries(others.map((part) => [part, withPart(part)])),
      'two mistakes': withPart('<script/><g onclick="1"/>'),
      ...Object.fromEntries(references.map((part) => [`the reference ${part}`, withPart(part)])),
      'a document type, which can define other words for all of these': () =>
        findMistakes(`<!DOCTYPE svg [<!ENTITY a "b">]>${svg}`),
      'an SVG without its namespace': () => findMistakes('<svg viewBox="0 0 20 20"/>'),
      'a PNG with the name of an SVG': () => findMistakes(png),
      'an SVG with the name of a PNG': () => findMistakes(svg, 'acme.png'),
      ...Object.fromEntries(
        ['none.svg', 'folder.svg', 'acme.svg/none.svg', ...paths].map((path) => [
          `the path ${JSON.stringify(path)}`,
          () => find(path),
        ]),
      ),
    });
    await expect(outcomes).toMatchFileSnapshot('icons.txt');
  });

  test('has its mistakes reported with their place in the file, and once', () => {
    const config = (icon: unknown) => JSON.stringify({ providers: [{ ...acme, icon }] }, null, 2);
    expect(() => parseConfig(config('none.svg'), 'config.json', root)).toThrow(
      /^config\.json:\d+:\d+: providers\[0\]\.icon: "none\.svg": there is no such file in the project$/,
    );
    expect(() => parseConfig(config(7), 'config.json', root)).toThrow(/^[^\n]*expected the path of[^\n]*$/);
  });
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
    profiles,
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
