// What stands in the feature area of a face, in place of the feature.

export const features = {
  empty: () => null,
  tall: TallFeature,
  failing: FailingFeature,
};

/** Taller than a popup can be. */
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
