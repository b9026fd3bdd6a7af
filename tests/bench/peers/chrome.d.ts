// The parts of the extension API that the peers use.

declare const chrome: {
  readonly runtime: {
    sendMessage(message: object): Promise<string>;
    readonly onMessage: {
      addListener<Message>(
        listener: (message: Message, sender: unknown, respond: (reply?: string) => void) => boolean | void,
      ): void;
    };
  };
  readonly identity: {
    getRedirectURL(path?: string): string;
    launchWebAuthFlow(details: { url: string; interactive: boolean }): Promise<string>;
  };
  readonly storage: {
    readonly local: {
      get<Key extends string>(key: Key): Promise<Record<Key, never>>;
      set(items: object): Promise<void>;
      remove(key: string): Promise<void>;
    };
  };
};
