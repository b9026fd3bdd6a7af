// `npm run add-provider`: writes a provider into the configuration, and then runs the doctor. In a terminal it asks for what the
// command line doesn't say.

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { toMistake } from '../src/config/config-error.ts';
import { findNearest } from '../src/config/nearest.ts';
import { providerEntries } from '../src/config/schema.ts';
import { checkIssuer } from '../src/config/url.ts';
import type { Ask, PresetProfile } from '../src/providers/profile.ts';
import { parseConfig, toConfigPath } from './build/read-config.ts';
import { FileError, setInJson, readText, root as project } from './build/read-text.ts';
import { loadProfiles, profiles } from './build/profiles.ts';
import { readOptions, runIfStarted, toMessage, UsageError } from './command.ts';
import { demoAddress } from './demo.ts';
import { runDoctor } from './doctor.ts';
import { findIssuerRemedy, recognize } from './doctor/configuration.ts';
import { printRegister, printSaid, wrap } from './doctor/print.ts';
import { toRegister } from './doctor/report.ts';
import { toExtensionIds, toTargets, type ExtensionIds } from './redirect-uris.ts';
import { readManifest } from './build/read-manifest.ts';
import { toExample, toExampleProvider, toOutline } from './profile-outline.ts';

/** The values of the options, by their names. */
export type Given = Readonly<Record<string, string | undefined>>;

/** The place of the configuration, and the user who adds to it. */
interface Surroundings {
  readonly root: string;
  /** The configuration's file, relative to `root`. */
  readonly path: string;
  readonly extension: ExtensionIds;
  /** Asks the user, and resolves with the answer. Rejects when the input has ended. Null where there is no terminal. */
  readonly ask: ((question: string) => Promise<string>) | null;
  readonly log: (text: string) => void;
}

interface Chosen {
  readonly profile: PresetProfile;
  /** Its entry in the configuration, without the answers. */
  readonly entry: { readonly id: string; readonly name: string };
  /** The issuer, if that named the provider. */
  readonly issuer?: string;
}

/** Reads the options. Throws a {@link UsageError}. */
export function readGiven(args?: readonly string[], environment?: Given): Given {
  const option = (description: string) => ({ type: 'string', description }) as const;
  const asks = loadProfiles().flatMap(({ profile }) => (profile.use === 'preset' ? profile.asks : []));
  const ofProvider = {
    provider: option('The name of a profile, such as auth0, or the issuer of any other provider.'),
    issuer: option('The issuer.'),
  };
  const options = {
    ...ofProvider,
    ...Object.fromEntries(asks.map((ask) => [toOption(ask), option(`If it's asked for: ${ask.expected}.`)])),
    // Most providers ask for it in words of their own.
    ...ofProvider,
    id: option('The id, which is part of the redirect URIs.'),
    name: option('The name on the sign-in button.'),
    'api-origins': option('The origins of the APIs that your feature calls, with spaces between them.'),
    'client-id': option('The client ID of your registration.'),
  };
  return readOptions(options, '--provider auth0 --issuer https://acme.auth0.com/', args, environment);
}

/**
 * Adds a provider to the configuration, in place of the demo provider if that's the only one. Says what to register before it asks
 * for the client ID. Returns what it has done, in a sentence.
 *
 * Writes nothing if it throws: a {@link UsageError} for an option that is missing or wrong, and a `FileError` for a configuration
 * that the build refuses, before or after, or that has changed while the user answered.
 */
