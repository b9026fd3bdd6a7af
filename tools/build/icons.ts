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

/** Without the namespace, browsers show no image. */
const svgNamespace = /<svg\s[^>]*\bxmlns\s*=\s*["']http:\/\/www\.w3\.org\/2000\/svg["']/;

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

/** The code of the module `latchkey:icons`. Calls `watch` with each file. Throws if one cannot be read. */
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
  // Its content isn't judged: in an <img>, no script of an SVG runs, and no reference loads anything.
  if (file.endsWith('.svg')) {
    const expected = 'expected an SVG image, with xmlns="http://www.w3.org/2000/svg"';
    return svgNamespace.test(bytes.toString('utf8')) ? [] : [expected];
  }
  return bytes.toString('latin1').startsWith(pngSignature) ? [] : ['expected a PNG image'];
}
