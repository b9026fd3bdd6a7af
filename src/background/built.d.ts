// The parts of the worker that the configuration needs: those of src/parts. The build generates this module.
declare module 'latchkey:parts' {
  const parts: readonly import('./part.ts').Part[];
  export default parts;
}
