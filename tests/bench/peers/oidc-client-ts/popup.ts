// The user that the library has stored, as https://authts.github.io/oidc-client-ts/ reads it.

import { show } from '../show.ts';
import { manager } from './manager.ts';

const user = await manager.getUser();
show(user?.profile.email);
