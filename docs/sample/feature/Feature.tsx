// The half in the popup: a list of tasks with a search field, and a form that adds one. It shows the stored list at once, and
// the new one when the worker has it.

import './feature.css';
import { type FormEvent, useEffect, useState } from 'react';
import { browser } from '../bridge/browser.ts';
import type { FeatureProps } from './feature-props.ts';
import { ask, key, readTasks, type Task, toPerson } from './tasks.ts';

export default function Feature({ user }: FeatureProps) {
  const tasks = useTasks(toPerson(user));
  const [hasFailed, setHasFailed] = useState(false);
  const [query, setQuery] = useState('');
  const [draft, setDraft] = useState('');
  /** The result of the last click, until the person goes on. */
  const [result, setResult] = useState<string | null>(null);

  useEffect(() => {
    void ask({ type: 'feature:refresh' }).then((isDone) => setHasFailed(!isDone));
  }, []);

  async function tryAgain(): Promise<void> {
    setResult('Loading your tasks…');
    const isDone = await ask({ type: 'feature:refresh' });
    setHasFailed(!isDone);
    setResult(null);
  }

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    const text = draft.trim();
    if (text === '') return;
    setResult('Adding the task…');
    const isDone = await ask({ type: 'feature:add', text });
    if (isDone) setDraft('');
    setResult(isDone ? `“${text}” was added.` : 'The task couldn’t be added. Try again.');
  }

  const found = tasks?.filter(({ text }) => contains(text, query)) ?? [];
  return (
    <>
      <form onSubmit={(event) => void add(event)}>
        <input
          aria-label="New task"
          placeholder="New task"
          maxLength={200}
          value={draft}
          onChange={({ target }) => setDraft(target.value)}
        />
        <button type="submit">Add</button>
      </form>
      <input
        type="search"
        aria-label="Search"
        placeholder="Search"
        value={query}
        onChange={({ target }) => {
          setQuery(target.value);
          setResult(null);
        }}
      />
      {/* A screen reader reads each change aloud. */}
      <output>{result ?? describe(tasks, found.length, query, hasFailed)}</output>
      {hasFailed && (
        <button type="button" onClick={() => void tryAgain()}>
          Try again
        </button>
      )}
      <ul aria-label="Tasks">
        {found.map(({ id, text }) => (
          <li key={id}>
            <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The stored tasks of this person, which the worker keeps fresh; null until there are any. */
function useTasks(person: string): readonly Task[] | null {
  const [tasks, setTasks] = useState<readonly Task[] | null>(null);
  useEffect(() => {
    const read = () => {
      readTasks(person).then(setTasks, console.error);
    };
    const onChanged = (changes: object) => {
      if (key in changes) read();
    };
    read();
    browser.storage.onChanged.addListener(onChanged);
    return () => browser.storage.onChanged.removeListener(onChanged);
  }, [person]);
  return tasks;
}

function describe(tasks: readonly Task[] | null, found: number, query: string, hasFailed: boolean): string {
  if (tasks === null) return hasFailed ? 'Your tasks couldn’t be loaded.' : 'Loading your tasks…';
  if (hasFailed) return 'The list couldn’t be refreshed.';
  if (tasks.length === 0) return 'You have no tasks. Add the first one.';
  if (found === 0) return `No task contains “${query}”.`;
  return found === tasks.length ? `Tasks: ${found}` : `Tasks: ${found} of ${tasks.length}`;
}

function contains(text: string, query: string): boolean {
  return text.toLowerCase().includes(query.trim().toLowerCase());
}
