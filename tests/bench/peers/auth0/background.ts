// The library needs a window, so it runs in the popup. The worker only exists.

import '../answer.ts';
