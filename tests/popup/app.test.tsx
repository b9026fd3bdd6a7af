import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import type { Board, BoardView } from '../../src/bridge/session/observer.ts';
import Feature from '../../src/feature/Feature.tsx';
import type { FeatureProps } from '../../src/feature/feature-props.ts';
import { App } from '../../src/popup/App.tsx';
import { createText, type Text } from '../../src/popup/i18n/text.ts';
import { TextContext } from '../../src/popup/i18n/use-text.ts';
import {
  causes,
  problemCodes,
  type Diagnosis,
  type Problem,
  type ProblemCode,
} from '../../src/session/problem.ts';
import type { Session, SigningIn } from '../../src/session/session.ts';
import { english as text, toRead } from '../support/english.ts';
import { ada, adaSignedIn, FakeObserver, nobody, toView } from '../support/fake-observer.ts';

const startedAtMs = Date.parse('2030-01-01T12:00:00Z');
const signingIn: SigningIn = {
  status: 'signing-in',
  providerId: 'demo',
  attempt: 1,
  startedAtMs,
  before: nobody,
};
/** Told as outcomes, and what somebody who stays signed in is told calmly. */
const quietCodes = ['cancelled', 'denied', 'interrupted', 'expired'];
const inlineCodes: readonly ProblemCode[] = ['offline', 'timed-out', 'provider-unreachable'];

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

function render(view: BoardView, language: Text = text): string {
  const markup = renderToStaticMarkup(
    <TextContext value={language}>
      <App observer={new FakeObserver(view)} />
    </TextContext>,
  );
  // React puts preload links for the pictures before what it was given.
  return markup.slice(markup.indexOf('<main'));
}

function renderSession(session: Session, changes?: Partial<Board>): string {
  return render(toView(session, changes));
}

/** The opening tags that hold `part`. */
function findTags(markup: string, part: string): readonly string[] {
  return [...markup.matchAll(/<[a-z][^>]*>/g)].map(([tag]) => tag).filter((tag) => tag.includes(part));
}

