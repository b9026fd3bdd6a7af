// A worker with nothing to do but to answer: for peers whose code runs in pages alone.

chrome.runtime.onMessage.addListener(
  (_message: unknown, _sender: unknown, respond: (reply: string) => void) => {
    respond('awake');
  },
);
