import browser from 'webextension-polyfill';

// Shows the number of notes on each page.
void browser.runtime.sendMessage('how-many-notes').then((notes) => {
  document.documentElement.dataset['notes'] = String(notes);
});