export async function addProvider(surroundings: Surroundings, options: Given): Promise<string> {
  const { root, path, extension, log } = surroundings;
  const text = readText(path, root);
  const { providers } = parseConfig(text, path);
  const isDemoAlone = providers.length === 1 && providers[0]?.issuer === demoAddress;
  const taken = isDemoAlone ? [] : providers.map(({ id }) => id);

  const answer = createAnswer(surroundings);
  const named = options['provider'] ?? options['issuer'];
  const expected = 'a profile, such as "auth0", or the issuer of any other provider';
  const chosen = await answer('provider', named, expected, choose);
  const { profile, entry, issuer = options['issuer'] } = chosen;
  const given: Given = { ...options, issuer };
  const checkOwnIssuer = (written: string) => checkIssuerOf(profile, written);
  const isAsked = (option: string) => profile.asks.some((ask) => toOption(ask) === option);
  const own: Record<string, unknown> = {};
  for (const [option, value] of Object.entries(given)) {
    if (value === undefined || ofEach.includes(option) || isAsked(option)) continue;
    if (option !== 'issuer')
      throw new UsageError(`--${option}: ${profile.title} doesn't need it. Leave it out.`);
    const written = await answer(option, value, 'the issuer', checkOwnIssuer);
    if (written !== profile.settings.issuer) own['issuer'] = written;
  }
  for (const ask of profile.asks) {
    const option = toOption(ask);
    own[ask.setting] = await answer(option, given[option], ask.expected, (written) => {
      if (option === 'issuer') return checkOwnIssuer(written);
      return Array.isArray(toExample(ask)) ? written.split(/[\s,]+/) : written;
    });
  }
  const expectedId = 'part of the redirect URIs; it stays';
  const readId = (written: string) => readMember('id', written, taken);
  const id = await answer('id', given['id'], expectedId, readId, toFreeId(entry.id, taken));
  const readName = (written: string) => readMember('name', written);
  const name = await answer('name', given['name'], 'on the sign-in button', readName, entry.name);
  if (given['client-id'] === undefined) log(describeProfile(profile, id, extension).join('\n'));
  const ofClientId = 'the client ID of your registration';
  const clientId = await answer('client-id', given['client-id'], ofClientId, String);

  const expectedOrigins = "your API's origins, if it has any";
  const readOrigins = (written: string) => readMember('apiOrigins', written.match(/[^\s,]+/g) ?? []);
  const origins = await answer('api-origins', given['api-origins'], expectedOrigins, readOrigins, '');
  const apiOrigins = origins.length > 0 ? { apiOrigins: origins } : {};

  const added = { ...entry, id, name, ...own, clientId, ...apiOrigins };
  const content = setInJson(path, text, ['providers', taken.length], added);
  parseConfig(content, path);
  if (readText(path, root) !== text)
    throw new FileError([`${path}: it has changed in the meantime; run the command again`]);
  await writeFile(resolve(root, path), content);
  const replaced = isDemoAlone ? ', in place of the demo provider' : '';
  return `Added ${name} to ${path}, as ${JSON.stringify(id)}${replaced}.`;
}

const toOption = ({ setting }: Ask) => setting.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const ofEach: readonly string[] = ['provider', 'id', 'name', 'api-origins', 'client-id'];

/** Returns a member of a provider's entry. Throws an Error of one line for one that the build refuses, or that is `taken`. */
function readMember<T>(member: 'id' | 'name' | 'apiOrigins', value: T, taken: readonly T[] = []): T {
  const [issue] = v.safeParse(providerEntries()[member], value).issues ?? [];
  if (issue !== undefined) throw new Error(`${toMistake(issue).text}.`);
  if (taken.includes(value))
    throw new Error(`another provider has ${JSON.stringify(value)}; expected another one.`);
  return value;
}

/**
 * A function that reads an option, or, if it isn't given, asks until the answer fits. `read` throws an Error for one that doesn't.
 * An option with a `fallback` may be missing, and its answer empty.
 */
function createAnswer({ ask, log }: Surroundings) {
  return async <T>(
    option: string,
    given: string | undefined,
    expected: string,
    read: (written: string) => T,
    fallback?: string,
  ): Promise<T> => {
    if (given === undefined && ask === null) {
      if (fallback !== undefined) return read(fallback);
      throw new UsageError(`--${option}: missing; expected ${expected}.`);
    }
    const shown = fallback ? ` [${fallback}]` : '';
    for (;;) {
      const written = (given ?? (await ask?.(`${option} (${expected})${shown}: `)) ?? '').trim();
      try {
        if (written !== '') return read(written);
        if (given === undefined && fallback !== undefined) return read(fallback);
        throw new Error(`expected ${expected}.`);
      } catch (error) {
        if (given !== undefined) throw new UsageError(`--${option}: ${toMessage(error)}`);
        log(toMessage(error));
      }
    }
  };
}

