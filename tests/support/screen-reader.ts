// A small screen reader: it reads what gets the focus, and what changes in a live region that was there before. Like
// real ones it says nothing of a live region that arrives with its text, except an alert.

type How = 'focus' | 'polite' | 'assertive';

/** A text that is read aloud, and the reason. */
export type Heard = readonly [How, string];

/** The text nodes of a live region, with their texts. */
type Pieces = ReadonlyMap<Node, string>;

const liveSelector = '[role="status"], [role="alert"], [aria-live]';

export class ScreenReader {
  readonly #heard: Heard[] = [];
  #regions = readRegions();
  readonly #changes = new MutationObserver(() => this.#listen());
  readonly #onFocus = ({ target }: FocusEvent) => {
    if (target instanceof Element) this.#heard.push(['focus', describe(target)]);
  };

  constructor() {
    this.#changes.observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    document.addEventListener('focusin', this.#onFocus);
  }

  /** Returns the texts that were read aloud since the last call, in order. */
  async listen(): Promise<readonly Heard[]> {
    // The document reports its changes in a task of its own.
    await Promise.resolve();
    return this.#heard.splice(0);
  }

  stop(): void {
    this.#changes.disconnect();
    document.removeEventListener('focusin', this.#onFocus);
  }

  #listen(): void {
    const before = this.#regions;
    this.#regions = readRegions();
    for (const [region, pieces] of this.#regions) {
      const known = before.get(region) ?? (region.role === 'alert' ? new Map<Node, string>() : pieces);
      const changed = [...pieces].filter(([node, text]) => known.get(node) !== text);
      if (changed.length === 0) continue;
      const said = isAtomic(region) ? [...pieces] : changed;
      this.#heard.push([toPoliteness(region), toLine(said.map(([, text]) => text))]);
    }
  }
}

function readRegions(): ReadonlyMap<Element, Pieces> {
  const regions = [...document.querySelectorAll(liveSelector)].filter(
    (region) => isInTree(region) && region.getAttribute('aria-live') !== 'off',
  );
  // A live region in another one speaks for itself.
  const isOwn = (region: Element) => (parent: Element) => parent.closest(liveSelector) === region;
  return new Map(regions.map((region) => [region, readPieces(region, isOwn(region))]));
}

/** The texts in `root`, from the elements that `isMeant` chooses. */
function readPieces(root: Element, isMeant: (parent: Element) => boolean = () => true): Pieces {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const pieces = new Map<Node, string>();
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent ?? '';
    const parent = node.parentElement;
    if (text.trim() !== '' && parent !== null && isInTree(parent) && isMeant(parent)) pieces.set(node, text);
  }
  return pieces;
}

/** Whether the element is in the accessibility tree. Styles do not count: tests/popup/styles.test.tsx reads them. */
function isInTree(element: Element): boolean {
  if (element.closest('[hidden], [aria-hidden="true"]') !== null) return false;
  const details = element.closest('details');
  return details === null || details.open || element.closest('summary') !== null;
}

function isAtomic(region: Element): boolean {
  const atomic = region.getAttribute('aria-atomic');
  return atomic === null ? region.hasAttribute('role') : atomic === 'true';
}

function toPoliteness(region: Element): How {
  return region.getAttribute('role') === 'alert' || region.getAttribute('aria-live') === 'assertive'
    ? 'assertive'
    : 'polite';
}

/** The name, the role and the description of an element, as they are read aloud. */
export function describe(element: Element): string {
  const title = element.getAttribute('title');
  const describer = document.getElementById(element.getAttribute('aria-describedby') ?? '');
  const own = element.getAttribute('aria-label') ?? toLine([...readPieces(element).values()]);
  const name = own === '' ? title : own;
  const byTitle = own === '' ? null : title;
  const description = describer === null ? byTitle : toLine([describer.textContent]);
  return [name, toRole(element), description].filter((part) => part !== null).join(', ');
}

const rolesByTag: Readonly<Record<string, string>> = { H1: 'heading', SECTION: 'region' };

function toRole(element: Element): string {
  return element.getAttribute('role') ?? rolesByTag[element.tagName] ?? element.tagName.toLowerCase();
}

/** Without the characters that isolate the direction of a name, which are not read. */
function toLine(texts: readonly string[]): string {
  const line = texts.map((text) => text.trim()).join(' ');
  return line
    .replace(/[\u2068\u2069]/gu, '')
    .replace(/ +/gu, ' ')
    .trim();
}
