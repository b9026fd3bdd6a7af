// Shows one line, and marks its paint in the same way as our popup marks its own.

export function show(line: string | undefined): void {
  const element = document.querySelector('#line');
  if (element !== null) element.textContent = line ?? 'Signed out';
  requestAnimationFrame(() => setTimeout(() => performance.mark('latchkey:ready')));
}
