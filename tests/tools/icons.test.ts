import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../tools/command.ts';
import { checkIcon, iconSource, toIconPage } from '../../tools/icons.ts';

const root = resolve(import.meta.dirname, '../..');
const ns = 'xmlns="http://www.w3.org/2000/svg"';

describe('checkIcon', () => {
  test('accepts the icon of this checkout', () => {
    expect(() => checkIcon(readFileSync(resolve(root, iconSource), 'utf8'), 'a.svg')).not.toThrow();
  });

  test.each([
    ['a viewBox', `<svg ${ns} viewBox="0 0 32 32"/>`],
    ['a viewBox that is no square', `<svg ${ns} viewBox="-10,0 200 100" width="100%"></svg>`],
    ['width and height', `<svg width='64' height="32.5px" ${ns}></svg>`],
    [
      'a declaration, a type and a comment before it',
      `\uFEFF<?xml version="1.0"?>\r\n<!DOCTYPE svg PUBLIC "-//W3C" "svg11.dtd" [<!ENTITY a "b">]>\n<!-- <svg> -->\n<svg ${ns} viewBox="0 0 1 1"/>`,
    ],
    ['a ">" in an attribute', `<svg ${ns} aria-label="a > b" viewBox="0 0 1 1"/>`],
  ])('accepts an SVG with %s', (_title, svg) => {
    expect(() => checkIcon(svg, 'a.svg')).not.toThrow();
  });

  test.each([
    ['no size', `<svg ${ns}></svg>`, 'expected a viewBox'],
    ['a size that depends on the page', `<svg ${ns} width="100%" height="100%"/>`, 'expected a viewBox'],
    ['an empty viewBox', `<svg ${ns} viewBox="0 0 0 32"/>`, 'expected a viewBox'],
    ['a viewBox on another element', `<svg ${ns}><g viewBox="0 0 1 1"/></svg>`, 'expected a viewBox'],
    ['no namespace', '<svg viewBox="0 0 1 1"/>', 'expected xmlns='],
  ])('rejects an SVG with %s', (_title, svg, expected) => {
    expect(() => checkIcon(svg, 'a.svg')).toThrow(UsageError);
    expect(() => checkIcon(svg, 'a.svg')).toThrow(`a.svg: ${expected}`);
  });

  test.each([
    ['<html><svg viewBox="0 0 1 1"/></html>'],
    ['\x89PNG\r\n'],
    [''],
    ['<svgfoo viewBox="0 0 1 1">'],
  ])('rejects %j, which is no SVG', (text) => {
    expect(() => checkIcon(text, 'a.svg')).toThrow('a.svg: expected an SVG file.');
  });
});

test('an icon is drawn into a square, as large as its shape allows and in the middle', () => {
  const page = toIconPage(`<svg ${ns} viewBox="0 0 200 100"/>`, 48, null);
  expect(page).toContain('width:48px;height:48px;object-fit:contain');
  expect(page).toContain('<img src="data:image/svg+xml;base64,');
});

test('an icon of the toolbar keeps its colours, and has a dot in a corner', () => {
  const page = toIconPage(`<svg ${ns} viewBox="0 0 1 1"/>`, 32, '#f59e0b');
  expect(page).not.toContain('filter');
  expect(page).toContain('right:0;bottom:0;box-sizing:border-box;width:14px');
  expect(page).toContain('background:#f59e0b');
});
