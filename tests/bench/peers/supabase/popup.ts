// The session that the library has stored.

import { show } from '../show.ts';
import { client } from './client.ts';

const { data } = await client.auth.getSession();
show(data.session?.user.email);
