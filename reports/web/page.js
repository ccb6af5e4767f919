// The report's script: draws every figure that carries data when the reader comes near it, and again when its width or the
// colour scheme changes. The static picture stays in the page: it is what is printed, and what remains if drawing fails.

import { draw } from './draw.js';
import { pageColours } from './look.js';
import { hideTip } from './tooltip.js';

class Figure {
  constructor(figure) {
    this.figure = figure;
    this.source = figure.querySelector('script.figure-data');
    this.attempt = 0;
    this.width = 0;
  }

  /** Draws, unless the picture in place is as it would become. */
  async refresh(evenIfSameWidth = false) {
    const width = Math.floor(
      this.figure.querySelector('.chart').parentElement.clientWidth - horizontalPadding(this.figure),
    );
    // A closed <details> has no width; its figures are drawn when they get one.
    if (width <= 0 || (width === this.width && !evenIfSameWidth)) return;
    this.width = width;
    const attempt = ++this.attempt;
    const live = document.createElement('div');
    live.className = 'live';
    live.setAttribute('aria-hidden', 'true');
    let view;
    try {
      view = await draw(JSON.parse(this.source.textContent), pageColours(), width, live);
    } catch (error) {
      if (attempt === this.attempt) this.fail(error);
      return;
    }
    // The width changed again while this was being drawn: the newer picture counts.
    if (attempt !== this.attempt) return void view.finalize();
    this.discard();
    this.view = view;
    this.live = live;
    this.figure.querySelector('.chart').after(live);
    this.figure.classList.add('drawn');
  }

  discard() {
    hideTip();
    this.view?.finalize();
    this.live?.remove();
    this.view = this.live = undefined;
  }

  fail(error) {
    this.discard();
    this.figure.classList.remove('drawn');
    this.figure.classList.add('failed');
    // Not to the console: the reader still has the static picture and can do nothing about it; tests read this.
    this.figure.dataset.failure = String(error?.message ?? error);
  }
}

function horizontalPadding(element) {
  const style = getComputedStyle(element);
  return parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
}

function start() {
  const figures = new Map();
  for (const element of document.querySelectorAll('figure.figure')) {
    if (element.querySelector('script.figure-data')) figures.set(element, new Figure(element));
  }

  const started = new Set();
  const redrawAll = again => started.forEach(figure => figure.refresh(again));

  let timer;
  const resized = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(redrawAll, 150, false);
  });
  const near = new IntersectionObserver(
    entries => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        const figure = figures.get(target);
        started.add(figure);
        figure.refresh();
        resized.observe(target);
      }
    },
    { rootMargin: '600px 0px' },
  );

  figures.forEach((_, element) => near.observe(element));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => redrawAll(true));
}

start();
