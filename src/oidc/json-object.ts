// Reads JSON that a provider sent. It may hold anything.

/** The object, or the list, that is this text in JSON; null for any other text. The caller knows what that means. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Readonly<Record<string, unknown>> | null) : null;
  } catch {
    return null;
  }
}
