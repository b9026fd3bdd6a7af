// Says in words what the doctor has found about a policy.

import { quote } from '../../src/config/describe.ts';
import { quoteVisibly } from '../../src/config/visible.ts';
import { printSaid, wrap } from './lines.ts';
import { toOwnIds, type ExaminedPolicy, type PolicyReport, type PolicySettings } from './policy.ts';

/** More would hide the rest. */
const maxShown = 10;

const list = (ids: readonly string[]) => ids.slice(0, maxShown).map(quote).join(', ');

/** The lines about the policies of a file. */
export function printPolicy({ file, form, ids, policies, beside }: PolicyReport): readonly string[] {
  const alike = `The file has a policy like this for ${list(beside)} too. If that is this extension, from a store, name the ID: --chrome-id, --edge-id or --firefox-id.`;
  return [
    `${file}, ${form}`,
    ...policies.flatMap((policy) => ['', ...printOne(policy, ids)]),
    ...(beside.length === 0 ? [] : ['', ...printSaid('note', alike)]),
  ];
}

const notUsed =
  'The extension uses nothing of a policy with a mistake: the settings before it stay in force, and a first start offers no provider.';
const toBeComplete =
  'A policy may bring one, but it must be complete: "id", "name", "issuer" and "clientId". To change a provider of the build, use its "id".';

function printOne(policy: ExaminedPolicy, ids: PolicyReport['ids']): readonly string[] {
  const { extensionId, problems, newIds, settings } = policy;
  const absent = `The build has no provider ${list(newIds)}. ${toBeComplete}`;
  return [
    extensionId === null ? 'Policy' : `Policy for ${quote(extensionId)}`,
    ...printAddressee(policy, ids),
    ...problems.flatMap((problem) => printSaid('error', problem)),
    ...(problems.length > 0 ? printSaid('note', notUsed) : []),
    ...(problems.length > 0 && newIds.length > 0 ? printSaid('note', absent) : []),
    ...(settings === null ? [] : printSettings(settings)),
  ];
}

function printAddressee(
  { browser, addressee, extensionId }: ExaminedPolicy,
  ids: PolicyReport['ids'],
): string[] {
  const own = toOwnIds(browser, ids).join(' or ');
  const options = browser === 'firefox' ? '--firefox-id' : '--chrome-id or --edge-id';
  const said = {
    own: ['ok', 'The ID is that of this extension.'],
    unknown: [
      'note',
      extensionId === null
        ? 'The file does not say which extension it is for.'
        : `The doctor doesn't know whether the ID is right. Name the extension's own: ${options}.`,
    ],
    placeholder: [
      'error',
      `The ID is still the placeholder of the sample. Put the extension's ID there${own && `, such as ${own}`}. ` +
        'A store may have given it another: see "The IDs" in docs/administrators.md.',
    ],
    other: [
      'error',
      `The ID is another extension's: this one has ${own}. No browser would give it this policy. ` +
        `If a store gave it the ID in the file, name that: ${options}.`,
    ],
  } as const;
  const [severity, text] = said[addressee];
  return printSaid(severity, text);
}

function printSettings(settings: PolicySettings): readonly string[] {
  const { providers, notOffered, persistence, autoSignIn, managedBy } = settings;
  const others = notOffered.map(({ id, name }) => `${name} (${id})`).join(', ');
  return [
    ...printSaid('ok', 'The extension would use it:'),
    ...(providers.length === 0 ? ['           no provider is offered'] : []),
    ...providers.flatMap(({ id, name, issuer, allowed }, index) => [
      `    ${`${index + 1}.`.padEnd(4)}${name} (${id})  ${issuer}`,
      ...wrap(describeAllowed(allowed), ' '.repeat(8)),
    ]),
    ...(others === '' ? [] : wrap(`Not offered: ${others}`, '    ')),
    `    persistence: ${persistence}`,
    `    autoSignIn: ${autoSignIn}`,
    `    managedBy: ${managedBy ?? 'not set'}`,
  ];
}

type Allowed = PolicySettings['providers'][number]['allowed'];

function describeAllowed(allowed: Allowed): string {
  const rules = Object.entries(allowed).map(([claim, values]) => {
    const shown = values
      .slice(0, maxShown)
      .map((value) => (typeof value === 'string' ? quoteVisibly(value) : String(value)));
    const left = values.length - shown.length;
    return `${quoteVisibly(claim)} is ${[...shown, ...(left > 0 ? [`one of ${left} others`] : [])].join(' or ')}`;
  });
  return rules.length === 0
    ? 'Anyone with an account at the provider may sign in.'
    : `A person may sign in only if ${rules.join(', and ')}.`;
}
