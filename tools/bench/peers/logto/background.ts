// As the documents of the package show: the worker signs in and out.

import { client } from './client.ts';

chrome.runtime.onMessage.addListener(
  (message: { action?: string }, _sender: unknown, respond: (reply?: string) => void) => {
    if (message.action === 'signIn') {
      void client.signIn(chrome.identity.getRedirectURL('/callback')).finally(() => respond());
      return true;
    }
    if (message.action === 'signOut') {
      void client.signOut(chrome.identity.getRedirectURL()).finally(() => respond());
      return true;
    }
    respond('awake');
    return false;
  },
);
