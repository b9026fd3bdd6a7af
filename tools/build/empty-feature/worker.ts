// The half in the worker of a feature that does nothing.

export default function startFeature(): void {}
