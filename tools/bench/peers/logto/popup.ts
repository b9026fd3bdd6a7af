// As the documents of the package show: the popup asks its own client.

import { show } from '../show.ts';
import { client } from './client.ts';

const claims = (await client.isAuthenticated()) ? await client.getIdTokenClaims() : undefined;
show(claims?.email ?? undefined);
