// The icons of the providers: files of the project, which the build checks and puts into the popup.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { quote, type Mistake } from '../../src/config/config-error.ts';
import type { Provider } from '../../src/config/config.ts';
import { memberOf } from '../../src/config/value-schema.ts';
import { root as project } from './read-text.ts';

/** Enough for a mark of 20 pixels, and little to load for each of a hundred providers. */
const maxBytes = 4096;

/** Leads to no file outside of the project. */
const iconPath = /^(?!.*\.\.)[\w-][\w./-]{0,200}\.(?:svg|png)$/;
const expectedPath = 'the path of an SVG or PNG file in the project, such as "src/icons/acme.svg"';

const pngSignature = '\x89PNG\r\n\x1a\n';

/** Finds the mistakes in the icons of a configuration's providers, at their places. `root` is the project's folder. */
export function findIconMistakes(json: unknown, root: string): Mistake[] {
  const providers = memberOf(json, 'providers');
  return (Array.isArray(providers) ? providers : []).flatMap((provider: unknown, index) => {
    const icon = memberOf(provider, 'icon');
    // The reader reports a value that isn't a text.
    if (typeof icon !== 'string') return [];
    const path = ['providers', index, 'icon'];
    if (!iconPath.test(icon)) return [{ path, text: `found ${quote(icon)}; expected ${expectedPath}` }];
    return findFileMistakes(resolve(root, icon)).map((text) => ({ path, text: `${quote(icon)}: ${text}` }));
  });
}

/** The code of the module `latchkey:icons`. Calls `watch` with each file. Throws if one can't be read. */
export function toIconsModule(
  providers: readonly Provider[],
  watch: (file: string) => void,
  root = project,
): string {
  const icons = providers.flatMap(({ id, icon }) => {
    if (icon === undefined) return [];
    const file = resolve(root, icon);
    watch(file);
    const type = icon.endsWith('.svg') ? 'svg+xml' : 'png';
    return [[id, `data:image/${type};base64,${readFileSync(file, 'base64')}`]];
  });
  return `export default new Map(${JSON.stringify(icons)});`;
}

function findFileMistakes(file: string): readonly string[] {
  if (!existsSync(file) || !statSync(file).isFile()) return ['there is no such file in the project'];
  const { size } = statSync(file);
  if (size > maxBytes) return [`found ${size} bytes; expected at most ${maxBytes}`];
  const bytes = readFileSync(file);
  if (file.endsWith('.svg')) return findSvgMistakes(bytes.toString('utf8'));
  return bytes.toString('latin1').startsWith(pngSignature) ? [] : ['expected a PNG image'];
}

const namespaces = ['http://www.w3.org/2000/svg', 'http://www.w3.org/1999/xlink'];

/** The elements that an icon may have. A list of forbidden ones would never be complete. */
const elements =
  /^(?:svg|g|defs|symbol|use|title|desc|path|rect|circle|ellipse|line|polyline|polygon|text|tspan|style|linearGradient|radialGradient|stop|clipPath|mask|pattern|marker|filter|fe[A-Z]\w+)$/;

/** The functions of styles and attributes; `url` with a reference within the file alone. */
const functions = /^(?:url|rgba?|hsla?|matrix|translate[xy]?|scale[xy]?|rotate|skew[xy]|calc|var)$/;

const tag = /<\/?([^\s<>/="'&]+)((?:\s+[^\s<>/="'&]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/g;

const attribute = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * The mistakes in an SVG icon. The popup shows it as an image, in which browsers run no script and load nothing. The check also
 * protects pages that show an icon in a different way.
 */
function findSvgMistakes(svg: string): readonly string[] {
  const body = svg.replace(/^\ufeff?<\?xml\s[^<>?]*\?>/, '').replaceAll(/<!--(?:[^-]|-(?!->))*-->/g, '');
  const strays: string[] = [];
  const rest = body.replaceAll(tag, (_tag, name: string, attributes: string) => {
    if (!elements.test(name)) strays.push(`the element ${quote(name)}`);
    for (const [, key = '', double, value = double ?? ''] of attributes.matchAll(attribute)) {
      const isOdd = key.startsWith('xmlns') && !namespaces.includes(value);
      if (isOdd || /^on|:(?!href$|space$|lang$|xlink$)/i.test(key))
        strays.push(`the attribute ${quote(key)}`);
      if (key.endsWith('href') && !value.trim().startsWith('#')) strays.push('a reference to something else');
    }
    return '';
  });
  for (const [, name = ''] of body.matchAll(/([\w-]+)\(/g))
    if (!functions.test(name.toLowerCase())) strays.push(`the function ${quote(name)}`);
  if (/url\(\s*["']?\s*(?!["'#\s])/i.test(body)) strays.push('a reference to something else');
  if (/@(?!\d)|\/\*/.test(body)) strays.push('a rule with "@" or a comment in a style');
  if (/\\|&(?!(?:amp|lt|gt|quot|apos);)/.test(body)) strays.push('an escape');
  if (/[<>]/.test(rest)) strays.push("something that isn't plain XML, such as a document type");
  // Without the namespace, browsers show no image.
  const isImage = /^\s*<svg\s[^>]*\bxmlns\s*=\s*["']http:\/\/www\.w3\.org\/2000\/svg["']/.test(body);
  return [
    ...(isImage ? [] : [`expected an SVG image, with xmlns="${namespaces[0]}"`]),
    ...new Set(strays.map((stray) => `found ${stray} in it; remove it: an icon has shapes alone`)),
  ];
}
