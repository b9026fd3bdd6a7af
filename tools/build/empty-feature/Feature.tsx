// A feature that shows nothing, for tests and pictures of the popup, whatever is in src/feature.

export default function Feature() {
  return null;
}
