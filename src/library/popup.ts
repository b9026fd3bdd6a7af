// The package's entry point for a feature in Latchkey's popup: `latchkey/popup`.

export { FetchRefused, type RefusalReason } from '../bridge/fetch/errors.ts';
export type { FeatureProps } from '../feature/feature-props.ts';
