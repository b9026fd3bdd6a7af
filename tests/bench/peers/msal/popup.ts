// The account that the library has stored.

import { show } from '../show.ts';
import { app } from './app.ts';

await app.initialize();
const [account] = app.getAllAccounts();
show(account?.username);
