import { seed } from '../seed.ts';

await seed(() => undefined);
