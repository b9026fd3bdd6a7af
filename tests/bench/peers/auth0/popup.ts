// The user that the library has stored, without a question to the service.

import { show } from '../show.ts';
import { client } from './client.ts';

const user = await client.getUser();
show(user?.email);
