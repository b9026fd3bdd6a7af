/** A promise in the hands of the test. */
export function deferred<T>() {
  let resolve!: (value: T) => void; // set by the executor, which runs at once
  let reject!: (reason: Error) => void; // as above
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
