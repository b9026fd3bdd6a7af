import { connectFeature, observeSession } from './vendor/latchkey/session.js';

const observer = observeSession();
const { fetch } = connectFeature(observer);

const find = (id) => document.getElementById(id);
const onClick = (id, run) => find(id).addEventListener('click', () => void run());

function show() {
  const view = observer.getSnapshot();
  if (view.status === 'starting') return;
  const { session } = view.board;
  const user = session.status === 'signed-in' ? session.profile : null;
  const problem = session.status === 'signing-in' ? null : session.problem;
  find('problem').textContent = problem?.code ?? '';
  find('allow').hidden = problem?.code !== 'host-permission-missing';
  find('signing-in').hidden = session.status !== 'signing-in';
  find('cancel').hidden = session.status !== 'signing-in';
  find('name').textContent = user?.name ?? user?.email ?? '';
  find('sign-in').hidden = session.status !== 'signed-out';
  find('load').hidden = user === null;
  find('sign-out').hidden = user === null;
  if (user === null) find('answer').textContent = '';
}

async function send(command) {
  const reply = await observer.send(command);
  if (!reply.ok) find('problem').textContent = reply.problem.code;
}

async function load() {
  const response = await fetch('http://localhost:4455/api/me');
  find('answer').textContent = await response.text();
}

onClick('sign-in', () => send({ type: 'sign-in', providerId: 'demo' }));
onClick('cancel', () => send({ type: 'cancel' }));
onClick('allow', () => observer.allowHosts());
onClick('sign-out', () => send({ type: 'sign-out', everywhere: false }));
onClick('load', () => load().catch((error) => (find('answer').textContent = String(error))));
observer.subscribe(show);
show();