function toText(markup: string): string {
  return toRead(markup)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Every member of the union, with every problem where it can have one. */
const views: readonly (readonly [string, string, BoardView])[] = [
  ['starting', 'without a board', { status: 'starting' }],
  ['signing-in', 'over nobody', toView(signingIn)],
  ['signing-in', 'over a session', toView({ ...signingIn, before: adaSignedIn })],
  ...[null, ...problemCodes].flatMap((code) => {
    const problem: Problem | null = code === null ? null : { code, detail: 'login.example answered 503' };
    return [
      ['signed-out', `with ${code}`, toView({ ...nobody, problem })],
      ['signed-out', `with ${code} and a last account`, toView({ ...nobody, problem, lastAccount: ada })],
      ['signed-in', `with ${code}`, toView({ ...adaSignedIn, problem })],
    ] as const;
  }),
];

test.each(views)('%s %s is one main with one heading and one status region', (status, _, view) => {
  const markup = render(view);
  expect(findTags(markup, '<main')).toHaveLength(1);
  expect(findTags(markup, '<main')[0]).toContain(`data-status="${status}"`);
  expect(findTags(markup, '<h1')).toHaveLength(1);
  expect(findTags(markup, '<h1')[0]).toContain('tabindex="-1"');
  expect(findTags(markup, 'role="status"')).toHaveLength(1);
  expect(findTags(markup, '<button').every((tag) => tag.includes('type="button"'))).toBe(true);
});

test.each(problemCodes)('%s is told with its code, what happened and what to do', (code) => {
  for (const settled of [nobody, adaSignedIn]) {
    if (settled === adaSignedIn && inlineCodes.includes(code)) continue;
    const markup = renderSession({ ...settled, problem: { code, detail: null } });
    const [element, ...others] = findTags(markup, 'data-problem=');
    expect(others).toEqual([]);
    expect(element).toContain(`data-problem="${code}"`);
    expect(element).toContain(quietCodes.includes(code) ? 'role="status"' : 'role="alert"');
    expect(toText(markup)).toContain(
      `${toRead(text.problem.whatHappened(code))} ${toRead(text.problem.whatToDo(code))}`,
    );
    expect(findTags(markup, 'data-action="copy-detail"')).toEqual([]);
  }
});

test.each(inlineCodes)('whoever stays signed in is told of %s in one calm line', (code) => {
  const markup = renderSession({ ...adaSignedIn, problem: { code, detail: 'login.example' } });
  expect(findTags(markup, `data-problem="${code}"`)[0]).toContain('role="status"');
  expect(findTags(markup, 'role="alert"')).toEqual([]);
  expect(markup).not.toContain('<details');
  expect(toText(markup)).toMatch(/You stay signed in\./);
  expect(toText(markup)).not.toContain(toRead(text.problem.whatToDo(code)));
});

test('the detail of a problem stands behind a disclosure', () => {
  vi.stubEnv('DEV', false);
  const markup = renderSession({ ...nobody, problem: { code: 'offline', detail: 'login.example' } });
  expect(markup).toMatch(/<details>.*offline: login\.example.*<\/details>/);
});

test('in development the disclosure is open', () => {
  const markup = renderSession({ ...nobody, problem: { code: 'offline', detail: 'login.example' } });
  expect(markup).toContain('<details open="">');
});

test.each([
  ['with a problem, while nobody is signed in', { ...nobody, problem: { code: 'offline', detail: null } }, 1],
  ['without one', nobody, 0],
  ['with a mere outcome', { ...nobody, problem: { code: 'cancelled', detail: 'closed' } }, 0],
  ['in the menu', adaSignedIn, 1],
  ['in the menu alone', { ...adaSignedIn, problem: { code: 'unexpected', detail: 'oops' } }, 1],
] as const)('a report that can be copied, %s', (_, session, count) => {
  expect(findTags(renderSession(session), 'data-action="copy-report"')).toHaveLength(count);
});

const diagnoses = causes.flatMap((cause) =>
  (['known', 'guess'] as const).map((certainty): Diagnosis => ({ cause, certainty, register: null })),
);

test.each(diagnoses)('what was found, $cause, $certainty, is told with that certainty', (diagnosis) => {
  const markup = renderSession({
    ...nobody,
    problem: { code: 'sign-in-page-failed', detail: null, diagnosis },
  });
  const [details] = /<details.*<\/details>/.exec(markup) ?? [''];
  expect(toText(details)).toContain(text.diagnosis.sentence(diagnosis));
  expect(text.diagnosis.sentence(diagnosis).startsWith('Probably')).toBe(diagnosis.certainty === 'guess');
  expect(markup).not.toContain('copy-redirect-uri');
});

test('a redirect URI that is to be registered is written out, and can be copied', () => {
  const register = 'https://abcdefghijklmnop.chromiumapp.org/demo';
  const diagnosis: Diagnosis = { cause: 'redirect-uri', certainty: 'known', register };
  const markup = renderSession({
    ...nobody,
    problem: { code: 'sign-in-page-failed', detail: null, diagnosis },
  });
  expect(markup).toContain(`>${register}</code>`);
  expect(findTags(markup, 'data-action="copy-redirect-uri"')).toHaveLength(1);
});

test('the page paints before any script what the script begins with, without a word in any language', () => {
  const page = readFileSync('src/popup/index.html', 'utf8');
  const painted = /<main.*<\/main>/s.exec(page)?.[0] ?? '';
  const withoutLayout = painted
    .replace(/\s+/g, ' ')
    .replace(/ ?(<\/?[^>]*>) ?/g, '$1')
    .replaceAll(' />', '/>');
  const wordless = createText(() => '', 'en');
  expect(withoutLayout).toBe(render({ status: 'starting' }, wordless));
});

test('a single provider is one primary button', () => {
  const markup = renderSession(nobody);
  expect(findTags(markup, 'data-provider=')).toHaveLength(1);
  expect(findTags(markup, 'data-provider="demo"')[0]).toContain('class="primary"');
  expect(toText(markup)).toContain('Continue with Demo provider');
});

test.each([
  [2, false],
  [7, false],
  [8, true],
  [30, true],
])('of %i providers each has a button, and there is a search: %s', (count, isSearchable) => {
  const providers = Array.from({ length: count }, (_, index) => ({
    id: `p${index}`,
    name: `Place ${index}`,
    endsSession: false,
  }));
  const markup = renderSession(nobody, { providers });
  expect(findTags(markup, 'data-provider=')).toHaveLength(count);
  expect(findTags(markup, 'class="primary"')).toEqual([]);
  expect(findTags(markup, 'type="search"')).toHaveLength(isSearchable ? 1 : 0);
});

test('without a provider the popup says so', () => {
  expect(toText(renderSession(nobody, { providers: [] }))).toContain(text.signedOut.noProvider);
});

test('beside the last account no other way in stands out', () => {
  const providers = [
    { id: 'other', name: 'Other', endsSession: false },
    { id: 'demo', name: 'Demo provider', endsSession: false },
  ];
  const primary = findTags(renderSession({ ...nobody, lastAccount: ada }, { providers }), 'class="primary"');
  expect(primary.map((tag) => tag.includes('data-provider="demo"'))).toEqual([true]);
});

test('the last account comes first, then another one, then the other providers', () => {
  const providers = [
    { id: 'other', name: 'Other', endsSession: false },
    { id: 'demo', name: 'Demo provider', endsSession: false },
  ];
  const markup = renderSession({ ...nobody, lastAccount: ada }, { providers });
  expect(findTags(markup, '<button').map((tag) => /data-[a-z]+="[^"]+"/.exec(tag)?.[0])).toEqual([
    'data-provider="demo"',
    'data-action="use-another-account"',
    'data-provider="other"',
  ]);
  expect(toText(markup)).toContain('Continue as Ada Lovelace');
});

