// How the values of a quantity are spread where fields are random: histograms and quantiles, by law.
"use strict";

// The value below which a part of a sorted list lies, between neighbours by a line.
carom.quantile = function (sorted, part) {
  const at = part * (sorted.length - 1), k = Math.floor(at), next = Math.min(k + 1, sorted.length - 1);
  return sorted.length > 0 ? sorted[k] + (at - k) * (sorted[next] - sorted[k]) : null;
};

// Bins of equal width, by the rule of Freedman and Diaconis: 2 (q75 - q25) / n^(1/3), at most `most` of them.
carom.histogramBins = function (lists, most = 60) {
  const all = lists.flat().sort((a, b) => a - b), low = all[0], high = all[all.length - 1];
  const width = (2 * (carom.quantile(all, 0.75) - carom.quantile(all, 0.25))) / Math.cbrt(Math.max(...lists.map((list) => list.length)));
  const count = high > low ? Math.max(5, Math.min(most, width > 0 ? Math.ceil((high - low) / width) : most)) : 1;
  return { low, count, width: high > low ? (high - low) / count : Math.abs(low) || 1 };
};

carom.studySpread = function (study, q) {
  const { element, data } = carom, { quantities, values, laws } = data, { name, unit } = quantities[q];
  const which = study.chosen(...study.axes.map((_, f) => f));
  const lists = laws.map((_, law) => which.map((i) => values[q][law][i]).filter((value) => value !== null));
  if (lists.every((list) => list.length === 0)) {
    return element("p", { class: "note" }, name + ": no values.");
  }
  const bins = carom.histogramBins(lists), edge = (k) => bins.low + k * bins.width;
  const series = laws.map((label, law) => {
    const counts = new Array(bins.count).fill(0);
    lists[law].forEach((value) => {
      counts[Math.min(bins.count - 1, Math.floor((value - bins.low) / bins.width))]++;
    });
    const part = (n) => (lists[law].length > 0 ? (100 * n) / lists[law].length : null);
    const x = counts.flatMap((_, k) => [edge(k), edge(k + 1)]), y = counts.flatMap((n) => [part(n), part(n)]);
    return { label, x: [edge(0), ...x, edge(bins.count)], y: [0, ...y, 0], counts };
  });
  const chart = carom.curves({
    id: "histogram-" + q, xTitle: carom.withUnit(name, unit), yTitle: "part of the points, %",
    label: "Histogram of " + name + ", a line for each law; the table below has the quantiles",
    height: (width) => Math.max(200, Math.min(320, width * 0.35)),
  }, series);
  chart.bins = bins;
  const parts = [0.025, 0.25, 0.5, 0.75, 0.975];
  const rows = laws.map((law, k) => {
    const sorted = lists[k].slice().sort((a, b) => a - b), n = sorted.length, mean = n ? sorted.reduce((s, v) => s + v, 0) / n : null;
    const deviation = n > 1 ? Math.sqrt(sorted.reduce((s, v) => s + (v - mean) ** 2, 0) / (n - 1)) : null;
    return [law, n, mean, deviation, ...parts.map((part) => carom.quantile(sorted, part))];
  });
  return element("section", { id: "spread-" + q, "aria-labelledby": "spread-" + q + "-title", class: "part" },
    element("h3", { id: "spread-" + q + "-title" }, "Histogram of " + name), chart.holder,
    carom.table("Mean, standard deviation and quantiles" + (unit ? ", " + unit : ""), ["law", "points", "mean", "deviation",
      ...parts.map((part) => carom.format(100 * part) + " %")], rows, { id: "quantiles-" + q }));
};
