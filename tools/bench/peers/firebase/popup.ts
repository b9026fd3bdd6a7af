// Without its service the library cannot have a session, so it shows that no one is signed in.

import { initializeApp } from 'firebase/app';
import { getAuth, onAuthStateChanged } from 'firebase/auth/web-extension';
import { show } from '../show.ts';

const app = initializeApp({ apiKey: 'key', authDomain: 'project.firebaseapp.example', projectId: 'project' });
onAuthStateChanged(getAuth(app), (user) => show(user?.email ?? undefined));