test('a last account whose provider is no longer offered is not shown', () => {
  const markup = renderSession({ ...nobody, lastAccount: { ...ada, providerId: 'gone' } });
  expect(toText(markup)).not.toContain('Ada');
});

test('a choice of the administrator is named', () => {
  expect(toText(renderSession(nobody, { managed: true }))).toContain(text.managed);
});

test.each([
  [0, false],
  [9_999, false],
  [10_000, true],
  [60_000, true],
  [-60_000, false],
])('%i ms after its start a sign-in offers to try again: %s', (elapsedMs, offers) => {
  vi.useFakeTimers({ now: startedAtMs + elapsedMs });
  const markup = renderSession(signingIn);
  expect(findTags(markup, 'data-action="show-window"')).toHaveLength(1);
  expect(findTags(markup, 'data-action="cancel"')).toHaveLength(1);
  expect(findTags(markup, 'data-action="try-again"')).toHaveLength(offers ? 1 : 0);
  expect(toText(markup)).toContain(
    toRead(offers ? text.signingIn.late : text.signingIn.early('Demo provider')),
  );
});

test('a sign-in over a session keeps its feature and its sign-out in the document, hidden', () => {
  const markup = renderSession({ ...signingIn, before: adaSignedIn });
  const [covered] = /<div class="signed-in" hidden="">.*$/s.exec(markup) ?? [''];
  expect(covered).toContain('data-region="feature"');
  expect(covered).toContain('data-action="sign-out"');
});

test('a person is shown by name and e-mail, with a closed menu that holds the sign-out', () => {
  const markup = renderSession(adaSignedIn);
  expect(toText(markup)).toContain('Ada Lovelace ada@example.com');
  expect(findTags(markup, 'aria-haspopup="menu"')[0]).toContain('aria-expanded="false"');
  expect(markup).toMatch(/<div class="panel" hidden="">.*role="menu"/);
  expect(findTags(markup, 'data-action="sign-out"')).toHaveLength(1);
  expect(findTags(markup, 'data-action="use-another-account"')).toHaveLength(1);
  expect(findTags(markup, 'data-action="sign-out-everywhere"')).toEqual([]);
  expect(findTags(markup, 'data-region="feature"')[0]).toContain('aria-label=');
});

test('the menu tells with which provider, since when, and by whose choice', () => {
  const since = toRead(text.signedIn.since('Demo provider', adaSignedIn.sinceMs));
  const [, unmanaged = ''] = /<div class="panel"(.*)$/.exec(renderSession(adaSignedIn)) ?? [];
  expect(toText(unmanaged)).toContain(`Ada Lovelace ada@example.com ${since} Use another account`);
  const [, managed = ''] =
    /<div class="panel"(.*)$/.exec(renderSession(adaSignedIn, { managed: true })) ?? [];
  expect(toText(managed)).toContain(`${since} ${text.managed} Use another account`);
});

test('a person without a name is shown by e-mail, and without both by subject, beside the provider', () => {
  const { profile } = adaSignedIn;
  expect(toText(renderSession({ ...adaSignedIn, profile: { ...profile, name: null } }))).toContain(
    'ada@example.com Demo provider',
  );
  expect(
    toText(renderSession({ ...adaSignedIn, profile: { ...profile, name: null, email: null } })),
  ).toContain('subject-1 Demo provider');
});

test('a picture is asked for without telling where from', () => {
  const picture = 'https://pictures.example/ada.png';
  const markup = renderSession({ ...adaSignedIn, profile: { ...ada, picture } });
  const [image] = findTags(markup, `src="${picture}"`);
  expect(image).toContain('referrerPolicy="no-referrer"');
  expect(image).toContain('alt=""');
});

test('the shipped feature is empty, and shows a developer where theirs goes', () => {
  const props: FeatureProps = { user: ada, fetch, requestScope: () => Promise.resolve('granted') };
  expect(renderToStaticMarkup(<Feature {...props} />)).toContain('src/feature/Feature.tsx');
  vi.stubEnv('DEV', false);
  expect(renderToStaticMarkup(<Feature {...props} />)).toBe('');
});
