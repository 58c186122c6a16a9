// Draws the panels of a Grafana dashboard as far as this project's uses them: rows, single figures, and lines over time.
"use strict";

const COLOURS = ["#73BF69", "#F2CC0C", "#5794F2", "#FF780A", "#F2495C", "#B877D9", "#8AB8FF", "#FFA6B0", "#96D98D", "#C0D8FF"];
const NAMED = {green: "#73BF69", red: "#F2495C", orange: "#FF9830", blue: "#5794F2", "dark-red": "#C4162A"};
const CELL = 34, GAP = 8;

function element(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function box(kind, text) {
  const made = document.createElement("div");
  made.className = kind;
  if (text !== undefined) made.textContent = text;
  return made;
}

function digits(value, most) {
  return String(Number(value.toPrecision(3))).length > 7 ? value.toExponential(1) : String(Number(value.toFixed(most)));
}

function written(value, unit, decimals) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (unit === "s") {
    if (size && size < 0.001) return `${digits(value * 1e6, 0)} µs`;
    if (size && size < 1) return `${digits(value * 1e3, size < 0.01 ? 1 : 0)} ms`;
    return `${digits(value, decimals ?? 2)} s`;
  }
  if (unit === "bytes") {
    for (const [many, name] of [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]])
      if (size >= many) return `${digits(value / many, 1)} ${name}`;
    return `${digits(value, 0)} B`;
  }
  if (unit === "percentunit") return `${digits(value * 100, decimals ?? 1)} %`;
  if (unit === "ops" || unit === "reqps") return `${digits(value, 2)}/s`;
  return digits(value, decimals ?? 2);
}

function coloured(value, steps) {
  return NAMED[steps.filter((one) => one.value === null || value >= one.value).at(-1).color];
}

function ticks(most, many, unit) {
  const base = unit === "bytes" ? 2 : 10, raw = most / many, size = base ** Math.floor(Math.log(raw) / Math.log(base));
  const step = (base === 2 ? [1, 2] : [1, 2, 2.5, 5, 10]).map((one) => one * size).find((one) => one >= raw * 0.999);
  return Array.from({length: Math.ceil(most / step - 1e-9) + 1}, (_, index) => index * step);
}

function figure(panel, series) {
  const defaults = panel.fieldConfig.defaults, shown = box("figure");
  if (panel.options.textMode === "name") {
    shown.append(...series.map((one) => box("name", one.name)));
    return shown;
  }
  const value = series.length ? Number(series[0].points.at(-1)[1]) : NaN;
  shown.textContent = written(value, defaults.unit, defaults.decimals);
  if (Number.isFinite(value)) shown.style.color = coloured(value, defaults.thresholds.steps);
  return shown;
}

function lines(panel, series, begin, end, width, height) {
  const defaults = panel.fieldConfig.defaults, stacked = defaults.custom.stacking.mode === "normal";
  const limit = defaults.thresholds.steps.find((one) => one.value !== null)?.value;
  const sums = new Map();
  const drawn = series.map((one) => one.points.map(([at, text]) => {
    const value = Number(text), below = stacked ? sums.get(at) ?? 0 : 0;
    if (Number.isFinite(value)) sums.set(at, below + value);
    return [at, below, below + value];
  }).filter((one) => Number.isFinite(one[2])));
  const highest = Math.max(...drawn.flat().map((one) => one[2]), limit !== undefined ? limit * 1.05 : 0);
  const marks = ticks(highest || 1, 4, defaults.unit), top = marks.at(-1), left = 62, bottom = height - 20;
  const x = (at) => left + (at - begin) / (end - begin) * (width - left - 8);
  const y = (value) => bottom - value / top * (bottom - 8);
  const svg = element("svg", {width, height});
  for (const mark of marks) {
    svg.append(element("line", {x1: left, x2: width - 8, y1: y(mark), y2: y(mark), stroke: "#2c3235"}));
    svg.append(element("text", {x: left - 6, y: y(mark) + 4, "text-anchor": "end"}, written(mark, defaults.unit)));
  }
  for (let at = Math.ceil(begin / 60) * 60; at < end; at += 60)
    svg.append(element("text", {x: x(at), y: height - 4, "text-anchor": "middle"}, new Date(at * 1000).toISOString().slice(11, 16)));
  drawn.forEach((points, index) => {
    if (!points.length) return;
    const colour = series[index].colour;
    if (stacked) {
      const over = points.map((one) => `${x(one[0])},${y(one[2])}`), under = points.map((one) => `${x(one[0])},${y(one[1])}`);
      svg.append(element("polygon", {points: [...over, ...under.reverse()].join(" "), fill: colour, "fill-opacity": 0.4}));
    }
    svg.append(element("polyline", {points: points.map((one) => `${x(one[0])},${y(one[2])}`).join(" "), fill: "none", stroke: colour, "stroke-width": stacked ? 1 : 2}));
  });
  if (limit !== undefined)
    svg.append(element("line", {x1: left, x2: width - 8, y1: y(limit), y2: y(limit), stroke: NAMED.red, "stroke-dasharray": "6 4", "stroke-width": 1.5}));
  return svg;
}

function legend(series) {
  const made = box("legend");
  for (const one of series) {
    const entry = box("entry", one.name), mark = box("mark");
    mark.style.background = one.colour;
    entry.prepend(mark);
    made.append(entry);
  }
  return made;
}

function draw({dashboard, found, begin, end, subtitle}) {
  document.querySelector("h1").append(dashboard.title, Object.assign(document.createElement("small"), {textContent: subtitle}));
  const board = document.querySelector("main"), unit = board.clientWidth / 24;
  for (const panel of dashboard.panels) {
    const {x, y, w, h} = panel.gridPos, made = box(panel.type === "row" ? "row" : "panel");
    Object.assign(made.style, {left: `${x * unit}px`, top: `${y * CELL}px`, width: `${w * unit - GAP}px`, height: `${h * CELL - GAP}px`});
    made.append(box("title", panel.title));
    const series = found[panel.id] ?? [];
    const fixed = Object.fromEntries((panel.fieldConfig?.overrides ?? []).map((one) => [one.matcher.options, NAMED[one.properties[0].value.fixedColor]]));
    series.forEach((one, index) => { one.colour = fixed[one.name] ?? COLOURS[index % COLOURS.length]; });
    if (panel.type === "stat") made.append(figure(panel, series));
    if (panel.type === "timeseries") {
      const words = legend(series.filter((one) => one.points.some(([, text]) => Number(text))).slice(0, 9));
      made.append(words);
      board.append(made);
      const room = h * CELL - GAP - 30 - words.offsetHeight;
      made.insertBefore(lines(panel, series, begin, end, w * unit - GAP - 12, room), words);
    }
    board.append(made);
  }
  const last = dashboard.panels.at(-1).gridPos;
  board.style.height = `${(last.y + last.h) * CELL}px`;
}
