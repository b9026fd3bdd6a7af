import { expect, test } from 'vitest';
import { loadProfiles, profiles } from '../../../tools/build/profiles.ts';

test('each file of the folder is a profile, apart from the one that describes their form', () => {
  expect(loadProfiles().map(({ name }) => name)).toEqual(profiles.names());
  expect(profiles.names()).not.toContain('profile');
  expect(profiles.find('keycloak')).toMatchObject({ use: 'preset', title: 'Keycloak' });
});

test.each(['../package', 'profile', '', 'constructor'])('%j is no profile', (name) => {
  expect(profiles.find(name)).toBeNull();
});
