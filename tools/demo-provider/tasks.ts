// A list of tasks for each person, in memory, for a feature to show and to add to.

import { randomUUID } from 'node:crypto';

export interface Task {
  readonly id: string;
  readonly text: string;
}

/** The longest text of a task, in characters. */
export const maxTaskLength = 200;

const firstTasks = ['Water the plants', 'Book the train to Lisbon', 'Renew the library card'];

export class Tasks {
  readonly #lists = new Map<string, readonly Task[]>();

  /** The person's tasks, the newest first. */
  listOf(person: string): readonly Task[] {
    const list = this.#lists.get(person) ?? firstTasks.map(toTask);
    this.#lists.set(person, list);
    return list;
  }

  add(person: string, text: string): Task {
    const task = toTask(text);
    this.#lists.set(person, [task, ...this.listOf(person)]);
    return task;
  }
}

function toTask(text: string): Task {
  return { id: randomUUID(), text };
}
