import { connectFeature, observeSession } from 'latchkey/session';

const observer = observeSession();
const { fetch } = connectFeature(observer);

const find = (id: string) => document.getElementById(id)!;
const onClick = (id: string, run: () => unknown) => find(id).addEventListener('click', () => void run());

function show() {
  const view = observer.getSnapshot();
  if (view.status === 'starting') return;
  const { session } = view.board;
  const user = session.status === 'signed-in' ? session.profile : null;
  find('problem').textContent = session.status === 'signed-out' ? (session.problem?.code ?? '') : '';
  find('name').textContent = user?.name ?? '';
  find('sign-in').hidden = session.status !== 'signed-out';
  find('load').hidden = user === null;
  find('sign-out').hidden = user === null;
  if (user === null) find('answer').textContent = '';
}

async function load() {
  const response = await fetch('http://localhost:4455/api/me');
  find('answer').textContent = await response.text();
}

onClick('sign-in', () => observer.send({ type: 'sign-in', providerId: 'demo' }));
onClick('sign-out', () => observer.send({ type: 'sign-out', everywhere: false }));
onClick('load', () => load().catch((error: unknown) => (find('answer').textContent = String(error))));
observer.subscribe(show);
show();
