// The background code of the feature in the pictures, which does nothing.

export default function startFeature(): void {}
