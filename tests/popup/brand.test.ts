// Any colour of a brand gives an accent that people can read, because popup.css limits its lightness.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Triple = readonly [number, number, number];

const styles = readFileSync('src/popup/popup.css', 'utf8');

/** WCAG 2.2, success criterion 1.4.3. */
const minContrast = 4.5;

/** The light or the dark colour of a custom property, in linear sRGB. */
function readColour(name: string, scheme: 'light' | 'dark'): Triple {
  const [, light = '', dark = ''] =
    new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(styles) ?? [];
  const digits = (scheme === 'light' ? light : dark).slice(1);
  const hex = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits;
  const [red, green, blue] = [0, 2, 4].map((at) =>
    toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255),
  );
  if (red === undefined || green === undefined || blue === undefined || Number.isNaN(red + green + blue))
    throw new Error(`popup.css has no colour "${name}".`);
  return [red, green, blue];
}

function toLinear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

// OKLab as CSS Color 4 defines it.
function toOklab([red, green, blue]: Triple): Triple {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Limits each channel, as browsers do with a colour that a screen cannot show. */
function fromOklab([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const limit = (channel: number) => Math.min(1, Math.max(0, channel));
  return [
    limit(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    limit(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    limit(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** The background of a notice about a problem: `color-mix(in oklab, var(--alert) 10%, var(--surface))`. */
function toAlertCard(alert: Triple, surface: Triple): Triple {
  const [from, to] = [toOklab(alert), toOklab(surface)];
  const mix = (at: 0 | 1 | 2) => 0.1 * from[at] + 0.9 * to[at];
  return fromOklab([mix(0), mix(1), mix(2)]);
}

function toContrast(one: Triple, other: Triple): number {
  const [dark = 0, light = 0] = [one, other]
    .map(([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
    .toSorted((first, second) => first - second);
  return light / dark;
}

/** Colours of a brand: 17 steps of each channel. */
const levels = Array.from({ length: 17 }, (_, step) => toLinear(step / 16));
const brands = levels.flatMap((red) =>
  levels.flatMap((green) => levels.map((blue): Triple => [red, green, blue])),
);

test.each([
  ['light', /from var\(--brand\) min\(l, ([\d.]+)\) c h/, Math.min],
  ['dark', /from var\(--brand-on-dark\) max\(l, ([\d.]+)\) c h/, Math.max],
] as const)(
  'every brand is readable in the %s scheme, in links as well as under text',
  (scheme, rule, limit) => {
    const bound = Number(rule.exec(styles)?.[1]);
    const surface = readColour('surface', scheme);
    const beside = {
      'the text on it': readColour('on-accent', scheme),
      'the background': surface,
      'a raised area': readColour('raised', scheme),
      'a notice about a problem': toAlertCard(readColour('alert', scheme), surface),
    };
    const unreadable = Object.entries(beside).flatMap(([name, colour]) => {
      const least = brands.reduce((found, brand) => {
        const [lightness, a, b] = toOklab(brand);
        return Math.min(found, toContrast(fromOklab([limit(lightness, bound), a, b]), colour));
      }, Infinity);
      return least >= minContrast ? [] : [`${name}: ${least}`];
    });
    expect(unreadable).toEqual([]);
  },
);
