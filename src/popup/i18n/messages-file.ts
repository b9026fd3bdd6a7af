// Reads a messages file as browsers do, for code that runs outside the extension.

/** The content of a `messages.json`, in the browsers' format. */
export type MessagesFile = Readonly<Record<string, Message>>;

interface Message {
  readonly message: string;
  readonly description?: string;
  readonly placeholders?: Readonly<Record<string, { readonly content: string; readonly example?: string }>>;
}

const placeholder = /\$([a-z0-9_@]{1,80})\$/giu;

/**
 * Looks messages up in one file. Replaces `$name$` with the content of that placeholder, then `$1` with the first
 * substitution, and `$$` with `$`. Returns '' for a missing key, as browsers do; to fall back to English as they do,
 * spread the English file before this one. Throws if a message uses an undefined placeholder, with which Chromium would
 * not load the extension.
 */
export function toLookUp(messages: MessagesFile) {
  return (key: string, substitutions: readonly string[] = []): string => {
    const { message, placeholders = {} } = messages[key] ?? { message: '' };
    const contents = new Map(
      Object.entries(placeholders).map(([name, { content }]) => [name.toLowerCase(), content]),
    );
    const text = message.replace(placeholder, (_, name: string) => {
      const content = contents.get(name.toLowerCase());
      if (content !== undefined) return content;
      throw new Error(`The message ${key} has no placeholder ${name}: add it to messages.json.`);
    });
    return text.replace(/\$(?:([1-9])|(\$+))/gu, (_, number?: string, rest?: string) =>
      number === undefined ? (rest ?? '') : (substitutions[Number(number) - 1] ?? ''),
    );
  };
}
