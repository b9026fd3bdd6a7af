// All views of the popup, called faces, for the gallery and for tests: each a session, and what differs from a board with the
// demo provider.

import type { Board, BoardView, SessionObserver } from '../../src/bridge/session/observer.ts';
import type { Product } from '../../src/popup/i18n/text.ts';
import type { PopupHeader } from '../../src/popup/page.ts';
import type { Command } from '../../src/session/commands.ts';
import { detail } from '../../src/session/detail.ts';
import { problemCodes, type Problem, type ProblemCode, type Diagnosis } from '../../src/session/problem.ts';
import {
  signedOut,
  toAccountHint,
  toSignedIn,
  withAccount,
  withoutAccount,
  type DeviceCode,
  type Profile,
  type ProviderSession,
  type View,
  type SignedOut,
  type SigningIn,
} from '../../src/session/view.ts';

const toProvider = (id: string, name: string) => ({ id, name, endsSession: false });

const demo = toProvider('demo', 'Demo provider');
const endsSession = { ...demo, endsSession: true };
const several = [
  demo,
  toProvider('acme', 'Acme'),
  toProvider('office', 'Office of the Registrar'),
  toProvider('kyoto', '京都大学'),
];
const thirty = Array.from({ length: 30 }, (_, index) =>
  toProvider(`place-${index + 1}`, `Place ${index + 1}`),
);
const longNames = [
  'Northern Counties Health and Social Care Partnership, Department of Occupational Medicine and Rehabilitation',
  'وزارة التعليم العالي والبحث العلمي والابتكار في المملكة، الإدارة العامة للخدمات الإلكترونية والحسابات الجامعية الموحدة',
  '国立大学法人東京医療福祉情報科学技術大学院大学附属図書館利用者認証システム運用管理部門学外利用者窓口',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsverwaltungsrat',
].map((name, index) => toProvider(`long-${index + 1}`, name));

const triangle =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path d="M10 2l9 16H1z" fill="#7a3b9e"/></svg>';
export const icons: ReadonlyMap<string, string> = new Map([
  ['acme', `data:image/svg+xml,${encodeURIComponent(triangle)}`],
]);

const productPages: Product = {
  support: { name: 'Acme Support', url: 'https://acme.example/help' },
  privacyUrl: 'https://acme.example/privacy',
};

export const ada: Profile = {
  providerId: 'demo',
  subject: 'subject-1',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  emailVerified: true,
  picture: null,
};
const longest: Profile = {
  ...ada,
  name: 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh Maximiliana Theodora of the Seven Hills',
  email: 'maximiliana.theodora.wolfeschlegelsteinhausenbergerdorff@a-rather-long-department.example.org',
};
const rightToLeft: Profile = { ...ada, name: 'نجيب محفوظ', email: 'naguib@example.com' };

const lastAccount = toAccountHint(ada);
const adaSignedIn = toSignedIn(ada, Date.parse('2026-11-02T09:41:00Z'));

/** A detail in the worker's words, as long as most are. */
const sample = detail`login.example answered with HTTP 503 where it should answer with JSON.`;

/** A problem of this code. Some codes say all. */
const toProblem = (code: ProblemCode): Problem => ({
  code,
  detail: ['cancelled', 'interrupted', 'offline'].includes(code) ? null : sample,
});

/** The value to register: a redirect URI as long as those of Firefox, or the client ID. */
const registered: Partial<Readonly<Record<Diagnosis['cause'], string>>> = {
  'redirect-uri': 'https://6c617463686b65796c617463686b65796c617463.extensions.allizom.org/demo',
  platform: 'https://6c617463686b65796c617463686b65796c617463.extensions.allizom.org/demo',
  client: 'latchkey-demo',
  origin: 'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
};

