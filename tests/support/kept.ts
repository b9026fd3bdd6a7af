// Counts what JavaScript keeps in memory, so that a test sees what each repetition leaves behind: objects, functions, and
// the entries of maps, sets and lists.

import { Session, type Runtime } from 'node:inspector';
import { turns } from './turns.ts';

/** Runs in the inspected program, with all its objects. */
function sumUp(this: readonly unknown[]): number {
  let sum = this.length;
  for (const object of this) {
    // The prototype of a class that extends Map isn't a map itself.
    const isPrototype = Object.hasOwn(object as object, 'constructor');
    if (isPrototype) continue;
    if (object instanceof Map || object instanceof Set) sum += object.size;
    else if (Array.isArray(object)) sum += object.length;
  }
  return sum;
}

/** Counts after a garbage collection. The count holds a few hundred that come and go with the program itself. */
export async function countKept(): Promise<number> {
  // Work that has ended is unreachable only after the microtasks and the tasks that its end caused.
  await turns(5);
  const session = new Session();
  session.connect();
  try {
    const post = <Result>(method: string, parameters: object) =>
      new Promise<Result>((resolve, reject) => {
        session.post(method, parameters, (error, result) =>
          error === null ? resolve(result as Result) : reject(error),
        );
      });
    const { result: prototype } = await post<Runtime.EvaluateReturnType>('Runtime.evaluate', {
      expression: 'Object.prototype',
    });
    const { objects } = await post<Runtime.QueryObjectsReturnType>('Runtime.queryObjects', {
      prototypeObjectId: prototype.objectId,
      objectGroup: 'kept',
    });
    const { result } = await post<Runtime.CallFunctionOnReturnType>('Runtime.callFunctionOn', {
      objectId: objects.objectId,
      functionDeclaration: sumUp.toString(),
      returnByValue: true,
    });
    if (typeof result.value !== 'number')
      throw new Error(`The objects cannot be counted: ${result.description}`);
    return result.value;
  } finally {
    session.disconnect();
  }
}
