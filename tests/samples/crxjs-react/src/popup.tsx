import { connectFeature, observeSession } from 'latchkey/session';
import { useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';

const observer = observeSession();
const { fetch } = connectFeature(observer);

function Popup() {
  const view = useSyncExternalStore(observer.subscribe, observer.getSnapshot);
  if (view.status === 'starting') return null;
  const { session, providers } = view.board;
  switch (session.status) {
    case 'signing-in':
      return (
        <>
          <p>Sign in, in the window that has opened.</p>
          <button onClick={() => void observer.send({ type: 'cancel' })}>Cancel</button>
        </>
      );
    case 'signed-out':
      return (
        <>
          {session.problem !== null && <p role="alert">{session.problem.code}</p>}
          {providers.map(({ id, name }) => (
            <button
              key={id}
              id="sign-in"
              onClick={() => void observer.send({ type: 'sign-in', providerId: id })}
            >
              Sign in with {name}
            </button>
          ))}
        </>
      );
    case 'signed-in':
      return (
        <>
          <h1 id="name">{session.profile.name ?? session.profile.email}</h1>
          <Me />
          <button id="sign-out" onClick={() => void observer.send({ type: 'sign-out', everywhere: false })}>
            Sign out
          </button>
        </>
      );
  }
}

function Me() {
  const [answer, setAnswer] = useState('');

  async function load() {
    const response = await fetch('http://localhost:4455/api/me');
    setAnswer(await response.text());
  }

  return (
    <>
      <button id="load" onClick={() => void load().catch((error) => setAnswer(String(error)))}>
        Load
      </button>
      <p id="answer">{answer}</p>
    </>
  );
}

createRoot(document.querySelector('main')!).render(<Popup />);
