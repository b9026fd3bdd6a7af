// The demo provider's pages, as HTML. A page loads nothing from other hosts and works without scripts.

import type { User } from './people.ts';

const scopeTexts: Readonly<Record<string, readonly [string, string]>> = {
  openid: ['Know who you are', 'An identifier that stays the same'],
  profile: ['See your profile', 'Name and picture'],
  email: ['See your email address', 'And whether it is verified'],
  offline_access: ['Keep you signed in', 'Without asking you each time'],
  'bills.read': ['Read your bills', 'With a token of their own'],
  'notes.read': ['Read your notes', 'Asked for when a feature needs them'],
};

/** The choice of an account. The user whose id or email is `hint` comes first and has the focus. */
export function accountPage(
  people: readonly User[],
  { hint, currentId }: { readonly hint: string | null; readonly currentId: string | null },
): string {
  const isHinted = (user: User) => user.id === hint || user.email === hint;
  const inOrder = [...people].toSorted((one, other) => Number(isHinted(other)) - Number(isHinted(one)));
  const buttons = inOrder.map(
    (
      user,
    ) => `<button class="account" name="account" value="${escape(user.id)}"${isHinted(user) ? ' autofocus' : ''}>
  ${avatar(user)}
  <span class="who">${escape(user.name)}${user.id === currentId ? ' <small>signed in</small>' : ''}<span>${escape(user.email)}</span></span>
</button>`,
  );
  return page(
    'Sign in to the demo provider',
    `<p>It runs on this computer, and its people are fictional. Choose one to sign in as.</p>
<form class="answers" method="post">
${buttons.join('\n')}
<button name="cancel" value="yes">Cancel</button>
</form>`,
  );
}

/** The consent to the requested scopes. */
export function consentPage(user: User, scopes: readonly string[]): string {
  const items = scopes.map((scope) => {
    const [title, detail] = scopeTexts[scope] ?? [scope, ''];
    return `<li>${escape(title)}<span>${escape(detail)}</span></li>`;
  });
  return page(
    'Allow the extension to do this?',
    `<p>You are <strong>${escape(user.name)}</strong> (${escape(user.email)}).</p>
<ul>
${items.join('\n')}
</ul>
<form class="answers" method="post">
<button class="primary" name="allow" value="yes">Allow</button>
<button name="deny" value="yes">Deny</button>
</form>`,
  );
}

/** Asks whether to end the session at the provider. `form` is oidc-provider's own form, which the buttons submit. */
export function logoutPage(form: string): string {
  return page(
    'Sign out of the demo provider?',
    `<p>The next sign-in will ask you to choose an account again.</p>
${form}
<div class="answers">
<button class="primary" form="op.logoutForm" name="logout" value="yes">Sign out</button>
<button form="op.logoutForm">Stay signed in</button>
</div>`,
  );
}

export function signedOutPage(): string {
  return page('You are signed out', '<p>You can close this window.</p>');
}

/** Asks for the code of a sign-in elsewhere. `form` is oidc-provider's own form, with a field for it. */
export function codePage(form: string, hasFailed: boolean): string {
  return page(
    'Enter the code',
    `<p>${hasFailed ? 'That code is wrong or has expired. Check it, or start again.' : 'It is shown where you started to sign in.'}</p>
<div class="answers">
${form}
<button class="primary" form="op.deviceInputForm">Continue</button>
</div>`,
  );
}

/** Asks whether the user has started this sign-in. Someone else may have sent them the code. */
export function codeConfirmationPage(form: string, code: string): string {
  return page(
    'Is this your code?',
    `<p>Continue only if you started to sign in yourself and see the same code there: <strong>${escape(code)}</strong></p>
${form}
<div class="answers">
<button class="primary" form="op.deviceConfirmForm" name="same" value="yes">It is the same</button>
<button form="op.deviceConfirmForm" name="abort" value="yes">Cancel</button>
</div>`,
  );
}

export function codeAcceptedPage(): string {
  return page('You are signed in', '<p>You can close this tab.</p>');
}

/** An error that can't be sent to the client. `detail` is for the developer. */
export function errorPage(title: string, text: string, detail: string | null = null): string {
  return page(
    title,
    `<p>${escape(text)}</p>${detail === null ? '' : `\n<p><code>${escape(detail)}</code></p>`}`,
  );
}

function avatar(user: User): string {
  if (user.portrait !== null) return `<img class="avatar" src="/people/${escape(user.id)}.svg" alt="">`;
  const initials = user.name.split(' ').map((word) => word.charAt(0));
  return `<span class="avatar" aria-hidden="true">${escape(initials.join(''))}</span>`;
}

const style = `
:root {
  color-scheme: light dark;
  --quiet: light-dark(#566070, #a2acbb);
  --line: light-dark(#d5dbe3, #363d49);
  --accent: light-dark(#1d5fd0, #8cb4ff);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100dvh;
  display: grid;
  place-content: center;
  grid-template-columns: minmax(0, 25rem);
  padding: 1rem;
  background: light-dark(#ffffff, #1b1f26);
  color: light-dark(#1a2029, #e9ecf1);
  font: 1rem/1.5 system-ui, sans-serif;
}
.brand { width: 2.75rem; color: var(--accent); }
h1 { margin: 1.25rem 0 0.5rem; font-size: 1.375rem; line-height: 1.25; }
p { margin: 0 0 1.25rem; color: var(--quiet); }
.answers { display: grid; gap: 0.625rem; }
button {
  min-height: 2.75rem;
  padding: 0.5rem 1rem;
  border: 1px solid var(--line);
  border-radius: 0.625rem;
  background: none;
  color: inherit;
  font: inherit;
  cursor: pointer;
}
button:hover { border-color: var(--accent); }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button.primary { background: var(--accent); color: light-dark(#ffffff, #0d1a33); font-weight: 600; }
button.account { display: flex; align-items: center; gap: 0.875rem; padding: 0.75rem; text-align: start; }
.avatar { flex: none; display: grid; place-content: center; width: 2.5rem; height: 2.5rem; border-radius: 50%; background: var(--line); }
.who { min-width: 0; line-height: 1.35; overflow-wrap: anywhere; }
.who span, li span { display: block; color: var(--quiet); font-size: 0.875rem; }
ul { margin: 0 0 1.5rem; padding: 0; list-style: none; }
li { padding: 0.4375rem 0; border-top: 1px solid var(--line); }
`;

// A double click must not submit twice: the first submission ends the interaction.
const script = `
let sent = false;
addEventListener('submit', (event) => { if (sent) event.preventDefault(); sent = true; });
addEventListener('pageshow', () => { sent = false; });
`;

const key = `<svg class="brand" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="7.5" cy="15.5" r="4.5"/><path d="m10.7 12.3 9.3-9.3m-4 4 3 3m-6 0 2 2"/></svg>`;

/** The headers of a page. */
export const pageHeaders = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };

function page(heading: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(heading)}</title>
<style>${style}</style>
<script>${script}</script>
</head>
<body>
<main>
${key}
<h1>${escape(heading)}</h1>
${content}
</main>
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
