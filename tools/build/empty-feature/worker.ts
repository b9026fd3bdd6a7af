// The background code of a feature that does nothing.

export default function startFeature(): void {}
