// Draws a plot as SVG: both axes logarithmic, one colour and one dash for each line, and the names below.

import type { Line, Plot } from './results.ts';

const width = 640;
const height = 360;
const area = { left: 64, top: 40, right: 28, bottom: 52 };
const legendLine = 18;

/** Colours that stay apart for colour-blind people, on white and on black. */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#8c6d1f', '#56b4e9'];
const dashes = ['', '6 3', '2 3', '8 3 2 3', '12 3', '1 4'];

interface Axis {
  readonly ticks: readonly number[];
  readonly toShare: (value: number) => number;
}

/** Returns an SVG document. It works on a light and on a dark page, because it brings its own background. */
export function toSvg({ title, size, value, lines }: Plot): string {
  const points = lines.flatMap((line) => line.points);
  const x = toAxis(points.map(([one]) => one));
  const y = toAxis(points.map(([, one]) => one));
  const toX = (one: number) => area.left + x.toShare(one) * (width - area.left - area.right);
  const toY = (one: number) => height - area.bottom - y.toShare(one) * (height - area.top - area.bottom);
  const total = height + legendLine * lines.length + 8;
  const text = (at: { readonly x: number; readonly y: number }, said: string, more = '') =>
    `<text x="${round(at.x)}" y="${round(at.y)}"${more}>${escape(said)}</text>`;
  const grid = [
    ...x.ticks.map((tick) => toLine(toX(tick), area.top, toX(tick), height - area.bottom)),
    ...y.ticks.map((tick) => toLine(area.left, toY(tick), width - area.right, toY(tick))),
  ];
  const labels = [
    text({ x: area.left, y: 24 }, title, ' font-weight="bold"'),
    ...x.ticks.map((tick) => text({ x: toX(tick), y: height - area.bottom + 18 }, toLabel(tick), middle)),
    ...y.ticks.map((tick) => text({ x: area.left - 8, y: toY(tick) + 4 }, toLabel(tick), end)),
    text({ x: (area.left + width - area.right) / 2, y: height - 10 }, size, middle),
    `<text transform="translate(16 ${round((height - area.bottom + area.top) / 2)}) rotate(-90)"${middle}>${escape(value)}</text>`,
  ];
  const drawn = lines.map((line, index) => draw(line, index, toX, toY));
  const names = lines.flatMap(({ name }, index) => {
    const at = height + legendLine * index + 4;
    return [
      `<path d="M${area.left} ${at}h32" ${stroke(index)}/>`,
      text({ x: area.left + 40, y: at + 4 }, name),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${total}" width="${width}" height="${total}" role="img" font-family="sans-serif" font-size="12" fill="#222">`,
    `<title>${escape(title)}</title>`,
    `<rect width="${width}" height="${total}" fill="#fff"/>`,
    `<g stroke="#ddd">${grid.join('')}</g>`,
    ...labels,
    ...drawn,
    ...names,
    '</svg>\n',
  ].join('\n');
}

const middle = ' text-anchor="middle"';
const end = ' text-anchor="end"';

/** A logarithmic axis from power of ten to power of ten. */
function toAxis(values: readonly number[]): Axis {
  const positive = values.filter((one) => one > 0);
  const low = Math.floor(Math.log10(Math.min(...positive)) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...positive)) - 1e-9));
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  return { ticks, toShare: (one) => (Math.log10(Math.max(one, 10 ** low)) - low) / (high - low) };
}

function draw(
  { points }: Line,
  index: number,
  toX: (value: number) => number,
  toY: (value: number) => number,
): string {
  const path = points
    .map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${round(toX(x))} ${round(toY(y))}`)
    .join('');
  const dots = points.map(([x, y]) => `<circle cx="${round(toX(x))}" cy="${round(toY(y))}" r="3"/>`).join('');
  return `<path d="${path}" ${stroke(index)}/><g fill="${colours[index % colours.length]}">${dots}</g>`;
}

function stroke(index: number): string {
  const dash = dashes[index % dashes.length];
  const dashed = dash ? ` stroke-dasharray="${dash}"` : '';
  return `fill="none" stroke="${colours[index % colours.length]}" stroke-width="2"${dashed}`;
}

function toLine(x1: number, y1: number, x2: number, y2: number): string {
  return `<path d="M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}"/>`;
}

function toLabel(tick: number): string {
  return tick >= 1
    ? tick.toLocaleString('en-US', { notation: 'compact' })
    : String(Number(tick.toPrecision(1)));
}

function round(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
