// A limit to how long a caller waits.

/**
 * Settles as `work` does, or as `onTimeout` does if `work` takes longer than `timeoutMs`. The work itself goes on;
 * only the waiting ends.
 */
export async function withTimeout<T, Late>(
  work: Promise<T>,
  timeoutMs: number,
  onTimeout: () => Late,
): Promise<T | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  }).then(onTimeout);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
