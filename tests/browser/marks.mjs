// How many marks of each kind a figure must show, by its data.

const ofKind = {
  bars: data => ({ bar: data.rows.length, claim: data.claims.length }),
  counts: data => ({ bar: data.rows.length, margin: data.rows.filter(row => row.margin > 0).length }),
  heat: data => ({ cell: data.cells.length, over: data.cells.filter(cell => cell.over).length }),
  curve: data => ({ point: data.points.length }),
  intervals: data => ({
    interval: data.rows.length,
    exact: data.rows.filter(row => row.exact != null || row.exact_infinite).length,
    claim: data.rows.reduce((sum, row) => sum + row.claims.length, 0),
  }),
  evidence: data => ({ line: data.series.filter(series => series.points.length > 0).length }),
  sweep: data => ({ point: data.series.reduce((sum, series) => sum + series.points.length, 0) }),
};

/** The marks that a figure with this figure-data has, like {"bar": 12, "claim": 3}. */
export const expectedMarks = data => ofKind[data.kind](data);
