// A challenge (RFC 9110 section 11.6.1), as long as it may be.

/** A longer challenge is not read: oauth4webapi takes quadratic time, and a challenge names an error. */
const maxChallengeLength = 4096;

/** Returns the headers without a challenge (RFC 9110 section 11.6.1) that is too long to be read. */
export function withoutLongChallenge(headers: Headers): Headers {
  const name = 'www-authenticate';
  if ((headers.get(name)?.length ?? 0) <= maxChallengeLength) return headers;
  const others = new Headers(headers);
  others.delete(name);
  return others;
}
