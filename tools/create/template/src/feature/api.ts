import { providers } from 'latchkey:config';

export const api = providers[0]?.apiOrigins[0] ?? '';

/** The texts of the signed-in user's tasks. `fetch` is the one that Latchkey passes: it attaches the token. */
export async function loadTasks(fetch: typeof globalThis.fetch): Promise<readonly string[]> {
  const response = await fetch(`${api}/api/tasks`);
  if (!response.ok) throw new Error(`The API responded with ${response.status}.`);
  const { tasks } = (await response.json()) as { readonly tasks: readonly { readonly text: string }[] };
  return tasks.map(({ text }) => text);
}
