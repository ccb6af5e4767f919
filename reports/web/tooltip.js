// The tooltip: one element of the page, filled with text only. Labels come from specs and may contain markup.

let box;

/** Vega's tooltip handler: shows the lines in the field `tip` of the datum under the pointer, or hides the box. */
export function showTip(_handler, event, item, value) {
  const lines = value == null || value === '' ? null : item.datum.tip;
  if (!lines) return hideTip();
  box ??= create();
  box.replaceChildren(
    ...lines.map((text, i) => {
      const line = document.createElement('div');
      line.dir = 'auto';
      line.textContent = text;
      line.style.fontWeight = i === 0 && lines.length > 1 ? '600' : '';
      return line;
    }),
  );
  box.style.display = 'block';
  place(event.clientX, event.clientY);
}

export function hideTip() {
  if (box) box.style.display = 'none';
}

function create() {
  const made = document.createElement('div');
  made.className = 'tip';
  made.setAttribute('aria-hidden', 'true');
  Object.assign(made.style, {
    position: 'fixed',
    zIndex: '10',
    pointerEvents: 'none',
    maxWidth: 'min(28rem, calc(100vw - 16px))',
    maxHeight: '60vh',
    overflow: 'hidden',
    boxSizing: 'border-box',
    padding: '6px 10px',
    fontSize: '13px',
    lineHeight: '1.4',
    overflowWrap: 'anywhere',
    whiteSpace: 'pre-line',
    textAlign: 'start',
    color: 'var(--ink)',
    background: 'var(--paper)',
    border: '1px solid var(--faint)',
    borderRadius: '4px',
    boxShadow: '0 2px 8px rgba(0, 0, 0, 0.25)',
  });
  addEventListener('scroll', hideTip, { passive: true, capture: true });
  addEventListener('pointerdown', hideTip);
  addEventListener('beforeprint', hideTip);
  return document.body.appendChild(made);
}

/** Beside the pointer, on whichever side there is room. */
function place(x, y) {
  const { width, height } = box.getBoundingClientRect();
  const left = x + 14 + width > innerWidth - 8 ? x - 14 - width : x + 14;
  const top = y + 14 + height > innerHeight - 8 ? y - 14 - height : y + 14;
  box.style.left = `${Math.max(8, Math.min(left, innerWidth - 8 - width))}px`;
  box.style.top = `${Math.max(8, top)}px`;
}
