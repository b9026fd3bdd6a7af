import type { FeatureProps } from 'latchkey/popup';
import { useEffect, useState } from 'react';
import { loadTasks } from './api.ts';

/** Mounted in the popup while a user is signed in. */
export default function Feature({ user, fetch }: FeatureProps) {
  const [tasks, setTasks] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState('');

  useEffect(() => {
    loadTasks(fetch).then(setTasks, (error: unknown) => setProblem(String(error)));
  }, [fetch]);

  if (problem !== '') return <p role="alert">{problem}</p>;
  return (
    <ul aria-label={`Tasks of ${user.name}`}>
      {tasks.map((task) => (
        <li key={task}>{task}</li>
      ))}
    </ul>
  );
}
