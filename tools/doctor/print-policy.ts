// Says in words what the doctor has found about a policy.

import { quote } from '../../src/config/describe.ts';
import { quoteVisibly } from '../../src/config/visible.ts';
import { printSaid, wrap } from './lines.ts';
import type { ExaminedPolicy, KnownIds, PolicyReport, PolicySettings } from './policy.ts';

/** The lines about the policies of a file. */
export function printPolicy({ file, form, ids, policies, beside }: PolicyReport): readonly string[] {
  return [
    `${file}, ${form}`,
    ...policies.flatMap((policy) => ['', ...printOne(policy, ids)]),
    ...(beside.length === 0 ? [] : ['', ...printBeside(beside)]),
  ];
}

function printOne(policy: ExaminedPolicy, ids: KnownIds): readonly string[] {
  const { extensionId, problems, newIds, settings } = policy;
  return [
    extensionId === null ? 'Policy' : `Policy for ${quote(extensionId)}`,
    ...printAddressee(policy, ids),
    ...problems.flatMap((problem) => printSaid('error', problem)),
    ...(problems.length > 0 ? printSaid('note', notUsed) : []),
    ...(problems.length > 0 && newIds.length > 0 ? printSaid('note', describeNew(newIds)) : []),
    ...(settings === null ? [] : printSettings(settings)),
  ];
}

/** More would hide the rest. */
const maxShown = 10;

const notUsed =
  'Of a policy with a mistake the extension uses nothing: what was in force before stays so, and at a first start no provider is offered.';

function describeNew(newIds: readonly string[]): string {
  const ids = newIds.slice(0, maxShown).map(quote).join(', ');
  return `The build has no provider ${ids}. A policy may bring one, and then it has to be complete: "id", "name", "issuer" and "clientId". To change a provider of the build, use its "id".`;
}

function printAddressee({ browser, addressee, extensionId }: ExaminedPolicy, ids: KnownIds): string[] {
  const isFirefox = browser === 'firefox';
  const own = (isFirefox ? [ids.firefoxId] : [ids.chromeId, ids.edgeId]).filter((id) => id !== null);
  const options = isFirefox ? '--firefox-id' : '--chrome-id or --edge-id';
  switch (addressee) {
    case 'own':
      return printSaid('ok', 'The id is that of this extension.');
    case 'unknown':
      return extensionId === null
        ? printSaid('note', 'The file does not say which extension it is for.')
        : printSaid('note', `Whether the id is right is not known. Name the extension's own: ${options}.`);
    case 'placeholder':
      return printSaid(
        'error',
        `The id is still the placeholder of the sample. Put the id of the extension there${own.length > 0 ? `, such as ${own.join(' or ')}` : ''}. ` +
          'A store may have given it another: see "The ids" in docs/administrators.md.',
      );
    case 'other':
      return printSaid(
        'error',
        `The id is another extension's: this one has ${own.join(' or ')}. No browser would hand the policy over to it. ` +
          `If a store gave it the id of the file, name that: ${options}.`,
      );
  }
}

function printSettings({
  providers,
  notOffered,
  persistence,
  autoSignIn,
  managedBy,
}: PolicySettings): readonly string[] {
  return [
    ...printSaid('ok', 'The extension would use it:'),
    ...(providers.length === 0 ? ['           no provider is offered'] : []),
    ...providers.flatMap(({ id, name, issuer, allowed }, index) => [
      `    ${`${index + 1}.`.padEnd(4)}${name} (${id})  ${issuer}`,
      ...wrap(describeAllowed(allowed), ' '.repeat(8)),
    ]),
    ...(notOffered.length === 0
      ? []
      : wrap(`Not offered: ${notOffered.map(({ id, name }) => `${name} (${id})`).join(', ')}`, '    ')),
    `    persistence: ${persistence}`,
    `    autoSignIn: ${autoSignIn}`,
    `    managedBy: ${managedBy ?? 'nobody is named'}`,
  ];
}

type Allowed = PolicySettings['providers'][number]['allowed'];

function describeAllowed(allowed: Allowed): string {
  const rules = Object.entries(allowed).map(
    ([claim, values]) => `${quoteVisibly(claim)} is ${joinValues(values)}`,
  );
  return rules.length === 0
    ? 'Everybody may sign in whom the provider signs in.'
    : `Only people may sign in whose ${rules.join(', and ')}.`;
}

function joinValues(values: Allowed[string]): string {
  const shown = values
    .slice(0, maxShown)
    .map((value) => (typeof value === 'string' ? quoteVisibly(value) : String(value)));
  const left = values.length - shown.length;
  return [...shown, ...(left > 0 ? [`one of ${left} others`] : [])].join(' or ');
}

function printBeside(beside: readonly string[]): readonly string[] {
  const ids = beside.slice(0, maxShown).map(quote).join(', ');
  return printSaid(
    'note',
    `The file has a policy like this for ${ids} too. If that is this extension, from a store, name the id: --chrome-id, --edge-id or --firefox-id.`,
  );
}
