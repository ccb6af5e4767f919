// From figure-data to a drawn chart. Vega's expressions are interpreted rather than compiled, because the page's
// Content-Security-Policy forbids eval.

import { logger, parse, View, Warn } from 'vega';
import { compile } from 'vega-lite';
import { expressionInterpreter } from 'vega-interpreter';
import { bars } from './bars.js';
import { counts } from './counts.js';
import { curve } from './curve.js';
import { evidence } from './evidence.js';
import { heat } from './heat.js';
import { intervals } from './intervals.js';
import { legend } from './legend.js';
import { sweep } from './sweep.js';
import { showTip } from './tooltip.js';

const kinds = { bars, counts, heat, curve, intervals, evidence, sweep };

/** Draws figure-data into an element, `width` pixels wide; resolves to Vega's view, which its owner has to finalize. */
export async function draw(data, colours, width, element) {
  if (!Object.hasOwn(kinds, data.kind)) throw new Error(`no chart of kind ${data.kind}`);
  const chart = kinds[data.kind](data, colours, width);
  element.replaceChildren(legend(chart.legend));
  const container = element.appendChild(document.createElement('div'));
  const runtime = parse(compile(chart.spec).spec, undefined, { ast: true });
  // Vega only logs what goes wrong while it draws; here that is a failure.
  const log = logger(Warn);
  let failure;
  log.error = error => {
    failure ??= error;
  };
  const view = new View(runtime, {
    expr: expressionInterpreter,
    logger: log,
    renderer: 'svg',
    hover: false,
    tooltip: showTip,
  });
  // A finger does not hover: it gets the tooltip by a tap, until it touches anything else.
  view.addEventListener('click', (event, item) => showTip(null, event, item, item?.tooltip));
  await view.initialize(container).runAsync();
  if (failure) {
    view.finalize();
    throw failure;
  }
  return view;
}
