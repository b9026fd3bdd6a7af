// The worker's half of a feature that does nothing.

export default function startFeature(): void {}
