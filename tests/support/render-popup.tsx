// The popup in a document without a browser, with a fake of the session observer.

import { act, render } from '@testing-library/react';
import type { Board, BoardView } from '../../src/bridge/session/observer.ts';
import { App } from '../../src/popup/App.tsx';
import { ProviderIcons } from '../../src/popup/components/ProviderTile.tsx';
import { FeatureContext, type MountedFeature } from '../../src/popup/components/FeatureArea.tsx';
import type { Text } from '../../src/popup/i18n/text.ts';
import { TextContext } from '../../src/popup/i18n/use-text.ts';
import type { Session, SigningIn } from '../../src/session/session.ts';
import { toCodeScreen } from '../../src/popup/screens/SigningInByCode.tsx';
import type { PopupHeader } from '../../src/popup/views/SignedInView.tsx';
import { english } from './english.ts';
import { FakeObserver, nobody, toView } from './fake-observer.ts';

export interface PopupSetup {
  readonly text?: Text;
  readonly header?: PopupHeader;
  readonly createFeature?: () => MountedFeature;
  readonly openedAtMs?: number;
  /** URLs by the provider's id. */
  readonly icons?: ReadonlyMap<string, string>;
}

/** The rule that makes `checkVisibility` tell of what is hidden. */
function hideHidden(): void {
  const style = document.createElement('style');
  style.textContent = '[hidden] { display: none; }';
  document.head.replaceChildren(style);
}

/** Renders the popup. `show` changes the board, as the worker does. */
export function renderPopup(
  view: BoardView,
  {
    text = english,
    header = 'full',
    createFeature = () => () => null,
    openedAtMs = Date.now(),
    icons = new Map(),
  }: PopupSetup = {},
) {
  hideHidden();
  const observer = new FakeObserver(view);
  const { container } = render(
    <TextContext value={text}>
      <FeatureContext value={createFeature}>
        <ProviderIcons value={icons}>
          <App observer={observer} header={header} openedAtMs={openedAtMs} toCodeScreen={toCodeScreen} />
        </ProviderIcons>
      </FeatureContext>
    </TextContext>,
  );
  const show = (session: Session, changes?: Partial<Board>) =>
    act(async () => observer.show(toView(session, changes)));
  return { container, observer, show };
}

/** A sign-in before which no one was signed in. */
export const signingIn: SigningIn = {
  status: 'signing-in',
  providerId: 'demo',
  request: { type: 'sign-in', providerId: 'demo' },
  attempt: 'attempt-1',
  startedAtMs: Date.parse('2030-01-01T12:00:00Z'),
  before: nobody,
};