/** The problems with a diagnosis, as src/oidc/why.ts finds them. */
const diagnosed = [
  ['provider-misconfigured', detail`sign-in page: HTTP 400`, 'redirect-uri', 'known'],
  ['provider-misconfigured', detail`sign-in page: HTTP 400`, 'redirect-uri', 'guess'],
  ['provider-misconfigured', detail`sign-in page: HTTP 401`, 'client', 'known'],
  ['provider-misconfigured', detail`sign-in page: HTTP 401`, 'client', 'guess'],
  ['provider-misconfigured', detail`token: invalid_request`, 'origin', 'known'],
  ['provider-misconfigured', detail`token: unexpected answer (HTTP 403)`, 'origin', 'guess'],
  ['provider-misconfigured', detail`token: invalid_request`, 'platform', 'known'],
  ['provider-misconfigured', detail`sign-in page: HTTP 400`, 'request', 'known'],
  ['provider-misconfigured', detail`sign-in page: HTTP 403`, 'request', 'guess'],
  ['provider-misconfigured', detail`sign-in page: HTTP 404`, 'page-missing', 'known'],
  ['provider-misconfigured', detail`sign-in page: HTTP 401`, 'page-hidden', 'guess'],
  ['provider-unreachable', detail`sign-in page: HTTP 503`, 'page-down', 'known'],
  ['provider-unreachable', detail`login.example did not answer.`, 'page-down', 'guess'],
  ['provider-unreachable', detail`login.example did not answer.`, 'network', 'guess'],
] as const;

/** One view of the popup. */
export interface Face extends Setting {
  readonly id: string;
  readonly view: BoardView;
}

/** The parts of a face apart from its board. */
interface Setting {
  /** The problem with which commands are refused: only "Show window" if it's about the window, otherwise all. */
  readonly refusal?: Problem;
  readonly feature?: 'plain' | 'tall' | 'failing';
  readonly header?: PopupHeader;
  readonly product?: Product;
  /** Stops all animations at this time after the popup was opened. */
  readonly openedMsAgo?: number;
}

/** A face without its id. Without a session, the board hasn't been read. */
type Row = Setting &
  Partial<Pick<Board, 'providers' | 'managed' | 'managedBy'>> & { readonly session: View | null };
type Rows = Readonly<Record<string, Row>>;

/** All faces, in the order of the gallery, at the time `nowMs`. `picture` is the URL of a user's picture. */
export function toFaces(nowMs: number, picture: string): readonly Face[] {
  const rows = {
    ...signedOutFaces,
    ...signingInFaces(nowMs),
    ...signedInFaces(picture),
    ...Object.assign({}, ...problemCodes.map(problemFaces)),
    ...diagnosisFaces,
  } as Rows;
  return Object.entries(rows).map(
    ([id, { session, providers = [demo], managed = false, managedBy, ...setting }]) => ({
      id,
      ...setting,
      view:
        session === null
          ? { status: 'starting' }
          : {
              status: 'ready',
              board: { version: 1, session, providers, managed, ...(managedBy && { managedBy }) },
            },
    }),
  );
}

const returning: SignedOut = { ...signedOut, accounts: [lastAccount], lastProviderId: demo.id };
const grace = { ...lastAccount, subject: 'subject-2', name: 'Grace Hopper', email: 'grace@example.com' };
const naguib = { ...toAccountHint(rightToLeft), providerId: 'acme', subject: 'subject-3' };
const unreachable = toProblem('worker-unreachable');
const misconfigured = toProblem('provider-misconfigured');
const northern = 'Northern Counties Health and Social Care, IT services';

const afterSignOut = (status: ProviderSession['status']): Row => ({
  session: { ...returning, providerSession: { providerId: demo.id, status } },
  providers: [endsSession],
});

const signedOutFaces: Rows = {
  starting: { session: null, openedMsAgo: 1_000 },
  'starting-slow': { session: null, openedMsAgo: 20_000 },
  // Says so after 3 seconds.
  'starting-unanswered': { session: null, refusal: unreachable },
  'first-run': { session: signedOut },
  'providers-several': { session: signedOut, providers: several },
  'providers-thirty': { session: signedOut, providers: thirty },
  'providers-long-names': { session: signedOut, providers: [...longNames, ...thirty] },
  'first-run-links': { session: signedOut, product: productPages },
  'providers-thirty-links': { session: signedOut, providers: thirty, product: productPages },
  'providers-none': { session: signedOut, providers: [] },
  returning: { session: returning },
  'returning-several': { session: returning, providers: several },
  'returning-thirty': { session: returning, providers: [demo, ...thirty] },
  'returning-long-name': { session: { ...signedOut, accounts: [toAccountHint(longest)] } },
  'returning-two': { session: { ...signedOut, accounts: [lastAccount, grace] } },
  'returning-three': {
    session: { ...signedOut, accounts: [lastAccount, naguib, grace] },
    providers: several,
    product: productPages,
  },
  'returning-three-long': {
    session: { ...signedOut, accounts: [toAccountHint(longest), grace, { ...naguib, name: null }] },
    providers: several,
    managed: true,
    managedBy: northern,
    product: productPages,
  },
  'providers-last-used': { session: { ...signedOut, lastProviderId: 'acme' }, providers: several },
  managed: { session: signedOut, managed: true },
  'managed-by': { session: signedOut, managed: true, managedBy: northern },
  'managed-by-links': { session: signedOut, managed: true, managedBy: northern, product: productPages },
  'managed-refused': { session: { ...signedOut, problem: misconfigured }, managed: true, providers: [] },
  'managed-several': { session: signedOut, managed: true, providers: several },
  // Click the button.
  'signed-out-refused': { session: signedOut, refusal: unreachable },
  'provider-session-ending': afterSignOut('ending'),
  'provider-session-ended': afterSignOut('ended'),
  'provider-session-open': afterSignOut('open'),
};

