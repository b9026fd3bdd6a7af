// The only import of the extension API. Where the browser has its own `browser`, the polyfill just passes it on.
export { default as browser } from 'webextension-polyfill';
