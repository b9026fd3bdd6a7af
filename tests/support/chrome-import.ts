// Web Crypto's import of a public key as Chrome does it. Node takes more.

import type { JWK } from 'jose';

const importKey = SubtleCrypto.prototype.importKey.bind(crypto.subtle);

/**
 * Chrome and Firefox take base64url alone, Chrome no integer with a zero byte in front, and each coordinate in its full length:
 * https://github.com/web-platform-tests/wpt/pull/10526
 */
export const importAsChrome = ((...args: Parameters<typeof importKey>) => {
  const { n, e, x, y, crv = '' } = args[1] as unknown as JWK;
  const [integers, coordinates] = [
    [n, e],
    [x, y],
  ].map((all) => all.filter((one) => one !== undefined));
  const toBytes = (text: string) => Buffer.from(text, 'base64url');
  const isOther = [...integers!, ...coordinates!].some((one) => !/^[\w-]+$/.test(one));
  const hasZero = integers!.some((one) => toBytes(one)[0] === 0);
  const length = crv === 'P-521' ? 66 : Number(crv.slice(2)) / 8;
  const isShort = crv.startsWith('P-') && coordinates!.some((one) => toBytes(one).length !== length);
  return isOther || hasZero || isShort
    ? Promise.reject(new DOMException('', 'DataError'))
    : importKey(...args);
}) as typeof importKey;
