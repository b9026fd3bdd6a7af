// The demo provider's store for sessions, grants and tokens: maps in memory.

type Payload = Record<string, unknown>;

/**
 * Returns oidc-provider's adapter for each of its models. The entries outlive the provider object, so the provider can
 * be rebuilt with other signing keys. Expired entries stay: oidc-provider checks their expiry itself, and the process is
 * short-lived.
 */
export function createStore(): (model: string) => Adapter {
  const adapters = new Map<string, Adapter>();
  return (model) => {
    const adapter = adapters.get(model) ?? new Adapter();
    adapters.set(model, adapter);
    return adapter;
  };
}

/** The entries of one model. oidc-provider defines the methods' names. */
class Adapter {
  readonly #entries = new Map<string, Payload>();

  async upsert(id: string, payload: Payload): Promise<void> {
    this.#entries.set(id, payload);
  }

  async find(id: string): Promise<Payload | undefined> {
    return this.#entries.get(id);
  }

  async findByUid(uid: string): Promise<Payload | undefined> {
    return [...this.#entries.values()].find((payload) => payload['uid'] === uid);
  }

  async findByUserCode(userCode: string): Promise<Payload | undefined> {
    return [...this.#entries.values()].find((payload) => payload['userCode'] === userCode);
  }

  async consume(id: string): Promise<void> {
    const payload = this.#entries.get(id);
    if (payload) payload['consumed'] = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    this.#entries.delete(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of this.#entries) {
      if (payload['grantId'] === grantId) this.#entries.delete(id);
    }
  }
}
