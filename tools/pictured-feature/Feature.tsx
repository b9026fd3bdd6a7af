// The feature in the pictures of the popup: a few notes, in plain HTML that the popup's style sheet styles.

import type { FeatureProps } from '../../src/feature/feature-props.ts';

export default function Feature({ user }: Pick<FeatureProps, 'user'>) {
  return (
    <>
      <h2>{user.name}’s notes</h2>
      <ul>
        <li>Water the plants</li>
        <li>Book the train to Malmö</li>
        <li>Call the dentist</li>
      </ul>
      <p>
        <button type="button" className="primary">
          Add a note
        </button>
      </p>
    </>
  );
}
