// All views of the popup, called faces, for the gallery and for tests. Problems have the details and the diagnoses that
// the worker gives them.

import { problemCodes } from '../session/problem.ts';
import { signedOut, toAccountHint, toSignedIn, type Profile, type SignedIn } from '../session/session.ts';
import { demo, endsSession, several, thirty, longNames, ada, longest, rightToLeft } from './examples.ts';
import { inGroup, show, unreachable, type Face } from './face-view.ts';
import { details, diagnosedProblems } from './problems.ts';
import { signingInFaces } from './signing-in-faces.ts';

const day = 86_400_000;

const lastAccount = toAccountHint(ada);

const starting = { view: { status: 'starting' } } as const;
/** All faces, in the order of the gallery. `picture` is the URL of a person's picture. */
export function toFaces(nowMs: number, picture: string): readonly Face[] {
  const adaSignedIn = toSignedIn(ada, nowMs - day);
  return [
    ...startingFaces(),
    ...signedOutFaces(),
    ...providerSessionFaces(),
    ...signingInFaces(nowMs, adaSignedIn),
    ...signedInFaces(adaSignedIn, picture),
    ...problemFaces(adaSignedIn),
    ...diagnosisFaces(),
  ];
}

function startingFaces(): readonly Face[] {
  return inGroup('Starting', {
    starting: { title: 'Starting', ...starting, openedMsAgo: 1_000 },
    'starting-slow': { title: 'Starting takes long', ...starting, openedMsAgo: 20_000 },
    'starting-unanswered': {
      title: 'Starting, and the worker does not answer (shown after 3 seconds)',
      ...starting,
      refusal: unreachable,
    },
  });
}

function signedOutFaces(): readonly Face[] {
  return inGroup('Signed out', {
    'first-run': { title: 'First run', ...show(signedOut) },
    'providers-several': { title: 'Several providers', ...show(signedOut, { providers: several }) },
    'providers-thirty': { title: 'Thirty providers', ...show(signedOut, { providers: thirty }) },
    'providers-long-names': {
      title: 'Many providers, some with long names in several scripts',
      ...show(signedOut, { providers: [...longNames, ...thirty] }),
    },
    'providers-none': { title: 'No provider', ...show(signedOut, { providers: [] }) },
    returning: { title: 'A person returns', ...show({ ...signedOut, lastAccount }) },
    'returning-several': {
      title: 'A person returns, several providers',
      ...show({ ...signedOut, lastAccount }, { providers: several }),
    },
    'returning-thirty': {
      title: 'A person returns, thirty providers',
      ...show({ ...signedOut, lastAccount }, { providers: [demo, ...thirty] }),
    },
    'returning-long-name': {
      title: 'A person with a very long name returns',
      ...show({ ...signedOut, lastAccount: toAccountHint(longest) }),
    },
    managed: { title: 'Managed by an administrator', ...show(signedOut, { managed: true }) },
    'managed-by': {
      title: 'Managed by an organization with a long name, one provider',
      ...show(signedOut, {
        managed: true,
        managedBy: 'Northern Counties Health and Social Care, IT services',
      }),
    },
    'managed-refused': {
      title: 'A policy with a mistake, and none before it',
      ...show(
        {
          ...signedOut,
          problem: { code: 'provider-misconfigured', detail: details['provider-misconfigured'] },
        },
        { managed: true, providers: [] },
      ),
    },
    'managed-several': {
      title: 'Managed, several providers',
      ...show(signedOut, { managed: true, providers: several }),
    },
    'signed-out-refused': {
      title: 'Every command is refused: click the button',
      ...show(signedOut),
      refusal: unreachable,
    },
  });
}

function providerSessionFaces(): readonly Face[] {
  return inGroup(
    'Signed out at the provider too',
    Object.fromEntries(
      (['ending', 'ended', 'open'] as const).map((status) => [
        `provider-session-${status}`,
        {
          title: `The session at the provider: ${status}`,
          ...show(
            { ...signedOut, providerSession: { providerId: demo.id, status } },
            { providers: [endsSession] },
          ),
        },
      ]),
    ),
  );
}

function signedInFaces(adaSignedIn: SignedIn, picture: string): readonly Face[] {
  const signedInAs = (profile: Profile) => show(toSignedIn(profile, adaSignedIn.sinceMs));
  return inGroup('Signed in', {
    'signed-in': { title: 'Without a picture', ...signedInAs(ada) },
    'signed-in-picture': { title: 'With a picture', ...signedInAs({ ...ada, picture }) },
    'signed-in-long-name': { title: 'A very long name', ...signedInAs(longest) },
    'signed-in-right-to-left': { title: 'A name from right to left', ...signedInAs(rightToLeft) },
    'signed-in-no-name': { title: 'An e-mail address and no name', ...signedInAs({ ...ada, name: null }) },
    'signed-in-no-email': {
      title: 'Neither name nor e-mail address',
      ...signedInAs({ ...ada, name: null, email: null }),
    },
    'signed-in-ends-session': {
      title: 'The provider’s session can be ended too',
      ...show(adaSignedIn, { providers: [endsSession] }),
    },
    'signed-in-managed': {
      title: 'Managed by an administrator',
      ...show(adaSignedIn, { managed: true }),
    },
    'signed-in-managed-by': {
      title: 'Managed by an organization with a name',
      ...show(adaSignedIn, { managed: true, managedBy: 'Acme IT' }),
    },
    'signed-in-tall-feature': { title: 'A tall feature', ...show(adaSignedIn), feature: 'tall' },
    'signed-in-failing-feature': {
      title: 'A feature that throws',
      ...show(adaSignedIn),
      feature: 'failing',
    },
  });
}

function problemFaces(adaSignedIn: SignedIn): readonly Face[] {
  return problemCodes.flatMap((code) => {
    const problem = { code, detail: details[code] };
    const returning = { ...signedOut, problem, lastAccount };
    // A session that has ended leaves an account, whose provider may no longer be configured.
    const nobody =
      code === 'expired' ? { ...returning, lastAccount: { ...lastAccount, providerId: 'gone' } } : null;
    return inGroup(`Problem: ${code}`, {
      [`${code}-signed-out`]: { title: 'Signed out', ...show(nobody ?? { ...signedOut, problem }) },
      [`${code}-returning`]: { title: 'A person returns', ...show(returning) },
      ...(code !== 'expired' && {
        [`${code}-signed-in`]: { title: 'Signed in', ...show({ ...adaSignedIn, problem }) },
      }),
    });
  });
}

function diagnosisFaces(): readonly Face[] {
  return inGroup(
    'Diagnoses of a failed sign-in page',
    Object.fromEntries(
      diagnosedProblems.map((problem) => {
        const { cause, certainty } = problem.diagnosis;
        const title = `${cause}, a ${certainty === 'known' ? 'known cause' : 'guess'}`;
        return [`diagnosis-${cause}-${certainty}`, { title, ...show({ ...signedOut, problem }) }];
      }),
    ),
  );
}
