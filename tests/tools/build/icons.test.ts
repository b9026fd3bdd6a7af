import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatPath } from '../../../src/config/config-error.ts';
import { findIconMistakes, toIconsModule } from '../../../tools/build/icons.ts';
import { parseConfig } from '../../../tools/build/read-config.ts';
import { toConfigModule } from '../../../tools/build/plugins.ts';
import { profiles } from '../../../tools/build/profiles.ts';
import { makeFolder } from '../../support/folder.ts';
import { acme, readConfig } from '../../support/samples.ts';

const root = makeFolder();

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path d="M1 1h9v9z"/></svg>';
const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');

function find(icon: unknown): readonly string[] {
  return findIconMistakes({ providers: [{ ...acme, icon }] }, root).map(
    ({ path, text }) => `${formatPath(path)}: ${text}`,
  );
}

describe('an icon', () => {
  test.each([
    ['a.svg', svg, null],
    ['declared.svg', `<?xml version="1.0"?>\n<!-- A mark -->\n${svg.replaceAll('"', "'")}`, null],
    ['large.svg', svg.padEnd(4096), null],
    ['a.png', png, null],
    ['too-large.svg', svg.padEnd(4097), 'found 4097 bytes; expected at most 4096'],
    ['no-namespace.svg', '<svg viewBox="0 0 20 20"/>', 'expected an SVG image, with xmlns='],
    ['png.svg', png, 'expected an SVG image'],
    ['svg.png', svg, 'expected a PNG image'],
  ])('%s is judged by its size and its first words', (name, content, mistake) => {
    writeFileSync(join(root, name), content);
    const expected =
      mistake === null ? [] : [expect.stringContaining(`providers[0].icon: "${name}": ${mistake}`)];
    expect(find(name)).toEqual(expected);
  });

  test.each([
    '<script>1</script>',
    '<s:script>1</s:script>',
    '<a.b:script>1</a.b:script>',
    '<é:script>1</é:script>',
    '<g\nonload = "1"/>',
    '<g/onload="1"/>',
    '<g id="\' a=" onload="1"/>',
    '<foreignObject/>',
    '<h:iframe xmlns:h="http://www.w3.org/1999/xhtml" src="https://acme.example"/>',
    '<g xmlns="http://www.w3.org/1999/xhtml"/>',
    '<a><set attributeName="onmouseover" to="alert(1)"/></a>',
    '<animate href="#a" attributeName="href" values="javascript:alert(1)"/>',
    '<use href="https://acme.example/a.svg#a"/>',
    "<use xlink:href = ' other.svg'/>",
    '<use href="&#104;ttps://acme.example/"/>',
    '<image href="data:image/png;base64,AA"/>',
    '<g fill="url( \'//acme.example/a\')"/>',
    '<g style="background:image-set(\'https://acme.example/a\' 1x)"/>',
    '<g style="fill:u\\72l(https://acme.example)"/>',
    '<style>a{fill:src("https://acme.example")}</style>',
    '<style>a{fill:url(&quot;https://acme.example&quot;)}</style>',
    '<style>@import "a.css";</style>',
    '<style><![CDATA[@import "a.css"]]></style>',
    '<scr<g/>ipt>',
    '<scr<!-- -->ipt/>',
    '<?xml-stylesheet href="a.css"?>',
    '<!DOCTYPE svg [<!ENTITY a "b">]>',
  ])('with %s is refused', (part) => {
    writeFileSync(
      join(root, 'part.svg'),
      svg.replace('<path', () => `${part}<path`),
    );
    expect(find('part.svg')).toContainEqual(
      expect.stringMatching(/^providers\[0\]\.icon: "part\.svg": found .* in it; remove it/),
    );
  });

  test('may have styles, text, gradients and references within itself', () => {
    const part =
      '<style>.a{fill:url(#b);opacity:.5}</style><linearGradient id="b"><stop offset="0" stop-color="rgb(1, 2, 3)"/></linearGradient>' +
      '<g style="fill:#fff" transform="translate(1 2)" data-name="Layer"><text x="1" id="a@2x" aria-label="A (b)">A &amp; B (c)</text></g>' +
      '<use href="#a" fill="url(#b)" xml:space="preserve"/><use xlink:href = " #a" fill="url( #b )"/>';
    const xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
    writeFileSync(
      join(root, 'rich.svg'),
      svg.replace('<path', `${part}<path`).replace('<svg', `<svg ${xlink}`),
    );
    expect(find('rich.svg')).toEqual([]);
  });

  test('is a file of the project', () => {
    mkdirSync(join(root, 'folder.svg'));
    for (const path of ['none.svg', 'folder.svg', 'a.svg/none.svg'])
      expect(find(path)).toEqual([`providers[0].icon: "${path}": there is no such file in the project`]);
    for (const path of ['/etc/a.svg', '../a.svg', 'src/../a.svg', './a.svg', 'a.gif', 'a b.svg', ''])
      expect(find(path)).toEqual([expect.stringContaining('; expected the path of an SVG or PNG file')]);
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
