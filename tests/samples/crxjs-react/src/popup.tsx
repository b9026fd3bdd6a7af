import { type FeatureProps, mountPopup } from 'latchkey/popup';
import { useState } from 'react';

function Notes({ user, fetch }: FeatureProps) {
  const [answer, setAnswer] = useState('');

  async function load() {
    const response = await fetch('http://localhost:4455/api/me');
    setAnswer(await response.text());
  }

  return (
    <>
      <h2>Notes of {user.name}</h2>
      <button id="load" onClick={() => void load().catch((error) => setAnswer(String(error)))}>
        Load
      </button>
      <p id="answer">{answer}</p>
    </>
  );
}

mountPopup(document.querySelector('#root')!, { feature: Notes });
