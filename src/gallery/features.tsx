// The features that faces mount in place of the real one.

export const features = {
  empty: () => null,
  tall: TallFeature,
  failing: FailingFeature,
};

/** Taller than the maximum height of a popup. */
function TallFeature() {
  return (
    <ol>
      {Array.from({ length: 60 }, (_, index) => (
        <li key={index}>A line of a feature that has much to show</li>
      ))}
    </ol>
  );
}

function FailingFeature(): never {
  throw new Error('This feature fails on purpose.');
}
