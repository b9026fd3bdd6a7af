// The one door to the browser's extension API. Where the browser has `browser` itself the polyfill steps aside.
export { default as browser } from 'webextension-polyfill';