function signingInFaces(nowMs: number): Rows {
  const signingIn: SigningIn = {
    status: 'signing-in',
    providerId: demo.id,
    order: { type: 'sign-in', providerId: demo.id },
    attempt: 'attempt-1',
    startedAtMs: nowMs,
    before: signedOut,
  };
  const late = { startedAtMs: nowMs - 60_000 };
  const device: DeviceCode = {
    userCode: 'WDJB-MJHT',
    verificationUri: 'https://id.example.com/device',
    expiresAtMs: nowMs + 14 * 60_000,
  };
  const longDevice: DeviceCode = {
    userCode: 'QWRT-YPSD-FGHJ-KLZX-CVBN-MQWR-TY',
    verificationUri: 'https://sign-in.accounts.a-rather-long-department.example.org/device',
    expiresAtMs: nowMs + 30 * 60_000,
  };
  // A page in it failed, such as after a second click on a link.
  const closed: Problem = { code: 'interrupted', detail: sample, window: 'closed-by-browser' };
  const missing = toProblem('sign-in-page-failed');
  const leftOpen = (code: ProblemCode): Problem => ({ ...toProblem(code), window: 'left-open' });
  const over = { before: adaSignedIn };
  const api = 'https://payments.acme.example';
  const stepUp = { type: 'step-up', acrValues: null, maxAgeSeconds: 60, api } as const;
  const moreScope = { type: 'request-scope', scope: 'payments.write', api } as const;
  return {
    'signing-in': { session: signingIn },
    'signing-in-links': { session: signingIn, product: productPages },
    'signing-in-icon': { session: { ...signingIn, providerId: 'acme' }, providers: several },
    'signing-in-late': { session: { ...signingIn, ...late } },
    'signing-in-over-session': { session: { ...signingIn, ...over } },
    // An API asks who the user is, or for more access.
    'signing-in-confirm': { session: { ...signingIn, ...over, order: stepUp, apiName: 'Acme Payments' } },
    'signing-in-scope': { session: { ...signingIn, ...over, order: moreScope, apiName: 'Acme Payments' } },
    'signing-in-over-session-late': { session: { ...signingIn, ...over, ...late } },
    'signing-in-code-pending': { session: { ...signingIn, device: null } },
    'signing-in-code': { session: { ...signingIn, device } },
    'signing-in-code-long': { session: { ...signingIn, device: longDevice } },
    'signing-in-code-ends': { session: { ...signingIn, device: { ...device, expiresAtMs: nowMs + 20_000 } } },
    'signing-in-code-over-session': { session: { ...signingIn, ...over, device } },
    // Click Cancel.
    'signing-in-code-refused': { session: { ...signingIn, device }, refusal: unreachable },
    'cancelled-window-left': { session: { ...signedOut, problem: leftOpen('cancelled') } },
    'timed-out-window-left': { session: { ...signedOut, problem: leftOpen('timed-out') } },
    'interrupted-window-closed': { session: { ...signedOut, problem: closed } },
    'interrupted-window-closed-over-session': {
      session: { ...adaSignedIn, problem: { ...closed, order: { type: 'use-another-account' } } },
    },
    // Click the first button of each.
    'signing-in-window-not-opened': { session: signingIn, refusal: missing },
    'signing-in-window-not-found': { session: signingIn, refusal: leftOpen('sign-in-page-failed') },
    'signing-in-late-refused': { session: { ...signingIn, ...late }, refusal: unreachable },
  };
}

