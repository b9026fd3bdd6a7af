// The user that the library has stored.

import { initializeApp } from 'firebase/app';
import { getAuth, onAuthStateChanged } from 'firebase/auth/web-extension';
import { show } from '../show.ts';

const app = initializeApp({ apiKey: 'key', authDomain: 'project.firebaseapp.example', projectId: 'project' });
onAuthStateChanged(getAuth(app), (user) => show(user?.email ?? undefined));
