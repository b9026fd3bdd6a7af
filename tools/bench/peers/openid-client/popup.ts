// The session that the worker has stored.

import { show } from '../show.ts';

const { session } = await chrome.storage.local.get('session');
show(session?.claims.email);
