// Keeps the clicks of a person who is quicker than React.

/** Holds all clicks back from now on. The function that it returns lets clicks pass again, and repeats the held ones. */
export function holdClicks(): () => void {
  const held: HTMLElement[] = [];
  const hold = (event: MouseEvent) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    const button = event.target instanceof Element && event.target.closest('button');
    // The second click of a double click presses nothing else.
    if (button && event.detail < 2) held.push(button);
  };
  addEventListener('click', hold, true);
  return () => {
    removeEventListener('click', hold, true);
    for (const button of held) if (button.isConnected) button.click();
  };
}