function signedInFaces(picture: string): Rows {
  const as = (profile: Profile) => toSignedIn(profile, adaSignedIn.sinceMs);
  return {
    'signed-in': { session: adaSignedIn },
    'signed-in-picture': { session: as({ ...ada, picture }) },
    'signed-in-long-name': { session: as(longest) },
    'signed-in-right-to-left': { session: as(rightToLeft) },
    'signed-in-no-name': { session: as({ ...ada, name: null }) },
    'signed-in-no-email': { session: as({ ...ada, name: null, email: null }) },
    'signed-in-ends-session': { session: adaSignedIn, providers: [endsSession] },
    'signed-in-managed': { session: adaSignedIn, managed: true },
    'signed-in-managed-by-links': {
      session: adaSignedIn,
      providers: [endsSession],
      managed: true,
      managedBy: northern,
      product: productPages,
    },
    'signed-in-managed-by': { session: adaSignedIn, managed: true, managedBy: 'Acme IT' },
    'signed-in-compact': { session: adaSignedIn, header: 'compact', feature: 'plain' },
    'signed-in-compact-picture': { session: as({ ...longest, picture }), header: 'compact' },
    'signed-in-plain-feature': { session: adaSignedIn, feature: 'plain' },
    'signed-in-tall-feature': { session: adaSignedIn, feature: 'tall' },
    // A notice below more than fits.
    'signed-in-tall-notice': {
      session: { ...adaSignedIn, problem: toProblem('unexpected') },
      feature: 'tall',
    },
    'signed-in-failing-feature': { session: adaSignedIn, feature: 'failing' },
    // Each renewal has failed since a day before.
    'signed-in-not-refreshed': {
      session: { ...adaSignedIn, problem: { ...misconfigured, failingSinceMs: adaSignedIn.sinceMs } },
    },
  };
}

/** The problems for which the product's help is named, each in other words, with a face of their own. */
const supportCodes: readonly ProblemCode[] = ['denied', 'provider-misconfigured', 'not-permitted'];

/** The problems of another sign-in, while a user stays signed in, with a face of their own. */
const secondSignInCodes: readonly ProblemCode[] = ['denied', 'not-permitted', 'response-rejected'];

function problemFaces(code: ProblemCode): Rows {
  const problem = toProblem(code);
  const back = { [`${code}-returning`]: { session: { ...returning, problem } } };
  // A session that has ended leaves an account, whose provider may no longer be configured.
  const gone = [{ ...lastAccount, providerId: 'gone' }];
  if (code === 'expired') {
    return { 'expired-signed-out': { session: { ...signedOut, problem, accounts: gone } }, ...back };
  }
  const second = { ...problem, order: { type: 'use-another-account' } } as const;
  return {
    [`${code}-signed-out`]: { session: { ...signedOut, problem } },
    ...back,
    ...(supportCodes.includes(code) && {
      [`${code}-support`]: { session: { ...signedOut, problem }, product: productPages },
    }),
    [`${code}-signed-in`]: { session: { ...adaSignedIn, problem } },
    ...(secondSignInCodes.includes(code) && {
      [`${code}-second`]: { session: { ...adaSignedIn, problem: second } },
    }),
  };
}

const diagnosisFaces: Rows = Object.fromEntries(
  diagnosed.map(([code, reason, cause, certainty]): [string, Row] => {
    const diagnosis = { cause, certainty, register: registered[cause] ?? null };
    return [
      `diagnosis-${cause}-${certainty}`,
      { session: { ...signedOut, problem: { code, detail: reason, diagnosis } } },
    ];
  }),
);

/**
 * Shows the face's view, in which an account can be removed and brought back. Refuses commands with the face's `refusal`, if
 * there is one: only `show-window` if it is about the window, and otherwise every command. Accepts the other commands, and does
 * nothing.
 */
export function toObserver({ view, refusal }: Pick<Face, 'view' | 'refusal'>): SessionObserver {
  let shown = view;
  const watchers = new Set<() => void>();
  return {
    getSnapshot: () => shown,
    subscribe(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    async send(command) {
      const isRefused = refusal?.code !== 'sign-in-page-failed' || command.type === 'show-window';
      if (refusal && isRefused) return { ok: false, problem: refusal };
      shown = withCommand(shown, command);
      for (const watcher of watchers) watcher();
      return { ok: true };
    },
    allowHosts: async () => true,
    report: async () => 'The report of a face in the gallery.',
  };
}

function withCommand(view: BoardView, command: Command): BoardView {
  if (view.status === 'starting' || view.board.session.status === 'signing-in') return view;
  let { session } = view.board;
  if (command.type === 'forget-account')
    session = { ...session, accounts: withoutAccount(session.accounts, command.account) };
  if (command.type === 'remember-account') session = withAccount(session, command.account, command.at);
  return { ...view, board: { ...view.board, session } };
}