function choose(written: string): Chosen {
  const isIssuer = /^https?:/i.test(written);
  const name = isIssuer ? recognize({ issuer: written }, null, loadProfiles())?.name : written;
  if (name === undefined) return toUnknown(written);
  const profile = findPreset(name);
  const { clientId: _example, ...entry } = toExampleProvider(name, profile);
  return { profile, entry, ...(isIssuer && { issuer: written }) };
}

/** The profile of this name. Throws an Error of one line if no configuration can use it. */
function findPreset(name: string): PresetProfile {
  const found = profiles.find(name);
  if (found?.use === 'preset') return found;
  if (found !== null) throw new Error(`${found.title} can't be used directly. ${found.refusal}`);
  const nearest = findNearest(name, profiles.names());
  const advice = nearest ? `Did you mean "${nearest}"?` : 'docs/providers/README.md lists all profiles.';
  throw new Error(`there is no profile ${JSON.stringify(name)}. ${advice}`);
}

/** Returns an issuer that fits the profile. Throws an Error of one line for any other. */
function checkIssuerOf(profile: PresetProfile, issuer: string): string {
  const found = `found ${JSON.stringify(issuer)};`;
  const remedy = findIssuerRemedy(issuer, profile, loadProfiles());
  if (remedy !== null) throw new Error(`${found} that isn't an issuer of ${profile.title}. ${remedy}`);
  const fault = checkIssuer(issuer);
  if (fault !== null) throw new Error(`${found} expected ${fault}.`);
  return issuer;
}

/** The facts about a provider, and the values to register there for the provider with this id, in lines. */
export function describeProfile(profile: PresetProfile, id: string, ids: ExtensionIds): readonly string[] {
  const { flow, scope } = toOutline(profile);
  const { firefoxRedirect = 'extensions.allizom.org' } = profile.settings;
  const targets = toTargets(ids, { id, firefoxRedirect });
  return [
    `${profile.title}, signs in with: ${flow}`,
    ...wrap(`Scope: ${scope === '' ? 'none' : scope}`, '  '),
    ...profile.limits.flatMap(({ text }) => printSaid('note', text)),
    ...printRegister(id, toRegister(targets, scope, profile)),
  ];
}

function toUnknown(issuer: string): Chosen {
  const fault = checkIssuer(issuer);
  if (fault !== null) throw new Error(`found ${JSON.stringify(issuer)}; expected ${fault}.`);
  const { hostname } = new URL(issuer);
  const profile: PresetProfile = {
    use: 'preset',
    title: hostname,
    settings: {},
    asks: [{ setting: 'issuer', expected: 'the issuer' }],
    issuers: { example: issuer, patterns: [], mistakes: [] },
    registration: { console: hostname, steps: [] },
    limits: [],
    read: '',
    facts: [],
  };
  return { profile, entry: { id: hostname.replaceAll('.', '-').slice(0, 40), name: hostname }, issuer };
}

/** The id itself, or with the first number that makes it different from the ids in use. */
function toFreeId(id: string, taken: readonly string[]): string {
  let free = id;
  for (let number = 2; taken.includes(free); number += 1) free = `${id.slice(0, 37)}-${number}`;
  return free;
}

/** Asks in the terminal; null if there is none. Between two questions, Ctrl-C is a signal as in any other command. */
export function openTerminal(
  input: NodeJS.ReadableStream & { readonly isTTY?: boolean } = process.stdin,
  output: NodeJS.WritableStream & { readonly isTTY?: boolean } = process.stdout,
): Surroundings['ask'] {
  if (!input.isTTY || !output.isTTY) return null;
  return (question) =>
    new Promise((resolveAnswer, reject) => {
      const terminal = createInterface({ input, output });
      terminal.once('close', () => reject(new Error('Nothing has been written.')));
      terminal.question(question, (answer) => {
        resolveAnswer(answer);
        terminal.close();
      });
    });
}

await runIfStarted(import.meta.url, async (onStop) => {
  const given = readGiven();
  const extension = toExtensionIds(readManifest());
  const place = { root: project, path: toConfigPath(), extension, ask: openTerminal(), log: console.log };
  console.log(await addProvider(place, given));
  await runDoctor({}, onStop, console.log);
});
