// Shows one line.

export function show(line: string | undefined): void {
  document.body.textContent = line ?? 'Signed out';
}
