// The demo provider's pages, as HTML.

import { escape, page } from './page.ts';
import type { User } from './people.ts';

/** A title and a detail for each scope on the consent page. */
const scopeTexts: Readonly<Record<string, readonly [string, string]>> = {
  openid: ['Know who you are', 'An identifier that stays the same'],
  profile: ['See your profile', 'Name and picture'],
  email: ['See your e-mail address', 'And whether it is verified'],
  offline_access: ['Keep you signed in', 'Without asking you each time'],
  'bills.read': ['Read your bills', 'With a token of their own'],
  'notes.read': ['Read your notes', 'Asked for when a feature needs them'],
};

/** The choice of an account. The user whose id or e-mail is `hint` comes first and has the focus. */
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

/** An error that cannot be sent to the client. `detail` is for the developer. */
export function errorPage(title: string, text: string, detail: string | null = null): string {
  return page(
    title,
    `<p>${escape(text)}</p>${detail === null ? '' : `\n<p><code>${escape(detail)}</code></p>`}`,
  );
}

function avatar(user: User): string {
  if (user.portrait !== null) return `<img class="avatar" src="/people/${escape(user.id)}.svg" alt="">`;
  const initials = user.name.split(' ').map((word) => word.charAt(0));
  return `<span class="avatar initials" aria-hidden="true">${escape(initials.join(''))}</span>`;
}
