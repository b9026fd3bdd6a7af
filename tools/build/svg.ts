// Reads an SVG icon, and accepts only what an icon needs: a list of what it mustn't have would always lack something.

import { quote } from '../../src/config/config-error.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';

const toSet = (names: string) => new Set(names.trim().split(/\s+/));

const elements = toSet(`
  svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan style
  linearGradient radialGradient stop clipPath mask pattern marker filter feBlend feColorMatrix feComposite feDropShadow feFlood
  feGaussianBlur feMerge feMergeNode feMorphology feOffset`);

/** The elements with text in them. */
const withText = toSet('title desc text tspan style');

const attributes = toSet(`
  xmlns xmlns:xlink xml:space xml:lang version baseProfile id class style lang role viewBox preserveAspectRatio x y x1 y1 x2 y2 cx cy
  r rx ry fx fy fr dx dy width height d points pathLength transform href xlink:href offset rotate
  gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits
  patternTransform markerUnits markerWidth markerHeight refX refY orient filterUnits primitiveUnits in in2 result mode type values
  operator radius stdDeviation k1 k2 k3 k4 lengthAdjust textLength
  clip-path clip-rule color color-interpolation color-interpolation-filters cursor direction display dominant-baseline
  alignment-baseline baseline-shift enable-background fill fill-opacity fill-rule filter flood-color flood-opacity font-family
  font-size font-stretch font-style font-variant font-weight image-rendering isolation letter-spacing marker-end marker-mid marker-start
  mask mask-type mix-blend-mode opacity overflow paint-order shape-rendering stop-color stop-opacity stroke stroke-dasharray
  stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration
  text-rendering transform-origin unicode-bidi vector-effect visibility word-spacing writing-mode focusable`);

const namespaces = new Map([
  ['xmlns', svgNamespace],
  ['xmlns:xlink', 'http://www.w3.org/1999/xlink'],
]);

/** The functions of styles and of attributes; `url` with a reference within the file alone. */
const functions = toSet(`
  url rgb rgba hsl hsla matrix translate translatex translatey scale scalex scaley rotate skewx skewy calc var`);

const name = String.raw`[^\s<>/="'&]+`;
const comment = /<!--(?:[^-]|-(?!->))*-->/y;
const declaration = /<\?xml\s[^<>?]*\?>/y;
const startTag = new RegExp(`<(${name})((?:\\s+${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`, 'y');
const attribute = new RegExp(`(${name})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'g');
const endTag = new RegExp(`</(${name})\\s*>`, 'y');
const textPart = /[^<]+/y;

/** The mistakes in an SVG icon; empty if it's accepted. */
export function findSvgMistakes(svg: string): readonly string[] {
  const mistakes = new Set<string>();
  const open: string[] = [];
  let at = svg.startsWith('\ufeff') ? 1 : 0;
  let isDone = false;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(svg);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  take(declaration);
  while (at < svg.length) {
    const parent = open.at(-1);
    if (take(comment) !== null) continue;
    const [text] = take(textPart) ?? [];
    if (text !== undefined) {
      if (text.trim() !== '' && !withText.has(parent ?? ''))
        mistakes.add('found text outside of a text element in it');
      addAll(mistakes, parent === 'style' ? findStyleMistakes(text) : findEscapes(text));
      continue;
    }
    const [, started, written = '', isEmpty] = take(startTag) ?? [];
    if (started !== undefined) {
      if (open.length === 0 && (isDone || !isImage(started, written))) mistakes.add(expectedImage);
      if (!elements.has(started))
        mistakes.add(`found the element ${quote(started)} in it; remove it: an icon has shapes alone`);
      addAll(mistakes, findAttributeMistakes(written));
      if (isEmpty === '') open.push(started);
      isDone ||= open.length === 0;
      continue;
    }
    const [, ended] = take(endTag) ?? [];
    if (ended === undefined || ended !== open.pop()) {
      mistakes.add(
        /^<!(?:DOCTYPE|ENTITY)/i.test(svg.slice(at))
          ? foundDoctype
          : "found something in it that isn't well-formed XML",
      );
      return [...mistakes];
    }
    isDone = open.length === 0;
  }
  if (!isDone) mistakes.add(open.length === 0 ? expectedImage : "found an element in it that doesn't end");
  return [...mistakes];
}

// Without the namespace, browsers show no image.
const expectedImage = `expected one SVG image, with xmlns="${svgNamespace}"`;
const foundDoctype = 'found a document type in it; remove "<!DOCTYPE …>"';

function isImage(element: string, written: string): boolean {
  return element === 'svg' && toAttributes(written).some(([key]) => key === 'xmlns');
}

function toAttributes(written: string): readonly (readonly [name: string, value: string])[] {
  return [...written.matchAll(attribute)].map(([, key = '', double, single = '']) => [key, double ?? single]);
}

function findAttributeMistakes(written: string): readonly string[] {
  return toAttributes(written).flatMap(([key, value]) => {
    if (/^(?:data|aria)-[a-z\d-]+$/.test(key)) return findEscapes(value);
    if (!attributes.has(key)) return [`found the attribute ${quote(key)} in it; remove it`];
    if (namespaces.has(key) && namespaces.get(key) !== value)
      return [`found another ${quote(key)} in it than that of SVG`];
    if (key.endsWith('href') && !value.trim().startsWith('#')) return [foundReference];
    return key === 'style' ? findStyleMistakes(value) : findValueMistakes(value);
  });
}

const foundReference =
  'found a reference to something else in it; expected references that begin with "#" alone';

/** The mistakes in a text: it has no escapes but those that XML needs, because others could spell anything. */
function findEscapes(text: string): readonly string[] {
  return /&(?!(?:amp|lt|gt|quot|apos);)/.test(text)
    ? ['found an escape in it, such as "&#97;"; write it plainly']
    : [];
}

/** The mistakes in a value, which may be a style. */
function findValueMistakes(value: string): readonly string[] {
  const text = value.toLowerCase();
  if (text.includes('\\')) return ['found an escape in it; write it plainly'];
  if (/url\(\s*["']?\s*(?!["'#\s])/.test(text)) return [foundReference];
  const called = [...text.matchAll(/([\w-]+)\(/g)].map(([, one = '']) => one);
  const unknown = called.find((one) => !functions.has(one));
  return unknown === undefined
    ? findEscapes(text)
    : [`found the function ${quote(unknown)} in it; remove it`];
}

function findStyleMistakes(style: string): readonly string[] {
  return /@|\/\*/.test(style)
    ? ['found a rule with "@" or a comment in a style; remove it']
    : findValueMistakes(style.replaceAll('&quot;', '"').replaceAll('&apos;', "'"));
}

function addAll(found: Set<string>, more: readonly string[]): void {
  for (const one of more) found.add(one);
}
